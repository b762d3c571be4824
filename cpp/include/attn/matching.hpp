#pragma once

#include <attn/matrix.hpp>
#include <vector>

namespace attn {

/// One pair of a one-to-one matching.
struct Pair {
  int row;
  int col;
};

/// A one-to-one matching of the shorter side, pairs by ascending row.
struct Assignment {
  std::vector<Pair> pairs;  ///< min(rows, cols) of them
  double cost;              ///< their sum, added in that order
};

/// The cheapest matching by the Hungarian algorithm with potentials and
/// shortest augmenting paths, O(r²c) for r = min(rows, cols), c = max.
///
/// @param cost  numbers up to ±1e100, rectangular; r·c ≤ kReferenceLimit
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kInvalidArgument
Assignment match_pairs(const Matrix& cost);

/// Takes the cheapest free pair again and again (ties by row, then column):
/// what a hurried matchmaker does; up to unboundedly worse than `match_pairs`.
/// @throws Error as match_pairs
Assignment match_greedily(const Matrix& cost);

/// How DETR prices a query for a target (Carion et al. 2020, eq. 1; the
/// released matcher's weights): class · (−p) + l1 · ‖box gap‖₁ + giou ·
/// (−GIoU). The class term is a probability, not its logarithm.
struct DetrWeights {
  double class_weight = 1;
  double l1 = 5;
  double giou = 2;
};

struct DetrCost {
  Matrix l1;    ///< queries × targets
  Matrix iou;   ///< queries × targets
  Matrix giou;  ///< queries × targets
  Matrix cost;  ///< queries × targets
};

/// Boxes are (centre x, centre y, width, height), one a row; widths and heights
/// positive.
///
/// @param boxes          queries × 4
/// @param probabilities  queries × classes, "no object" last
/// @param targets        targets × 4
/// @param labels         class of each target
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge,
///   kInvalidArgument (a label that is no class, a box without area)
DetrCost detr_cost(const Matrix& boxes, const Matrix& probabilities,
                   const Matrix& targets, const std::vector<int>& labels,
                   const DetrWeights& weights = {});

}  // namespace attn
