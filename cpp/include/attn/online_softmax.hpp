#pragma once

#include <attn/matrix.hpp>
#include <limits>
#include <vector>

/// Softmax without seeing all scores at once.
///
/// A score of −∞ is a masked place; +∞ and NaN are refused. Every list of
/// scores is at most kReferenceLimit long, and so is every matrix. Nothing
/// overflows: only exp(score − maximum) ≤ 1 is ever formed.
///
/// Sources: Milakov & Gimelshein 2018, "Online normalizer calculation for
/// softmax", Algorithm 3 and section 3.1; Dao et al. 2022, section 3.1.
namespace attn {

/// What a set of scores leaves behind: enough to go on, or to merge.
struct SoftmaxState {
  double max = -std::numeric_limits<double>::infinity();  ///< m; −∞: none yet
  double sum = 0;              ///< ℓ = Σ exp(score − m); 0: all masked
  std::vector<double> output;  ///< o = Σ exp(score − m)·v / ℓ, zeros if ℓ = 0
};

/// m and ℓ after every score.
struct OnlineScan {
  std::vector<double> max;
  std::vector<double> sum;
  double log_sum_exp = 0;  ///< m + ln ℓ at the end; −∞ if all are masked
  bool fully_masked = false;  ///< no score was finite
};

/// The scores one by one: m' = max(m, s), ℓ' = ℓ·exp(m − m') + exp(s − m').
/// @throws Error kEmptyInput, kNotFinite, kTooLarge
OnlineScan online_scan(const std::vector<double>& scores);

/// The state of one block in two passes over it. `v`: one row per score.
/// A block whose scores are all −∞ gives m = −∞, ℓ = 0, o = 0.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch
SoftmaxState block_state(const std::vector<double>& scores, const Matrix& v);

/// Two states into the state of all their scores. Associative and commutative
/// up to rounding; a fully masked state changes nothing.
/// @throws Error kShapeMismatch when the outputs differ in length;
/// kInvalidArgument for a state that no scores can have: ℓ < 0, or exactly one
/// of m = −∞ and ℓ = 0; kNotFinite for NaN, +∞ or an infinite ℓ or o
SoftmaxState merge_states(const SoftmaxState& a, const SoftmaxState& b);

/// Which states are merged first; the result differs by rounding alone.
enum class MergeOrder {
  kForward,   ///< ((A B) C) D
  kBackward,  ///< A (B (C D))
  kPairwise   ///< (A B) (C D), a tree
};

/// A row of scores cut into blocks, beside the same row in one piece.
struct BlockwiseSoftmax {
  std::vector<SoftmaxState> blocks;  ///< each block by itself
  std::vector<SoftmaxState> merges;  ///< the result of each merge, in time
  SoftmaxState merged;               ///< all blocks, merged
  SoftmaxState whole;                ///< all scores as a single block
  double gap = 0;               ///< largest |merged.output − whole.output|
  std::vector<double> weights;  ///< exp(s − m)/ℓ from the merged state
  /// The mistake to avoid: each block's own softmax, averaged over blocks.
  std::vector<double> averaged_weights;
  std::vector<double> averaged_output;
  bool fully_masked = false;
};

/// Blocks of `block` scores (the last may be shorter), merged in `order`.
/// @throws Error as block_state; kInvalidArgument unless block ≥ 1
BlockwiseSoftmax blockwise_softmax(const std::vector<double>& scores,
                                   const Matrix& v, Index block,
                                   MergeOrder order = MergeOrder::kForward);

}  // namespace attn
