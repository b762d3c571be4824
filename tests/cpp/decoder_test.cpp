// decoder: the two windows, what leaks through them, and their gradients.
#include <attn/decoder.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>

#include "random.hpp"
#include "refuses.hpp"

using attn::DecoderOptions;
using attn::DecoderWeights;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::Norm;

namespace {

struct Scene {
  Matrix x;
  Matrix memory;
  DecoderWeights weights;
  DecoderOptions options;
};

/// A random layer over n × 4 and m × 3 with random parts on and off.
Scene random_scene(unsigned seed) {
  attn::Rng rng(seed);
  Scene s;
  s.x = random_matrix(rng, 2, 5, 4, 4);
  s.memory = random_matrix(rng, 1, 4, 3, 3);
  s.weights = attn::random_decoder_weights(seed, 4, 3, 5, 2);
  s.weights.network.activation = attn::Activation::kGelu;
  s.options.heads = 2;
  s.options.norm = static_cast<Norm>(rng.below(3));
  s.options.norm_first = rng.below(2) == 1;
  s.options.residual = rng.below(4) != 0;
  s.options.attention = rng.below(4) != 0;
  s.options.network = rng.below(4) != 0;
  s.options.cross = rng.below(4) != 0;
  s.options.epsilon = 1e-2;
  return s;
}

Matrix run(const Scene& s, const Matrix& x, const Matrix& memory) {
  return attn::decoder_layer(x, memory, s.weights, s.options).output;
}

}  // namespace

TEST_CASE("no row sees a later row of its own sequence",
          "[decoder][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const Scene s = random_scene(seed);
    Matrix changed = s.x;
    changed.row(changed.rows() - 1).array() += 3;
    const Index kept = s.x.rows() - 1;
    REQUIRE(run(s, s.x, s.memory).topRows(kept) ==
            run(s, changed, s.memory).topRows(kept));
  }
}

TEST_CASE("with the mask off, the first row does see the last", "[decoder]") {
  Scene s = random_scene(1);
  s.options = DecoderOptions{};
  s.options.heads = 2;
  Matrix changed = s.x;
  changed.row(changed.rows() - 1) = -changed.row(changed.rows() - 1);
  s.options.causal = false;
  CHECK(attn::max_gap(run(s, s.x, s.memory).topRows(1),
                      run(s, changed, s.memory).topRows(1)) > 1e-3);
}

TEST_CASE("the output depends on the encoder through the second window only",
          "[decoder][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Scene s = random_scene(seed);
    const Matrix other = 2 * s.memory;
    s.options.cross = false;
    REQUIRE(run(s, s.x, s.memory) == run(s, s.x, other));
    s.options.cross = true;
    const auto t = attn::decoder_layer(s.x, s.memory, s.weights, s.options);
    const auto& w = t.cross.heads.front().weights;
    REQUIRE(w.rows() == s.x.rows());
    REQUIRE(w.cols() == s.memory.rows());
    REQUIRE(attn::max_gap(t.output, run(s, s.x, other)) > 0);
  }
}

TEST_CASE("shuffling the encoder's rows changes nothing",
          "[decoder][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Scene s = random_scene(seed);
    const Matrix reversed = s.memory.colwise().reverse();
    REQUIRE(attn::max_gap(run(s, s.x, s.memory), run(s, s.x, reversed)) < 1e-9);
  }
}

TEST_CASE("both gradients agree with finite differences",
          "[decoder][gradient]") {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const Scene s = random_scene(seed);
    attn::Rng rng(seed + 1);
    const Matrix g = random_like(rng, s.x);
    const auto exact =
        attn::decoder_layer_backward(s.x, s.memory, s.weights, g, s.options);
    const Matrix by_x = finite_difference(
        s.x, g, [&](const Matrix& x) { return run(s, x, s.memory); });
    const Matrix by_memory = finite_difference(
        s.memory, g, [&](const Matrix& m) { return run(s, s.x, m); });
    REQUIRE(attn::max_gap(exact.d_x, by_x) <
            1e-6 * (1 + by_x.cwiseAbs().maxCoeff()));
    REQUIRE(attn::max_gap(exact.d_memory, by_memory) <
            1e-6 * (1 + by_memory.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("without its window on the encoder it is a causal encoder layer",
          "[decoder][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Scene s = random_scene(seed);
    s.options.cross = false;
    const auto& w = s.weights;
    const Matrix same =
        attn::encoder_layer(
            s.x, {w.attention, w.network, w.attention_norm, w.network_norm},
            s.options)
            .output;
    REQUIRE(run(s, s.x, s.memory) == same);
  }
}

TEST_CASE("a stack keeps every value on the way", "[decoder]") {
  const Scene s = random_scene(2);
  const std::vector<DecoderWeights> layers(3, s.weights);
  const auto values = attn::decoder_stack(s.x, s.memory, layers, s.options);
  REQUIRE(values.size() == 4);
  CHECK(values[0] == s.x);
  CHECK(values[1] == run(s, s.x, s.memory));
  CHECK(values[2] == run(s, values[1], s.memory));
}

TEST_CASE("decoders refuse what does not fit, by code", "[decoder][error]") {
  const Matrix x = Matrix::Ones(2, 4);
  const Matrix memory = Matrix::Ones(3, 3);
  const auto w = attn::random_decoder_weights(1, 4, 3, 5, 2);
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::decoder_layer(x, Matrix(), w); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::decoder_layer(x, Matrix::Ones(3, 2), w); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::decoder_layer(Matrix::Ones(2, 3), memory, w); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::decoder_layer_backward(x, memory, w, Matrix::Ones(1, 4));
  }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::decoder_stack(x, memory, {}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::random_decoder_weights(1, 4, 0, 5, 2); }));
}
