// convolution: against a dense matrix, and the reach of stacks measured by
// sending an impulse through them.
#include <attn/convolution.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cstdlib>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

namespace v = attn::vectors;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::Padding;

namespace {

struct Drawn {
  Matrix x;
  Matrix kernel;
  Index taps;
  Index dilation;
  Padding padding;
};

Drawn draw(std::uint32_t seed) {
  attn::Rng rng(seed);
  const auto padding = seed % 2 == 0 ? Padding::kCausal : Padding::kCentred;
  const Index taps =
      padding == Padding::kCentred ? 1 + 2 * rng.below(3) : 1 + rng.below(5);
  const Matrix x = random_matrix(rng, 1, 14, 1, 3);
  const auto rows = static_cast<int>(taps * x.cols());
  const Matrix kernel = random_matrix(rng, rows, rows, 1, 3);
  return {x, kernel, taps, 1 + rng.below(4), padding};
}

Matrix apply(const Drawn& c, const Matrix& x) {
  return attn::convolution(x, c.kernel, c.taps, c.dilation, c.padding);
}

// The same layer as one (n·m) × (n·d) matrix on the flattened input.
Matrix by_dense_matrix(const Drawn& c) {
  const Index n = c.x.rows();
  const Index m = c.x.cols();
  const Index d = c.kernel.cols();
  const Index middle =
      c.padding == Padding::kCausal ? c.taps - 1 : (c.taps - 1) / 2;
  Matrix dense = Matrix::Zero(n * m, n * d);
  for (Index from = 0; from < n; ++from)
    for (Index to = 0; to < n; ++to) {
      const Index gap = from - to;
      const Index tap = gap / c.dilation + middle;
      if (gap % c.dilation != 0 || tap < 0 || tap >= c.taps) continue;
      dense.block(from * m, to * d, m, d) = c.kernel.block(tap * m, 0, m, d);
    }
  const Matrix flat = Eigen::Map<const Matrix>(c.x.data(), 1, n * m);
  const Matrix y = attn::product(flat, dense);
  return Eigen::Map<const Matrix>(y.data(), n, d);
}

// Layers of ones until an impulse is felt `distance` places on, which may be
// below 0; there is room on both sides for a detour.
std::int64_t measured_layers(Index distance, Index taps, Padding padding,
                             bool dilated) {
  const Index room = std::abs(distance);
  const Index from = distance < 0 ? 2 * room : room;
  Matrix y = Matrix::Zero(3 * room + 1, 1);
  y(from, 0) = 1;
  std::int64_t layers = 0;
  for (Index dilation = 1; y(from + distance, 0) == 0; ++layers) {
    y = attn::convolution(y, Matrix::Ones(taps, 1), taps, dilation, padding);
    if (dilated) dilation *= taps;
  }
  return layers;
}

}  // namespace

TEST_CASE("a causal kernel reads the token and its past", "[convolution]") {
  Matrix x(4, 1);
  x << 1, 2, 3, 4;
  Matrix kernel(2, 1);
  kernel << 10, 1;
  Matrix y(4, 1);
  y << 1, 12, 23, 34;
  CHECK(attn::convolution(x, kernel, 2, 1, Padding::kCausal) == y);
  y << 1, 2, 13, 24;
  CHECK(attn::convolution(x, kernel, 2, 2, Padding::kCausal) == y);
  Matrix three(3, 1);
  three << 100, 10, 1;
  y << 12, 123, 234, 340;
  CHECK(attn::convolution(x, three, 3, 1, Padding::kCentred) == y);
}

TEST_CASE("layers needed over 3000 tokens, as the vector counts them",
          "[convolution]") {
  const auto c = v::load("19_rnn_chain", "path_lengths");
  const std::int64_t far = c.input["n"].get<std::int64_t>() - 1;
  const std::int64_t taps = c.input["conv_k"];
  CHECK(attn::contiguous_layers(far, taps, Padding::kCausal) ==
        c.expected["conv_causal_contiguous_layers"]);
  CHECK(attn::contiguous_layers(far, taps, Padding::kCentred) ==
        c.expected["conv_centred_contiguous_layers"]);
  CHECK(attn::dilated_layers(far, taps, Padding::kCausal) ==
        c.expected["conv_dilated_layers_log_k_n"]);
}

TEST_CASE("exact powers need no extra layer: 3^8 = 6561 tokens take 8",
          "[convolution]") {
  CHECK(attn::dilated_layers(6560, 3, Padding::kCausal) == 8);
  CHECK(attn::dilated_layers(6561, 3, Padding::kCausal) == 9);
  CHECK(attn::dilated_layers(3280, 3, Padding::kCentred) == 8);
  CHECK(attn::dilated_layers(3281, 3, Padding::kCentred) == 9);
  CHECK(attn::dilated_layers(std::int64_t{1} << 52, 2, Padding::kCausal) == 53);
  CHECK(attn::receptive_field(3, attn::full_dilations(3, 8)) == 6561);
}

TEST_CASE("for 1000 random layers the dense matrix gives the same",
          "[convolution][property]") {
  double worst = 0;
  double linear = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Drawn c = draw(seed);
    const Matrix y = apply(c, c.x);
    worst = std::max(worst, attn::max_gap(y, by_dense_matrix(c)));

    attn::Rng rng(seed + 7000);
    const Matrix other = random_like(rng, c.x);
    linear = std::max(linear, attn::max_gap(apply(c, 2 * c.x - 3 * other),
                                            2 * y - 3 * apply(c, other)));
  }
  CHECK(worst < 1e-13);
  CHECK(linear < 1e-12);
}

TEST_CASE("for 1000 random causal layers no future leaks, and shifts commute",
          "[convolution][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Drawn c = draw(2 * seed);
    const Matrix y = apply(c, c.x);
    const Index n = c.x.rows();
    Matrix changed = c.x;
    changed.row(n - 1).setConstant(99);
    REQUIRE(apply(c, changed).topRows(n - 1) == y.topRows(n - 1));

    Matrix later = Matrix::Zero(n + 2, c.x.cols());
    later.bottomRows(n) = c.x;
    REQUIRE(apply(c, later).bottomRows(n) == y);
  }
}

TEST_CASE("for 1000 random distances an impulse takes the layers computed",
          "[convolution][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index distance = rng.below(80);
    const Index odd = 3 + 2 * rng.below(3);
    const Index any = 2 + rng.below(5);
    for (const bool dilated : {false, true}) {
      const auto layers =
          dilated ? attn::dilated_layers : attn::contiguous_layers;
      REQUIRE(layers(distance, any, Padding::kCausal) ==
              measured_layers(distance, any, Padding::kCausal, dilated));
      REQUIRE(layers(distance, odd, Padding::kCentred) ==
              measured_layers(distance, odd, Padding::kCentred, dilated));
      REQUIRE(layers(distance, odd, Padding::kCentred) ==
              measured_layers(-distance, odd, Padding::kCentred, dilated));
    }
  }
}

TEST_CASE("for 1000 random stacks the receptive field is what inputs count",
          "[convolution][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index taps = 2 + rng.below(3);
    const Index layers = 1 + rng.below(3);
    std::vector<std::int64_t> dilations;
    for (Index l = 0; l < layers; ++l) dilations.push_back(1 + rng.below(4));
    const auto measure = [&](const std::vector<std::int64_t>& stack,
                             bool whole) {
      Matrix y = Matrix::Zero(100, 1);
      y(0, 0) = 1;
      for (const auto dilation : stack)
        y = attn::convolution(y, Matrix::Ones(taps, 1), taps,
                              static_cast<Index>(dilation), Padding::kCausal);
      Index last = 0;
      Index felt = 0;
      for (Index i = 0; i < y.rows(); ++i)
        if (y(i, 0) != 0) {
          last = i;
          ++felt;
        }
      return whole ? felt : last + 1;
    };
    REQUIRE(attn::receptive_field(taps, dilations) ==
            measure(dilations, false));
    const auto full = attn::full_dilations(taps, layers);
    REQUIRE(attn::receptive_field(taps, full) == measure(full, false));
    REQUIRE(measure(full, true) == measure(full, false));
  }
}

TEST_CASE("convolution refuses by code", "[convolution][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const auto causal = Padding::kCausal;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix x = Matrix::Ones(3, 2);
  const Matrix kernel = Matrix::Ones(4, 1);
  CHECK_NOTHROW(attn::convolution(x, kernel, 2, 1 << 22, causal));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::convolution(x, kernel, 3, 1, causal); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::convolution(x, kernel, 1, 1, causal); }));
  CHECK(refuses(invalid, [&] { attn::convolution(x, kernel, 0, 1, causal); }));
  CHECK(refuses(invalid, [&] { attn::convolution(x, kernel, 2, 0, causal); }));
  CHECK(refuses(
      invalid, [&] { attn::convolution(x, kernel, 2, 1, Padding::kCentred); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::convolution(Matrix(), kernel, 2, 1, causal); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::convolution(x, Matrix(), 2, 1, causal); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::convolution(x * nan, kernel, 2, 1, causal); }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    attn::convolution(x * 1e200, kernel * 1e200, 2, 1, causal);
  }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::convolution(Matrix::Ones(4096, 1), Matrix::Ones(1, 4096), 1, 1,
                      Padding::kCausal);
  }));
  const std::int64_t huge = std::int64_t{1} << 53;
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::receptive_field(3, {}); }));
  CHECK(refuses(invalid, [] { attn::receptive_field(3, {0}); }));
  CHECK(refuses(invalid, [] { attn::receptive_field(0, {1}); }));
  CHECK(
      refuses(ErrorCode::kTooLarge, [&] { attn::receptive_field(3, {huge}); }));
  CHECK(refuses(invalid, [] { attn::full_dilations(1, 2); }));
  CHECK(refuses(invalid, [] { attn::full_dilations(2, 0); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] { attn::full_dilations(3, 40); }));
  CHECK(refuses(invalid, [&] { attn::contiguous_layers(-1, 3, causal); }));
  CHECK(refuses(invalid, [&] { attn::contiguous_layers(1, 1, causal); }));
  CHECK(refuses(invalid,
                [] { attn::contiguous_layers(1, 4, Padding::kCentred); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::contiguous_layers(huge + 1, 3, causal); }));
  CHECK(refuses(invalid, [&] { attn::dilated_layers(-1, 3, causal); }));
  CHECK(
      refuses(invalid, [] { attn::dilated_layers(1, 4, Padding::kCentred); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::dilated_layers(huge, 3, causal); }));
}
