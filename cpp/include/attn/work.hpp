#pragma once

#include <cstdint>

/// How long a signal travels and how long one must wait: the four layer types
/// of Vaswani et al. 2017, Table 1, and the roofline of a matrix–vector
/// product.
///
/// Conventions. Places count from 0; one multiply-add is 2 FLOPs; a count is a
/// whole number of at most 2^53, held in a double when it may pass 2^31. What
/// is O(1) in attention is the path and the number of dependent stages, not the
/// work.
namespace attn {

/// The least number of steps or layers from one place to another.
struct PathLengths {
  std::int64_t recurrent;            ///< |from − to|: one step a token
  std::int64_t convolution_causal;   ///< ⌈distance/(k − 1)⌉ layers
  std::int64_t convolution_centred;  ///< ⌈distance/((k − 1)/2)⌉ layers
  std::int64_t
      convolution_dilated;  ///< causal, dilations 1, k, k²: ⌈log_k(dist + 1)⌉
  std::int64_t attention;             ///< 1
  std::int64_t restricted_attention;  ///< ⌈distance/((r − 1)/2)⌉ layers
};

/// All 0 for a place and itself. `kernel` k is the width of the convolution,
/// `window` r the number of places, centred on its own, that a restricted
/// attention sees.
/// @throws Error kInvalidArgument when a place is below 0, or unless kernel and
/// window are odd and ≥ 3; kTooLarge for a place over 2^52
PathLengths path_lengths(std::int64_t from, std::int64_t to,
                         std::int64_t kernel, std::int64_t window);

/// One row of Table 1.
struct LayerCost {
  double madds;                  ///< multiply-adds of one layer
  double sequential_operations;  ///< least number that must wait for each other
  double longest_path;           ///< from the first token to the last
};
struct LayerComparison {
  LayerCost attention;             ///< n²·d, 1, 1
  LayerCost recurrent;             ///< n·d², n, n − 1
  LayerCost convolution;           ///< k·n·d², 1, undilated and causal
  LayerCost dilated_convolution;   ///< k·n·d², 1, about log_k n
  LayerCost restricted_attention;  ///< r·n·d, 1, about 2n/r
};
/// The paper's terms with a constant of 1, paths exact; a window or a kernel
/// wider than the sequence counts as the sequence.
/// @throws Error kInvalidArgument unless n, d ≥ 1 and kernel, window odd and
/// ≥ 3; kTooLarge when a count is over 2^53
LayerComparison compare_layers(std::int64_t n, std::int64_t d,
                               std::int64_t kernel, std::int64_t window);

/// A plain RNN layer (two d × d matrix–vector products a token) beside an
/// attention layer (scores, softmax, weighted sum) over the same n tokens.
struct SequentialWork {
  double rnn_steps;         ///< n, each waiting for the one before
  double rnn_flops;         ///< 4·n·d²
  double attention_stages;  ///< 3, whatever n is
  double attention_flops;   ///< 4·n²·d: QKᵀ and weights · V
  double projection_flops;  ///< 8·n·d²: Q, K, V and the output
};
/// @throws Error kInvalidArgument unless n, d ≥ 1; kTooLarge over 2^53
SequentialWork sequential_work(std::int64_t n, std::int64_t d);

/// The most that y = W·x can use of a machine when every weight is read once
/// for a batch of vectors and nothing else is counted.
struct MatvecBound {
  double flop_per_byte;        ///< 2·batch / bytes_per_weight
  double fraction_of_peak;     ///< min(1, flop_per_byte · bandwidth / peak)
  bool limited_by_arithmetic;  ///< else by the memory
};
/// `peak` in FLOP/s and `bandwidth` in byte/s, or both in the same multiple.
/// Roofline: Williams, Waterman & Patterson 2009.
/// @throws Error kNotFinite; kInvalidArgument unless all are positive and
/// batch ≥ 1; kTooLarge when batch > 2^31; kDiverged when a ratio overflows
MatvecBound matvec_bound(std::int64_t batch, double peak, double bandwidth,
                         double bytes_per_weight);

}  // namespace attn
