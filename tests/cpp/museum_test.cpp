// museum: every fault differs from the right version in the way its symptom
// says, and nowhere else.
#include <attn/alibi.hpp>
#include <attn/attention.hpp>
#include <attn/encoder.hpp>
#include <attn/layer_norm.hpp>
#include <attn/online_softmax.hpp>
#include <attn/rng.hpp>
#include <attn/rotary.hpp>
#include <attn/sinusoidal.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <cmath>
#include <museum/attention.hpp>
#include <museum/layers.hpp>
#include <museum/positions.hpp>

#include "random.hpp"
#include "refuses.hpp"

using attn::AttentionOptions;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
namespace museum = attn::museum;

namespace {

constexpr double kEqual = 1e-12;

Matrix tokens(std::uint32_t seed, int rows, int cols) {
  attn::Rng rng(seed);
  return random_matrix(rng, rows, rows, cols, cols);
}

AttentionOptions causal(Index offset = 0) {
  AttentionOptions options;
  options.causal = true;
  options.query_offset = offset;
  return options;
}

attn::MultiHeadWeights identity_weights(Index d) {
  const Matrix one = Matrix::Identity(d, d);
  return {one, one, one, one};
}

}  // namespace

TEST_CASE("the wrong axis: columns sum to 1, rows do not", "[museum]") {
  const Matrix scores = tokens(1, 3, 4);
  const Matrix wrong = museum::softmax_over_columns(scores, 2);
  for (Index j = 0; j < 4; ++j)
    CHECK(wrong.col(j).sum() == Approx(1).epsilon(kEqual));
  for (Index i = 0; i < 3; ++i) CHECK(std::abs(wrong.row(i).sum() - 1) > 0.05);
  CHECK(attn::max_gap(wrong, attn::softmax_rows(scores, 2)) > 0.05);
}

TEST_CASE("masked late: the hidden scores keep their share of each row",
          "[museum]") {
  const Matrix x = tokens(2, 4, 3);
  const auto wrong = museum::attention_masked_late(x, x, x, causal());
  const auto right = attn::attention(x, x, x, causal());
  for (Index i = 0; i < 3; ++i) CHECK(wrong.weights.row(i).sum() < 0.999);
  CHECK(attn::max_gap(wrong.weights.row(3), right.weights.row(3)) == 0);
  for (Index i = 0; i < 4; ++i)
    for (Index j = i + 1; j < 4; ++j) CHECK(wrong.weights(i, j) == 0);

  Matrix later = x;
  later.row(3).array() += 1;
  const auto after =
      museum::attention_masked_late(later, later, later, causal());
  CHECK(attn::max_gap(after.output.topRows(3), wrong.output.topRows(3)) > 1e-3);
  CHECK(museum::attention_masked_late(x, x, x).weights ==
        attn::attention(x, x, x).weights);
}

TEST_CASE("minus a billion: a row that sees nothing looks at all alike",
          "[museum]") {
  const Matrix x = tokens(3, 4, 3);
  AttentionOptions options = causal();
  options.mask = attn::padding_mask(4, {false, true, true, true});
  const auto wrong = museum::attention_minus_billion(x, x, x, options);
  const auto right = attn::attention(x, x, x, options);
  REQUIRE(right.fully_masked[0]);
  CHECK(wrong.weights.row(0) == Matrix::Constant(1, 4, 0.25));
  CHECK(right.output.row(0).isZero(0));
  CHECK_FALSE(wrong.output.row(0).isZero(1e-3));
  CHECK(attn::max_gap(wrong.weights.bottomRows(3),
                      right.weights.bottomRows(3)) < kEqual);
}

TEST_CASE("without an offset the newest query sees the oldest keys alone",
          "[museum]") {
  const Matrix x = tokens(4, 5, 3);
  const Matrix q = x.bottomRows(2);
  const auto wrong = museum::attention_without_offset(q, x, x, causal(3));
  const auto right = attn::attention(x, x, x, causal());
  CHECK(wrong.weights(0, 0) == 1);
  CHECK(wrong.weights.row(1).tail(3).isZero(0));
  CHECK(attn::max_gap(attn::attention(q, x, x, causal(3)).weights,
                      right.weights.bottomRows(2)) < kEqual);
  CHECK(museum::attention_without_offset(x, x, x, causal()).weights ==
        right.weights);
}

TEST_CASE("averaged blocks: each block has the same share", "[museum]") {
  const Matrix x = tokens(5, 5, 3);
  const auto wrong = museum::attention_averaged_blocks(x, x, x, 2);
  const auto right = attn::attention(x, x, x);
  for (Index i = 0; i < 5; ++i) {
    CHECK(wrong.weights.row(i).head(2).sum() ==
          Approx(1.0 / 3).epsilon(kEqual));
    CHECK(wrong.weights(i, 4) == Approx(1.0 / 3).epsilon(kEqual));
    std::vector<double> row(5);
    for (Index j = 0; j < 5; ++j)
      row[static_cast<std::size_t>(j)] = right.scores(i, j);
    const auto blocks = attn::blockwise_softmax(row, x, 2);
    for (Index c = 0; c < 3; ++c) {
      const auto place = static_cast<std::size_t>(c);
      CHECK(wrong.output(i, c) ==
            Approx(blocks.averaged_output[place]).margin(kEqual));
      CHECK(right.output(i, c) ==
            Approx(blocks.merged.output[place]).margin(kEqual));
    }
  }
  CHECK(attn::max_gap(wrong.output, right.output) > 1e-3);
  CHECK(attn::max_gap(museum::attention_averaged_blocks(x, x, x, 5).weights,
                      right.weights) < kEqual);
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { museum::attention_averaged_blocks(x, x, x, 0); }));
}

TEST_CASE(
    "the model's width in the scale: scores are too small by the root of "
    "the number of heads",
    "[museum]") {
  const Matrix x = 3 * tokens(6, 4, 8);
  const auto weights = identity_weights(8);
  const auto wrong = museum::multi_head_model_scale(x, weights, 4);
  const auto right = attn::multi_head(x, weights, 4);
  for (std::size_t t = 0; t < 4; ++t)
    CHECK(attn::max_gap(2 * wrong.heads[t].scores, right.heads[t].scores) <
          1e-10);
  CHECK(wrong.entropy.sum() > right.entropy.sum() + 0.1);
  CHECK(attn::max_gap(museum::multi_head_model_scale(x, weights, 1).output,
                      attn::multi_head(x, weights, 1).output) < kEqual);
}

TEST_CASE(
    "2i as a place: even places have sines alone, so the first is nothing",
    "[museum]") {
  const Matrix wrong = museum::sinusoidal_by_parity({0, 1, 2, 3}, 6, 10000);
  const Matrix right = attn::sinusoidal_positions({0, 1, 2, 3}, 6, 10000);
  CHECK(wrong.row(0).isZero(0));
  for (Index p = 0; p < 4; ++p)
    for (Index i = 0; i < 6; i += 2) {
      CHECK(wrong(p, i) == wrong(p, i + 1));
      CHECK(wrong(p, i) == right(p, i + p % 2));
      CHECK(right(p, i) * right(p, i) + right(p, i + 1) * right(p, i + 1) ==
            Approx(1).epsilon(kEqual));
    }
  CHECK(museum::sinusoidal_by_parity({-1}, 2, 1)(0, 0) ==
        Approx(std::cos(1.0)));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { museum::sinusoidal_by_parity({0.5}, 2, 10000); }));
}

TEST_CASE("rotary across heads: a head's scores depend on where they are",
          "[museum]") {
  const Matrix x = tokens(7, 4, 8);
  const attn::Rotary half{attn::RotaryLayout::kHalfSplit};
  const std::vector<double> here{0, 1, 2, 3};
  const std::vector<double> there{5, 6, 7, 8};
  const auto wrong = [&](const std::vector<double>& places) {
    const Matrix head =
        museum::rotate_across_heads(x, places, half).leftCols(4);
    return attn::product(head, attn::transpose(head));
  };
  const auto right = [&](const std::vector<double>& places) {
    const Matrix head = attn::rotate(x.leftCols(4), places, half);
    return attn::product(head, attn::transpose(head));
  };
  CHECK(attn::max_gap(right(here), right(there)) < kEqual);
  CHECK(attn::max_gap(wrong(here), wrong(there)) > 0.05);
}

TEST_CASE(
    "one formula for every number of heads parts from the released slopes",
    "[museum]") {
  using attn::AlibiSlopes;
  for (const Index heads : {1, 2, 4, 8, 16})
    CHECK(museum::alibi_slopes_one_formula(heads) ==
          attn::alibi_slopes(heads, AlibiSlopes::kReleased));
  const auto wrong = museum::alibi_slopes_one_formula(6);
  const auto right = attn::alibi_slopes(6, AlibiSlopes::kReleased);
  CHECK(wrong[0] == Approx(0.3969).margin(5e-5));
  CHECK(right ==
        std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125});
  CHECK(wrong[5] == right[3]);
}

TEST_CASE("the sample variance: rows come out too small", "[museum]") {
  const Matrix x = tokens(8, 3, 4);
  const auto wrong = museum::layer_norm_sample(x);
  const auto right = attn::layer_norm(x);
  for (Index i = 0; i < 3; ++i) {
    CHECK(right.output.row(i).squaredNorm() / 4 == Approx(1).epsilon(1e-3));
    CHECK(wrong.output.row(i).squaredNorm() / 4 == Approx(0.75).epsilon(1e-3));
    CHECK(wrong.variance[static_cast<std::size_t>(i)] * 3 ==
          Approx(right.variance[static_cast<std::size_t>(i)] * 4));
  }
  attn::Affine affine{{2, 2, 2, 2}, {1, 1, 1, 1}};
  CHECK(attn::max_gap(museum::layer_norm_sample(x, affine).output,
                      ((2 * wrong.output).array() + 1).matrix()) < kEqual);
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { museum::layer_norm_sample(Matrix::Ones(2, 1)); }));
}

TEST_CASE("norms swapped: a silent branch does not pass the tokens on",
          "[museum]") {
  const Matrix x = tokens(9, 4, 4);
  attn::EncoderWeights weights;
  weights.attention = identity_weights(4);
  weights.attention.w_o.setZero();
  attn::LayerOptions pre;
  pre.network = false;
  pre.norm_first = true;
  attn::LayerOptions post = pre;
  post.norm_first = false;
  CHECK(attn::encoder_layer(x, weights, pre).output == x);
  const Matrix wrong = museum::encoder_layer_swapped(x, weights, pre).output;
  CHECK(attn::max_gap(wrong, attn::layer_norm(x).output) < kEqual);
  CHECK(museum::encoder_layer_swapped(x, weights, post).output == x);
}

TEST_CASE("padding in the mean: more of it makes the mean smaller",
          "[museum]") {
  const Matrix x = tokens(10, 3, 4);
  Matrix padded(4, 4);
  padded << x, Matrix::Constant(1, 4, 9);
  const Matrix wrong =
      museum::mean_row_padded(padded, {true, true, true, false});
  CHECK(attn::max_gap(wrong, 0.75 * attn::mean_row(x)) < kEqual);
  CHECK(attn::max_gap(museum::mean_row_padded(x, {true, true, true}),
                      attn::mean_row(x)) < kEqual);
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { museum::mean_row_padded(x, {true}); }));
}

TEST_CASE("a fault refuses what the right version refuses", "[museum]") {
  const Matrix x = tokens(11, 3, 4);
  const Matrix narrow = tokens(12, 3, 2);
  const Matrix empty;
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { museum::softmax_over_columns(empty); }));
  for (const auto fault :
       {museum::attention_masked_late, museum::attention_minus_billion,
        museum::attention_without_offset}) {
    CHECK(refuses(ErrorCode::kShapeMismatch, [&] { fault(x, narrow, x, {}); }));
    CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
      AttentionOptions options;
      options.mask = attn::causal_mask(2, 3);
      fault(x, x, x, options);
    }));
  }
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    museum::multi_head_model_scale(x, identity_weights(4), 3);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { museum::alibi_slopes_one_formula(0); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { museum::rotate_across_heads(x, {0}, {}); }));
}
