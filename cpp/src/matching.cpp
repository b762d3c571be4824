#include <algorithm>
#include <attn/error.hpp>
#include <attn/matching.hpp>
#include <cmath>
#include <limits>
#include <string>

namespace attn {
namespace {

/// Sums and differences of a few such costs stay finite, so the search ends.
constexpr double kCostLimit = 1e100;

void require_cost(const Matrix& cost) {
  require_valid("cost", cost);
  for (Index i = 0; i < cost.rows(); ++i)
    for (Index j = 0; j < cost.cols(); ++j)
      if (std::abs(cost(i, j)) > kCostLimit)
        throw Error(ErrorCode::kInvalidArgument, "cost is over 1e100");
}

Assignment assignment(const Matrix& cost, std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return a.row < b.row; });
  Assignment a{std::move(pairs), 0};
  for (const Pair& p : a.pairs) a.cost += cost(p.row, p.col);
  return a;
}

/// The columns 0 … m of the search, column 0 being a fictitious start: for
/// each, which row holds it, its potential, and the cheapest way to reach it.
struct Search {
  Search(size_t n, size_t m)
      : row_of(m + 1, 0), u(n + 1, 0), v(m + 1, 0), from(m + 1, 0) {}
  std::vector<size_t> row_of;
  std::vector<double> u;
  std::vector<double> v;
  std::vector<size_t> from;
};

/// Finds the cheapest path from the start to a free column and returns that
/// column; `cost(row, column)` counts from 1.
template <class Cost>
size_t cheapest_free_column(Search& s, size_t m, const Cost& cost) {
  std::vector<double> distance(m + 1, std::numeric_limits<double>::infinity());
  std::vector<bool> done(m + 1, false);
  size_t column = 0;
  while (s.row_of[column] != 0 || column == 0) {
    done[column] = true;
    const size_t row = s.row_of[column];
    size_t next = 0;
    double least = std::numeric_limits<double>::infinity();
    for (size_t j = 1; j <= m; ++j) {
      if (done[j]) continue;
      const double reduced = cost(row, j) - s.u[row] - s.v[j];
      if (reduced < distance[j]) {
        distance[j] = reduced;
        s.from[j] = column;
      }
      if (distance[j] < least) {
        least = distance[j];
        next = j;
      }
    }
    for (size_t j = 0; j <= m; ++j) {
      if (done[j]) {
        s.u[s.row_of[j]] += least;
        s.v[j] -= least;
      } else {
        distance[j] -= least;
      }
    }
    column = next;
  }
  return column;
}

/// For n ≤ m: the column of each of the n rows.
template <class Cost>
std::vector<size_t> match_rows(size_t n, size_t m, const Cost& cost) {
  Search s(n, m);
  for (size_t row = 1; row <= n; ++row) {
    s.row_of[0] = row;
    size_t column = cheapest_free_column(s, m, cost);
    while (column != 0) {
      s.row_of[column] = s.row_of[s.from[column]];
      column = s.from[column];
    }
  }
  std::vector<size_t> column_of(n + 1, 0);
  for (size_t j = 1; j <= m; ++j) column_of[s.row_of[j]] = j;
  return column_of;
}

struct Box {
  double left, top, right, bottom;
  [[nodiscard]] double area() const { return (right - left) * (bottom - top); }
};

Box corners(const Matrix& boxes, Index i) {
  const double w = boxes(i, 2) / 2;
  const double h = boxes(i, 3) / 2;
  return {boxes(i, 0) - w, boxes(i, 1) - h, boxes(i, 0) + w, boxes(i, 1) + h};
}

void check_boxes(const char* name, const Matrix& boxes) {
  require_valid(name, boxes);
  if (boxes.cols() != 4)
    throw Error(
        ErrorCode::kShapeMismatch,
        std::string(name) + " is " + shape(boxes) + " but a box has 4 numbers");
  for (Index i = 0; i < boxes.rows(); ++i)
    if (!(boxes(i, 2) > 0) || !(boxes(i, 3) > 0))
      throw Error(
          ErrorCode::kInvalidArgument,
          "row " + std::to_string(i + 1) + " of " + name + " has no area");
}

struct Overlap {
  double iou, giou;
};

// #region overlap
Overlap overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const double shared = std::max(0.0, width) * std::max(0.0, height);
  const double both = a.area() + b.area() - shared;
  const Box hull{std::min(a.left, b.left), std::min(a.top, b.top),
                 std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
  const double iou = shared / both;
  return {iou, iou - (hull.area() - both) / hull.area()};
}
// #endregion overlap

}  // namespace

Assignment match_pairs(const Matrix& cost) {
  require_cost(cost);
  const auto rows = static_cast<size_t>(cost.rows());
  const auto cols = static_cast<size_t>(cost.cols());
  const auto at = [&](size_t i, size_t j) {
    return cost(static_cast<Index>(i - 1), static_cast<Index>(j - 1));
  };
  std::vector<Pair> pairs;
  if (rows <= cols) {
    const auto column_of = match_rows(rows, cols, at);
    for (size_t i = 1; i <= rows; ++i)
      pairs.push_back(
          {static_cast<int>(i - 1), static_cast<int>(column_of[i] - 1)});
  } else {
    const auto row_of =
        match_rows(cols, rows, [&](size_t j, size_t i) { return at(i, j); });
    for (size_t j = 1; j <= cols; ++j)
      pairs.push_back(
          {static_cast<int>(row_of[j] - 1), static_cast<int>(j - 1)});
  }
  return assignment(cost, std::move(pairs));
}

// #region match_greedily
Assignment match_greedily(const Matrix& cost) {
  require_cost(cost);
  std::vector<Pair> all;
  for (int i = 0; i < cost.rows(); ++i)
    for (int j = 0; j < cost.cols(); ++j) all.push_back({i, j});
  std::stable_sort(all.begin(), all.end(), [&](const Pair& a, const Pair& b) {
    return cost(a.row, a.col) < cost(b.row, b.col);
  });
  std::vector<bool> row_used(static_cast<size_t>(cost.rows()), false);
  std::vector<bool> col_used(static_cast<size_t>(cost.cols()), false);
  std::vector<Pair> pairs;
  for (const Pair& p : all) {
    const auto r = static_cast<size_t>(p.row);
    const auto c = static_cast<size_t>(p.col);
    if (row_used[r] || col_used[c]) continue;
    row_used[r] = col_used[c] = true;
    pairs.push_back(p);
  }
  return assignment(cost, std::move(pairs));
}
// #endregion match_greedily

DetrCost detr_cost(const Matrix& boxes, const Matrix& probabilities,
                   const Matrix& targets, const std::vector<int>& labels,
                   const DetrWeights& weights) {
  check_boxes("boxes", boxes);
  check_boxes("targets", targets);
  require_valid("probabilities", probabilities);
  require_same_rows("boxes", boxes, "probabilities", probabilities);
  require_size("cost", boxes.rows(), targets.rows());
  if (static_cast<Index>(labels.size()) != targets.rows())
    throw Error(ErrorCode::kShapeMismatch,
                "there are " + std::to_string(labels.size()) +
                    " labels but targets is " + shape(targets));
  DetrCost c;
  c.l1 = c.iou = c.giou = c.cost = Matrix::Zero(boxes.rows(), targets.rows());
  for (Index i = 0; i < boxes.rows(); ++i)
    for (Index j = 0; j < targets.rows(); ++j) {
      const int label = labels[static_cast<size_t>(j)];
      if (label < 0 || label >= probabilities.cols())
        throw Error(ErrorCode::kInvalidArgument,
                    "there is no class " + std::to_string(label));
      for (Index k = 0; k < 4; ++k)
        c.l1(i, j) += std::abs(boxes(i, k) - targets(j, k));
      const Overlap o = overlap(corners(boxes, i), corners(targets, j));
      c.iou(i, j) = o.iou;
      c.giou(i, j) = o.giou;
      c.cost(i, j) = weights.l1 * c.l1(i, j) - weights.giou * o.giou -
                     weights.class_weight * probabilities(i, label);
    }
  require_finite("cost", c.cost);
  return c;
}

}  // namespace attn
