// fast/attention_gradients: equal to the reference's, whose own are checked by
// finite differences.
//
// The bound is 1e-5 of the largest gradient, as for the output, and 1e-6 of the
// terms of d_q and d_k. A gradient of a score is w (dw − mean), and where the
// softmax is sharp the two cancel: dw and the mean, sums of d_v products, keep
// the rounding of their terms, about 1e-7·√d_v of them, which stays while the
// gradient itself may all but vanish.
#include <attn/fast/attention.hpp>
#include <catch.hpp>

#include "fast_support.hpp"
#include "refuses.hpp"

using attn::ErrorCode;
using attn::Index;
using fast_support::constant;
using fast_support::gap;
using fast_support::random_case;
using fast_support::random_floats;
using fast_support::stacked;
namespace fast = attn::fast;

namespace {

struct Reference {
  attn::Matrix d_q, d_k, d_v;
  double terms = 0;  // largest |dO·Vᵀ| times largest |q| or |k|, over √d
};

Reference reference(const fast::Matrix& q, const fast::Matrix& k,
                    const fast::Matrix& v, const fast::Matrix& d_output,
                    const fast::AttentionOptions& options) {
  Reference to{attn::Matrix(q.rows, q.cols), attn::Matrix(k.rows, k.cols),
               attn::Matrix(v.rows, v.cols)};
  const Index d = q.cols / options.heads;
  const Index d_v = v.cols / options.heads;
  for (Index t = 0; t < options.heads; ++t) {
    const auto o = fast_support::head_operands(q, k, v, options, t);
    const auto g = attn::attention_gradients(
        o.q, o.k, o.v,
        fast_support::doubles(fast_support::columns(d_output, t * d_v, d_v)),
        o.options);
    to.d_q.middleCols(t * d, d) =
        fast_support::turned(g.d_q, options, options.query_offset, -1);
    to.d_k.middleCols(t * d, d) = fast_support::turned(g.d_k, options, 0, -1);
    to.d_v.middleCols(t * d_v, d_v) = g.d_v;
    const double root = options.scaled ? std::sqrt(double(d)) : 1;
    to.terms = std::max(to.terms, g.d_weights.cwiseAbs().maxCoeff() / root *
                                      std::max(o.q.cwiseAbs().maxCoeff(),
                                               o.k.cwiseAbs().maxCoeff()));
  }
  return to;
}

void check(const fast::Matrix& q, const fast::Matrix& k, const fast::Matrix& v,
           const fast::Matrix& d_output,
           const fast::AttentionOptions& options = {}) {
  const auto forward = fast::attention(q, k, v, options);
  const auto g = fast::attention_gradients(q, k, v, forward, d_output, options);
  const auto r = reference(q, k, v, d_output, options);
  const auto near = [](const fast::Matrix& a, const attn::Matrix& b,
                       double terms) {
    return attn::max_gap(fast_support::doubles(a), b) <=
           1e-5 * b.cwiseAbs().maxCoeff() + 1e-6 * terms;
  };
  CHECK(near(g.d_q, r.d_q, r.terms));
  CHECK(near(g.d_k, r.d_k, r.terms));
  CHECK(near(g.d_v, r.d_v, 0));
}

}  // namespace

TEST_CASE("fast gradients on every length around the blocks",
          "[fast][gradient]") {
  for (Index n = 1; n <= 70; n += (n < 10 || n > 28 ? 1 : 6)) {
    INFO("n " << n);
    attn::Rng rng(1);
    const auto q = random_floats(rng, n, 16);
    const auto k = random_floats(rng, 71 - n, 16);
    const auto v = random_floats(rng, 71 - n, 12);
    const auto d_output = random_floats(rng, n, 12);
    check(q, k, v, d_output);
    fast::AttentionOptions causal;
    causal.causal = true;
    check(q, k, v, d_output, causal);
  }
}

TEST_CASE("fast gradients on every width of a head", "[fast][gradient]") {
  for (Index d = 4; d <= 256; d += 12) {
    INFO("d " << d);
    attn::Rng rng(2);
    fast::AttentionOptions options;
    options.heads = 2;
    options.causal = true;
    options.rotary = fast::Rotary{fast::RotaryLayout::kHalfSplit, 10000, 1};
    check(random_floats(rng, 35, 2 * d), random_floats(rng, 35, 2 * d),
          random_floats(rng, 35, 2 * d), random_floats(rng, 35, 2 * d),
          options);
  }
}

TEST_CASE("fast gradients equal the reference for 150 seeds",
          "[fast][gradient][property]") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const auto [q, k, v, options] = random_case(rng, 100);
    check(q, k, v, random_floats(rng, q.rows, v.cols), options);
  }
}

TEST_CASE("gradients of stacked heads are bit for bit those side by side",
          "[fast][gradient][property]") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const auto [q, k, v, options] = random_case(rng, 100);
    const auto d_output = random_floats(rng, q.rows, v.cols);
    const auto beside = fast::attention_gradients(
        q, k, v, fast::attention(q, k, v, options), d_output, options);
    auto below = options;
    below.layout = fast::HeadLayout::kStacked;
    const auto h = options.heads;
    const auto q_h = stacked(q, h);
    const auto k_h = stacked(k, h);
    const auto v_h = stacked(v, h);
    const auto g = fast::attention_gradients(
        q_h, k_h, v_h, fast::attention(q_h, k_h, v_h, below),
        stacked(d_output, h), below);
    CHECK(g.d_q.data == stacked(beside.d_q, h).data);
    CHECK(g.d_k.data == stacked(beside.d_k, h).data);
    CHECK(g.d_v.data == stacked(beside.d_v, h).data);
  }
}

TEST_CASE("a query that sees nothing and a key that is not seen get zeros",
          "[fast][gradient]") {
  attn::Rng rng(3);
  const auto x = random_floats(rng, 12, 8);
  fast::AttentionOptions options;
  options.mask = fast::Mask(12, 12);
  std::fill(options.mask.data.begin(), options.mask.data.end(), 1);
  std::fill_n(options.mask.row(5), 12, 0);
  for (Index i = 0; i < 12; ++i) options.mask.row(i)[9] = 0;
  const auto g =
      fast::attention_gradients(x, x, x, fast::attention(x, x, x, options),
                                random_floats(rng, 12, 8), options);
  const auto zeros = [](const fast::Matrix& m, Index row) {
    return std::count(m.row(row), m.row(row) + m.cols, 0.0F) == m.cols;
  };
  CHECK(zeros(g.d_q, 5));
  CHECK(zeros(g.d_k, 9));
  CHECK(zeros(g.d_v, 9));
  check(x, x, x, x, options);
}

TEST_CASE("a key after every query gets no gradient, not in the last bit",
          "[fast][gradient]") {
  attn::Rng rng(4);
  fast::AttentionOptions causal;
  causal.causal = true;
  const auto q = random_floats(rng, 33, 8);
  auto k = random_floats(rng, 70, 8);
  auto v = random_floats(rng, 70, 8);
  const auto d_output = random_floats(rng, 33, 8);
  const auto gradients = [&] {
    return fast::attention_gradients(q, k, v, fast::attention(q, k, v, causal),
                                     d_output, causal);
  };
  const auto before = gradients();
  std::fill_n(k.row(33), 37 * 8, 1e15F);
  std::fill_n(v.row(33), 37 * 8, -1e20F);
  const auto after = gradients();
  CHECK(before.d_q.data == after.d_q.data);
  CHECK(before.d_k.data == after.d_k.data);
  CHECK(before.d_v.data == after.d_v.data);
  CHECK(std::count(after.d_v.row(33), after.d_v.row(70), 0.0F) == 37 * 8);
  CHECK(std::count(after.d_k.row(33), after.d_k.row(70), 0.0F) == 37 * 8);
}

TEST_CASE("fast gradients refuse with a code", "[fast][gradient][error]") {
  const auto q = constant(2, 8, 1);
  const auto k = constant(3, 8, 1);
  const auto forward = fast::attention(q, k, k);
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    fast::attention_gradients(q, k, k, forward, constant(3, 8, 1));
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    fast::attention_gradients(q, k, k, forward, constant(2, 8, NAN));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    fast::AttentionOptions two;
    two.heads = 2;
    fast::attention_gradients(q, k, k, forward, q, two);
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    fast::attention_gradients(q, k, k, fast::attention(k, k, k), q);
  }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    fast::attention_gradients(q, k, constant(3, 8, 1e20F),
                              fast::attention(q, k, constant(3, 8, 1e20F)),
                              constant(2, 8, 1e20F));
  }));
}
