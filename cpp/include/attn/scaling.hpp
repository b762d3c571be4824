#pragma once

#include <cstdint>

namespace attn {

/// Why scores are divided by √d_k: for components that are independent, of mean
/// 0 and variance 1, the dot product of a query and a key has variance d_k
/// (Vaswani et al. 2017, footnote 4).

enum class Scale {
  kNone,      ///< q·k
  kRootOfDk,  ///< q·k / √d_k
};

/// √d_k, or 1 when scaled.
/// @param d_k  1 … 2^20
/// @throws Error kInvalidArgument
double dot_product_std(int d_k, Scale scale);

/// The mean of the larger of two weights, softmax of two independent scores of
/// that standard deviation; by Simpson's rule on 20,000 intervals.
/// @throws Error kInvalidArgument
double expected_larger_weight(int d_k, Scale scale);

/// What softmax does to random scores, averaged over trials.
struct ScoreStatistics {
  double max_weight;
  double entropy;             ///< nats
  double jacobian_frobenius;  ///< size of ∂p/∂scores
  double score_std;           ///< of all scores drawn, about their mean of 0
};

/// Draws, for every trial, one query and then `keys` keys, all of d_k normals.
///
/// @param keys    1 … 1024
/// @param trials  1 or more; d_k · keys · trials ≤ 2^26
/// @throws Error kInvalidArgument, kTooLarge
ScoreStatistics score_statistics(int d_k, int keys, int trials,
                                 std::uint32_t seed, Scale scale);

}  // namespace attn
