// mask: who may look at whom, and what hiding does before and after softmax.
#include <attn/error.hpp>
#include <attn/mask.hpp>
#include <attn/rng.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Mask;
using attn::Matrix;

TEST_CASE("the causal mask leaves n(n+1)/2 pairs", "[mask]") {
  const auto c = attn::vectors::load("03_causal_mask", "visible_pairs");
  const auto& n = c.input.at("n");
  for (std::size_t i = 0; i < n.size(); ++i)
    CHECK(attn::causal_pairs(n[i]) ==
          c.expected.at("pairs")[i].get<std::int64_t>());
  for (int size = 1; size <= 20; ++size)
    CHECK(attn::visible_pairs(attn::causal_mask(size, size)) ==
          attn::causal_pairs(size));
}

TEST_CASE("a query offset moves the triangle: the last rows of a longer one",
          "[mask]") {
  const Mask whole = attn::causal_mask(7, 7);
  CHECK(attn::causal_mask(3, 7, 4) == whole.bottomRows(3));
  CHECK(attn::visible_pairs(attn::causal_mask(2, 5, 9)) == 10);
}

TEST_CASE("padding hides whole columns and combines with the triangle",
          "[mask]") {
  const Mask padding = attn::padding_mask(3, {true, true, false});
  Mask expected(3, 3);
  expected << true, true, false, true, true, false, true, true, false;
  CHECK(padding == expected);
  const Mask both = attn::combined_mask(padding, attn::causal_mask(3, 3));
  expected(0, 1) = false;
  CHECK(both == expected);
  CHECK(attn::combined_mask(Mask(), padding) == padding);
  CHECK(attn::combined_mask(padding, Mask()) == padding);
}

TEST_CASE("hidden scores become minus infinity, the others stay", "[mask]") {
  Matrix scores(2, 2);
  scores << 1, 2, 3, 4;
  Matrix expected = scores;
  expected(0, 1) = -std::numeric_limits<double>::infinity();
  CHECK(attn::masked_scores(scores, attn::causal_mask(2, 2)) == expected);
  CHECK(attn::masked_scores(scores, Mask()) == scores);
}

TEST_CASE(
    "zeroing weights after softmax loses part of the row and lets the "
    "hidden scores speak",
    "[mask]") {
  Matrix scores = Matrix::Zero(2, 2);
  const Mask mask = attn::causal_mask(2, 2);
  const Matrix before = attn::zeroed_weights(attn::softmax_rows(scores), mask);
  CHECK(before(0, 0) == 0.5);
  CHECK(before(0, 1) == 0);
  scores(0, 1) = 5;
  const Matrix after = attn::zeroed_weights(attn::softmax_rows(scores), mask);
  CHECK(after(0, 0) != before(0, 0));
  CHECK(attn::softmax_rows(attn::masked_scores(scores, mask))(0, 0) == 1);
}

TEST_CASE(
    "for 1000 seeds: combining is intersection and a masked place has "
    "weight exactly 0",
    "[mask][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix scores = random_matrix(rng, 1, 6, 1, 6);
    const auto draw = [&] {
      return Mask((random_like(rng, scores).array() > 0).matrix());
    };
    const Mask a = draw();
    const Mask b = draw();
    const Mask both = attn::combined_mask(a, b);
    const Matrix weights =
        attn::softmax_rows(attn::masked_scores(scores, both));
    bool holds = both == attn::combined_mask(b, a);
    for (attn::Index i = 0; i < a.rows(); ++i)
      for (attn::Index j = 0; j < a.cols(); ++j)
        holds = holds && both(i, j) == (a(i, j) && b(i, j)) &&
                (weights(i, j) > 0) == both(i, j);
    INFO("seed " << seed);
    CHECK(holds);
  }
}

TEST_CASE("masks that fit nothing are refused with a code", "[mask][error]") {
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::causal_mask(0, 3); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::causal_mask(2, 3, -1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::causal_mask(1000000000, 1000000000); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::padding_mask(2, {}); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [] {
    attn::combined_mask(attn::causal_mask(2, 3), attn::causal_mask(3, 2));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [] {
    attn::masked_scores(Matrix::Zero(2, 2), attn::causal_mask(2, 3));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [] {
    attn::zeroed_weights(Matrix::Zero(2, 2), attn::causal_mask(2, 3));
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::visible_pairs(Mask()); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] { attn::causal_pairs(0); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::causal_pairs(std::int64_t{1} << 27U); }));
  CHECK(attn::causal_pairs((std::int64_t{1} << 27U) - 1) == 9007199187632128);
}
