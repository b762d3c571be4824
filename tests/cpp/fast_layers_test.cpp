// fast/linear, layer_norm, gelu, softmax: equal to the reference to 1e-5, on
// every remainder of the blocks, and refusals.
#include <attn/fast/gelu.hpp>
#include <attn/fast/layer_norm.hpp>
#include <attn/fast/linear.hpp>
#include <attn/fast/softmax.hpp>
#include <attn/feed_forward.hpp>
#include <attn/layer_norm.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <limits>

#include "fast_support.hpp"
#include "refuses.hpp"

using attn::ErrorCode;
using attn::Index;
using fast_support::constant;
using fast_support::doubles;
using fast_support::gap;
using fast_support::random_floats;
using fast_support::widened;
namespace fast = attn::fast;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void check_linear(Index n, Index d_in, Index d_out) {
  INFO(n << " x " << d_in << " x " << d_out);
  attn::Rng rng(static_cast<std::uint32_t>(n + d_in + d_out));
  const auto x = random_floats(rng, n, d_in);
  const auto w = random_floats(rng, d_in, d_out);
  const auto b = random_floats(rng, 1, d_out).data;
  const auto g = random_floats(rng, n, d_out);
  attn::Matrix y = attn::product(doubles(x), doubles(w));
  CHECK(gap(fast::linear(x, w), y) <= 1e-5);
  for (Index j = 0; j < d_out; ++j)
    y.col(j).array() += double(b[std::size_t(j)]);
  CHECK(gap(fast::linear(x, w, b), y) <= 1e-5);
  const auto back = fast::linear_gradients(x, w, g);
  CHECK(gap(back.d_x, attn::product(doubles(g), doubles(w).transpose())) <=
        1e-5);
  CHECK(gap(back.d_w, attn::product(doubles(x).transpose(), doubles(g))) <=
        1e-5);
  fast::Matrix sums(1, d_out);
  sums.data = back.d_b;
  CHECK(gap(sums, attn::Matrix(doubles(g).colwise().sum())) <= 1e-5);
}

/// Element by element, against the value itself: the tails of GELU are tiny.
double relative_gap(const fast::Matrix& a, const attn::Matrix& b) {
  double worst = 0;
  for (Index i = 0; i < b.size(); ++i) {
    const double y = b.data()[i];
    // Below the normal floats there are no digits to compare.
    const double size = std::max(std::abs(y), 1e-36);
    worst =
        std::max(worst, std::abs(double(a.data[std::size_t(i)]) - y) / size);
  }
  return worst;
}

}  // namespace

TEST_CASE("a fast linear layer and its gradients on all remainders",
          "[fast][linear]") {
  for (Index n = 1; n <= 9; ++n)
    for (Index d_out = 1; d_out <= 17; ++d_out) check_linear(n, 7, d_out);
  for (Index d_in = 126; d_in <= 130; ++d_in) check_linear(34, d_in, 11);
  for (const Index d_out : {Index{255}, Index{256}, Index{257}, Index{270}})
    check_linear(35, 130, d_out);
}

TEST_CASE("fast linear layers for 40 seeds", "[fast][linear][property]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    attn::Rng rng(seed);
    const Index n = 1 + rng.below(90);
    const Index d_in = 1 + rng.below(300);
    check_linear(n, d_in, 1 + rng.below(300));
  }
}

TEST_CASE("fast layer normalisation equals the reference for 200 seeds",
          "[fast][layer_norm]") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const Index d = 1 + static_cast<Index>(seed) % 70;
    auto x = random_floats(rng, 1 + rng.below(5), d);
    // Rows far from 0, as well as about it.
    const float far = seed % 3 == 0 ? 1e4F : 0;
    for (float& value : x.data) value += far;
    const auto gamma = random_floats(rng, 1, d).data;
    const auto beta = random_floats(rng, 1, d).data;
    if (d > 1)
      CHECK(gap(fast::layer_norm(x), attn::layer_norm(doubles(x)).output) <=
            1e-5);
    CHECK(
        gap(fast::layer_norm(x, gamma, beta, 1e-3),
            attn::layer_norm(doubles(x), {widened(gamma), widened(beta)}, 1e-3)
                .output) <= 1e-5);
  }
  CHECK(fast::layer_norm(constant(2, 9, 5)).data == constant(2, 9, 0).data);
}

TEST_CASE("fast GELU keeps 1e-5 of each value, also in the tail",
          "[fast][gelu]") {
  fast::Matrix x(1, 40001);
  for (Index i = 0; i < x.cols; ++i)
    x.data[std::size_t(i)] = static_cast<float>(i - 20000) / 1600;
  CHECK(relative_gap(fast::gelu(x), attn::activate(attn::Activation::kGelu,
                                                   doubles(x))) <= 1e-5);
  // The double reference's own 1 + tanh(u) loses its digits below this.
  fast::Matrix near = x;
  for (float& value : near.data) value *= 0.2F;
  CHECK(relative_gap(fast::gelu_tanh(near),
                     attn::activate(attn::Activation::kGeluTanh,
                                    doubles(near))) <= 1e-5);
  for (Index cols = 1; cols <= 9; ++cols) {
    attn::Rng rng(5);
    const auto few = random_floats(rng, 1, cols);
    CHECK(relative_gap(fast::gelu(few), attn::activate(attn::Activation::kGelu,
                                                       doubles(few))) <= 1e-5);
  }
  fast::Matrix ends(1, 4);
  ends.data = {-3e38F, -1e20F, 1e20F, 3e38F};
  const std::vector<float> expected{0, 0, 1e20F, 3e38F};
  CHECK(fast::gelu(ends).data == expected);
  CHECK(fast::gelu_tanh(ends).data == expected);
}

TEST_CASE("fast softmax equals the reference for 200 seeds",
          "[fast][softmax]") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    auto x =
        random_floats(rng, 1 + rng.below(4), 1 + static_cast<Index>(seed) % 37);
    const double temperature = seed % 2 == 0 ? 1 : 0.1;
    const float size = seed % 5 == 0 ? 1e4F : 1;
    for (float& value : x.data)
      value = rng.below(6) == 0 ? -kInfinity : value * size;
    const auto w = fast::softmax_rows(x, temperature);
    CHECK(gap(w, attn::softmax_rows(doubles(x), temperature)) <= 1e-5);
    for (std::size_t i = 0; i < x.data.size(); ++i)
      if (x.data[i] == -kInfinity) CHECK(w.data[i] == 0);
  }
  CHECK(fast::softmax_rows(constant(2, 5, -kInfinity)).data ==
        constant(2, 5, 0).data);
  CHECK(fast::softmax_rows(constant(1, 4, 3e38F)).data ==
        constant(1, 4, 0.25F).data);
}

TEST_CASE("the fast layers refuse with a code", "[fast][error]") {
  const auto x = constant(2, 3, 1);
  const auto bad = constant(2, 3, kNan);
  const fast::Matrix none;
  const auto all = [](ErrorCode code, const fast::Matrix& m) {
    return refuses(code, [&] { fast::linear(m, constant(3, 2, 1)); }) &&
           refuses(code, [&] { fast::layer_norm(m); }) &&
           refuses(code, [&] { fast::gelu(m); }) &&
           refuses(code, [&] { fast::gelu_tanh(m); }) &&
           refuses(code, [&] { fast::softmax_rows(m); });
  };
  fast::Matrix vast;
  vast.rows = vast.cols = 4097;
  CHECK(all(ErrorCode::kNotFinite, bad));
  CHECK(all(ErrorCode::kNotFinite, constant(2, 3, kInfinity)));
  CHECK(all(ErrorCode::kEmptyInput, none));
  CHECK(all(ErrorCode::kTooLarge, vast));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { fast::linear(x, x); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { fast::linear(x, constant(3, 2, 1), {1}); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    fast::linear(constant(4097, 1, 1), constant(1, 4097, 1));
  }));
  CHECK(refuses(ErrorCode::kDiverged, [] {
    fast::linear(constant(1, 2, 1e30F), constant(2, 1, 1e30F));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { fast::linear_gradients(x, constant(3, 2, 1), x); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { fast::layer_norm(x, {1}); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    fast::layer_norm(x, {1, kNan, 1});
  }));
  CHECK(refuses(ErrorCode::kDiverged, [] {
    fast::Matrix m(1, 2);
    m.data = {1e30F, -1e30F};
    fast::layer_norm(m);
  }));
  for (const double epsilon : {0.0, -1.0, double(kNan), double(kInfinity)})
    CHECK(refuses(ErrorCode::kInvalidArgument,
                  [&] { fast::layer_norm(x, {}, {}, epsilon); }));
  for (const double temperature : {0.0, -1.0, double(kNan), double(kInfinity)})
    CHECK(refuses(ErrorCode::kInvalidArgument,
                  [&] { fast::softmax_rows(x, temperature); }));
}
