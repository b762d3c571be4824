// matching: the Hungarian algorithm against vectors 14 and brute force, the
// greedy trap, the price that DETR puts on a pair.
#include <algorithm>
#include <attn/error.hpp>
#include <attn/matching.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>
#include <numeric>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::Assignment;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::matrix;

namespace {

void check_pairs(const Assignment& a, const attn::vectors::json& want) {
  REQUIRE(a.pairs.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    CHECK(a.pairs[i].row == want.at(i).at(0).get<int>());
    CHECK(a.pairs[i].col == want.at(i).at(1).get<int>());
  }
}

double cheapest_by_trying_all(const Matrix& cost) {
  if (cost.rows() > cost.cols())
    return cheapest_by_trying_all(cost.transpose());
  std::vector<Index> order(static_cast<size_t>(cost.cols()));
  std::iota(order.begin(), order.end(), 0);
  double best = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (Index i = 0; i < cost.rows(); ++i)
      sum += cost(i, order[static_cast<size_t>(i)]);
    best = std::min(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

}  // namespace

TEST_CASE("the cheapest matching and the greedy one, as worked by hand",
          "[matching][vectors]") {
  for (const char* id : {"3x3", "4x4", "greedy_is_not_optimal"}) {
    const auto c = load("14_hungarian", id);
    const Matrix cost = matrix(c.input.at("cost"));
    const Assignment best = attn::match_pairs(cost);
    check_close(best.cost, c.expected.at("min_cost"), c.tolerance);
    check_pairs(best, c.expected.at("assignment_row_col"));
    const Assignment hurried = attn::match_greedily(cost);
    check_close(hurried.cost, c.expected.at("greedy_cost"), c.tolerance);
    check_pairs(hurried, c.expected.at("greedy_assignment"));
  }
}

TEST_CASE("DETR's cost of 4 queries for 2 targets", "[matching][vectors]") {
  const auto c = load("14_hungarian", "detr_cost_4_queries_2_targets");
  const auto d =
      attn::detr_cost(matrix(c.input.at("pred_boxes_cxcywh")),
                      matrix(c.input.at("pred_probs_last_is_no_object")),
                      matrix(c.input.at("target_boxes")),
                      c.input.at("target_labels").get<std::vector<int>>());
  check_close(d.l1, c.expected.at("l1"), c.tolerance);
  check_close(d.iou, c.expected.at("iou"), c.tolerance);
  check_close(d.giou, c.expected.at("giou"), c.tolerance);
  check_close(d.cost, c.expected.at("cost"), c.tolerance);
  const Assignment a = attn::match_pairs(d.cost);
  check_close(a.cost, c.expected.at("min_cost"), c.tolerance);
  check_pairs(a, c.expected.at("assignment_query_target"));
  CHECK(c.expected.at("unmatched_queries_are_no_object").size() ==
        4 - a.pairs.size());
}

TEST_CASE("the matching is as cheap as trying every one, tall or wide",
          "[matching][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    Matrix cost = random_matrix(rng, 1, 6, 1, 6);
    if (seed % 3 == 0)  // many ties
      cost = cost.unaryExpr([](double v) { return std::round(v); });
    const Assignment a = attn::match_pairs(cost);
    REQUIRE(a.pairs.size() ==
            static_cast<size_t>(std::min(cost.rows(), cost.cols())));
    REQUIRE(a.cost == Approx(cheapest_by_trying_all(cost)).margin(1e-9));
    REQUIRE(attn::match_greedily(cost).cost >= a.cost - 1e-9);
    REQUIRE(attn::match_pairs(cost.transpose()).cost ==
            Approx(a.cost).margin(1e-9));
  }
}

TEST_CASE("adding to a whole row moves the price, not the choice",
          "[matching][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    attn::Rng rng(seed);
    const Matrix cost = random_matrix(rng, 2, 5, 5, 7);
    Matrix moved = cost;
    moved.row(0).array() += 100;
    const Assignment a = attn::match_pairs(cost);
    const Assignment b = attn::match_pairs(moved);
    REQUIRE(b.cost - a.cost == Approx(100));
    for (size_t i = 0; i < a.pairs.size(); ++i)
      REQUIRE(a.pairs[i].col == b.pairs[i].col);
  }
}

TEST_CASE("a box fully overlaps itself and is worse than disjoint far away",
          "[matching]") {
  Matrix box(1, 4);
  box << 0.5, 0.5, 0.2, 0.2;
  Matrix far(1, 4);
  far << 5, 5, 0.2, 0.2;
  const Matrix p = Matrix::Ones(1, 1);
  CHECK(attn::detr_cost(box, p, box, {0}).giou(0, 0) == Approx(1));
  CHECK(attn::detr_cost(box, p, far, {0}).giou(0, 0) < -0.9);
}

TEST_CASE("a hundred by a hundred is matched at once", "[matching]") {
  attn::Rng rng(3);
  const Matrix cost = random_matrix(rng, 100, 100, 100, 100);
  CHECK(attn::match_pairs(cost).cost <= attn::match_greedily(cost).cost);
}

TEST_CASE("costs that cannot be matched are refused by code",
          "[matching][error]") {
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::match_pairs(Matrix()); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] {
    attn::match_pairs(
        Matrix::Constant(1, 1, std::numeric_limits<double>::infinity()));
  }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::match_pairs(Matrix::Zero(2049, 2048)); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::match_pairs(Matrix::Constant(2, 2, -1e308)); }));
  const Matrix box = Matrix::Ones(1, 4);
  const Matrix p = Matrix::Ones(1, 2);
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::detr_cost(Matrix::Ones(1, 3), p, box, {0}); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::detr_cost(box, p, box, {}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::detr_cost(box, p, box, {2}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::detr_cost(Matrix::Zero(1, 4), p, box, {0}); }));
}
