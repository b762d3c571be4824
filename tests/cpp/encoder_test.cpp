// encoder: a layer from parts, its gradient, stacks, and the collapse of rows
// without the residual path (vectors 22).
#include <attn/attention.hpp>
#include <attn/cost.hpp>
#include <attn/encoder.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::EncoderWeights;
using attn::ErrorCode;
using attn::Index;
using attn::LayerOptions;
using attn::Matrix;
using attn::Norm;
using attn::vectors::check_close;
using attn::vectors::load;

namespace {

/// One head whose projections change nothing.
EncoderWeights identity_weights(Index d) {
  const Matrix one = Matrix::Identity(d, d);
  EncoderWeights w;
  w.attention = {one, one, one, one};
  return w;
}

std::vector<double> spreads(const LayerOptions& options, Index d, int layers,
                            const Matrix& x) {
  const std::vector<EncoderWeights> stack(static_cast<size_t>(layers),
                                          identity_weights(d));
  std::vector<double> out;
  for (const Matrix& m : attn::encoder_stack(x, stack, options))
    out.push_back(attn::row_spread(m));
  return out;
}

void check_spreads(const std::vector<double>& got,
                   const attn::vectors::json& want, double tolerance) {
  REQUIRE(got.size() == want.size());
  for (size_t l = 0; l < got.size(); ++l) {
    INFO("layer " << l);
    // From the sixth layer on, pure attention is at the level of rounding.
    if (want.at(l).get<double>() < 1e-6)
      CHECK(got[l] < 1e-6);
    else
      check_close(got[l], want.at(l), tolerance);
  }
}

LayerOptions random_options(attn::Rng& rng) {
  LayerOptions o;
  o.heads = 1 + rng.below(2);
  o.norm = static_cast<Norm>(rng.below(3));
  o.norm_first = rng.below(2) == 1;
  o.residual = rng.below(4) != 0;
  o.attention = rng.below(4) != 0;
  o.network = rng.below(4) != 0;
  o.causal = rng.below(2) == 1;
  o.epsilon = 1e-2;
  return o;
}

}  // namespace

TEST_CASE("rows collapse without the residual path and not with it",
          "[encoder][vectors]") {
  const auto c = load("22_rank_collapse", "residual_to_mean_row");
  const Index d = c.input.at("d");
  const int layers = c.input.at("layers");
  attn::Rng rng(c.input.at("seed"));
  const Matrix x = attn::normal_matrix(rng, c.input.at("n"), d);
  LayerOptions o;
  o.network = false;
  o.norm = Norm::kNone;
  o.residual = false;
  check_spreads(spreads(o, d, layers, x), c.expected.at("pure_attention"),
                c.tolerance);
  o.residual = true;
  check_spreads(spreads(o, d, layers, x), c.expected.at("with_skip"),
                c.tolerance);
  o.norm = Norm::kLayerNorm;
  check_spreads(spreads(o, d, layers, x),
                c.expected.at("with_skip_and_post_ln"), c.tolerance);
}

TEST_CASE("a layer with every part off passes its input on", "[encoder]") {
  attn::Rng rng(1);
  const Matrix x = random_matrix(rng, 3, 3, 4, 4);
  LayerOptions o;
  o.attention = o.network = false;
  CHECK(attn::encoder_layer(x, identity_weights(4), o).output == x);
}

TEST_CASE(
    "post-norm leaves normal rows, pre-norm leaves the residual path free",
    "[encoder]") {
  attn::Rng rng(2);
  const Matrix x = random_matrix(rng, 5, 5, 8, 8);
  const auto w = attn::random_encoder_weights(3, 8, 16, 2);
  LayerOptions o;
  o.heads = 2;
  const Matrix post = attn::encoder_layer(x, w, o).output;
  for (Index i = 0; i < post.rows(); ++i)
    CHECK(post.row(i).squaredNorm() / 8 == Approx(1).epsilon(1e-4));
  o.norm_first = true;
  const auto t = attn::encoder_layer(x, w, o);
  CHECK(attn::max_gap(t.output, x + t.attention.output + t.network.output) <
        1e-12);
}

TEST_CASE("a layer moves its rows with the tokens, unless it is causal",
          "[encoder][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 2, 5, 4, 4);
    const auto w = attn::random_encoder_weights(seed, 4, 6, 2);
    LayerOptions o = random_options(rng);
    o.causal = false;
    Matrix reversed = x.colwise().reverse();
    const Matrix y = attn::encoder_layer(x, w, o).output;
    const Matrix z = attn::encoder_layer(reversed, w, o).output;
    REQUIRE(attn::max_gap(y.colwise().reverse(), z) < 1e-9);
  }
}

TEST_CASE("a causal stack's first row knows nothing of the others",
          "[encoder][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 2, 5, 4, 4);
    Matrix changed = random_like(rng, x);
    changed.row(0) = x.row(0);
    LayerOptions o = random_options(rng);
    o.causal = true;
    const std::vector<EncoderWeights> stack{
        attn::random_encoder_weights(seed, 4, 6, 2),
        attn::random_encoder_weights(seed + 1, 4, 6, 2)};
    REQUIRE(attn::encoder_stack(x, stack, o).back().row(0) ==
            attn::encoder_stack(changed, stack, o).back().row(0));
  }
}

TEST_CASE("the gradient through a layer agrees with finite differences",
          "[encoder][gradient]") {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 4, 4, 4);
    auto w = attn::random_encoder_weights(seed, 4, 5, 2);
    w.network.activation = attn::Activation::kGelu;
    const LayerOptions o = random_options(rng);
    const Matrix g = random_like(rng, x);
    const Matrix numeric = finite_difference(x, g, [&](const Matrix& v) {
      return attn::encoder_layer(v, w, o).output;
    });
    const Matrix exact = attn::encoder_layer_backward(x, w, g, o);
    REQUIRE(attn::max_gap(exact, numeric) <
            1e-6 * (1 + numeric.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE(
    "gradient norms end with the gradient given and begin with the input's",
    "[encoder][gradient]") {
  attn::Rng rng(4);
  const Matrix x = random_matrix(rng, 4, 4, 4, 4);
  const Matrix g = random_like(rng, x);
  std::vector<EncoderWeights> stack;
  for (unsigned l = 0; l < 6; ++l)
    stack.push_back(attn::random_encoder_weights(l + 1, 4, 8, 1));
  LayerOptions o;
  o.norm_first = true;
  const auto norms = attn::encoder_gradient_norms(x, stack, g, o);
  REQUIRE(norms.size() == 7);
  CHECK(norms.back() == Approx(g.norm()));
  const Matrix numeric = finite_difference(x, g, [&](const Matrix& v) {
    return attn::encoder_stack(v, stack, o).back();
  });
  CHECK(norms.front() == Approx(numeric.norm()).epsilon(1e-5));
}

TEST_CASE("the numbers that a layer holds are as many as the counter says",
          "[encoder][cost]") {
  for (const Index d : {4, 8}) {
    auto w = attn::random_encoder_weights(1, d, 3 * d, 2);
    const auto sized = [](Index n) {
      return std::vector<double>(static_cast<size_t>(n), 0);
    };
    w.network.b1 = sized(3 * d);
    w.network.b2 = sized(d);
    w.attention_norm = w.network_norm = {sized(d), sized(d)};
    const auto& a = w.attention;
    const auto& f = w.network;
    const auto count = a.w_q.size() + a.w_k.size() + a.w_v.size() +
                       a.w_o.size() + f.w1.size() + f.w2.size() +
                       static_cast<Index>(f.b1.size() + f.b2.size() +
                                          2 * w.attention_norm.gamma.size() +
                                          2 * w.network_norm.gamma.size());
    const double attention_biases = 4 * static_cast<double>(d);
    CHECK(static_cast<double>(count) + attention_biases ==
          attn::stack_layer_parameters(
              {1, static_cast<double>(d), 3 * static_cast<double>(d)}));
  }
}

TEST_CASE("equal rows have no spread, opposite ones have all of it",
          "[encoder]") {
  CHECK(attn::row_spread(Matrix::Ones(3, 2)) == Approx(0).margin(1e-15));
  CHECK(attn::row_spread(Matrix::Zero(2, 2)) == 0);
  Matrix opposite(2, 1);
  opposite << 1, -1;
  CHECK(attn::row_spread(opposite) == 1);
}

TEST_CASE("layers refuse what does not fit, by code", "[encoder][error]") {
  const Matrix x = Matrix::Ones(2, 4);
  const auto w = attn::random_encoder_weights(1, 4, 6, 2);
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::encoder_layer(Matrix::Ones(2, 3), w); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::encoder_layer(Matrix(), w); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::encoder_layer(x * std::numeric_limits<double>::infinity(), w);
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    auto narrow = w;
    narrow.network.w2 = Matrix::Ones(6, 3);
    attn::encoder_layer(x, narrow);
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [&] { attn::encoder_stack(x, {}); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::encoder_layer_backward(x, w, Matrix::Ones(1, 4));
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::random_encoder_weights(1, 4, 8, 3); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::random_encoder_weights(1, 4096, 1 << 20, 1); }));
}
