#pragma once

#include <attn/matrix.hpp>
#include <cstdint>
#include <vector>

/// One-dimensional convolution over tokens, and how far a stack of layers sees.
///
/// Conventions. One row is one token, places count from 0. As in deep-learning
/// libraries the taps are not reversed (a cross-correlation): the first tap
/// reads the oldest token. Outside the sequence the input counts as 0, so the
/// output has as many rows as the input.
/// Vaswani et al. 2017, Table 1; dilation: Yu & Koltun 2016, van den Oord et
/// al. 2016 (WaveNet); ByteNet, Kalchbrenner et al. 2016.
/// Limit: 2^22 doubles for each operand and result.
namespace attn {

enum class Padding {
  kCausal,   ///< the last tap reads the token itself, the others its past
  kCentred,  ///< the middle tap reads the token itself; an odd kernel only
};

/// x  n × m; kernel  (taps · m) × d, tap by tap: row t·m + c is what tap t
/// takes from channel c. Output n × d. y_i = Σ_t x[i − reach + t·dilation] ·
/// kernel_t, where reach is (taps − 1)·dilation (causal) or half of it
/// (centred).
/// @throws Error kShapeMismatch when taps · m ≠ kernel.rows(); kEmptyInput,
/// kNotFinite, kTooLarge; kInvalidArgument unless taps, dilation ≥ 1 (≤ 2^22)
/// and for an even kernel that is centred; kDiverged when a sum overflows
Matrix convolution(const Matrix& x, const Matrix& kernel, Index taps,
                   Index dilation, Padding padding);

/// Tokens that one output sees: 1 + Σ (taps − 1)·dilation over the layers.
/// @throws Error kInvalidArgument unless taps ≥ 1 and every dilation ≥ 1;
/// kEmptyInput without a layer; kTooLarge over 2^53
std::int64_t receptive_field(std::int64_t taps,
                             const std::vector<std::int64_t>& dilations);

/// 1, taps, taps², …: the dilations that see taps^layers tokens without a gap.
/// @throws Error kInvalidArgument unless taps ≥ 2, layers ≥ 1; kTooLarge when
/// taps^layers > 2^53
std::vector<std::int64_t> full_dilations(std::int64_t taps,
                                         std::int64_t layers);

/// The least number of undilated layers through which place i can be reached
/// from place i − distance: ⌈distance/(taps − 1)⌉ causal,
/// ⌈distance/((taps − 1)/2)⌉ centred; 0 for distance 0.
/// @throws Error kInvalidArgument when distance < 0, taps < 2, or an even
/// kernel is centred; kTooLarge when distance > 2^53
std::int64_t contiguous_layers(std::int64_t distance, std::int64_t taps,
                               Padding padding);

/// The same with dilations 1, taps, taps², …: the least L with
/// taps^L ≥ distance + 1 (causal) or 2·distance + 1 (centred). From the first
/// to the last of n tokens, causally, that is ⌈log_taps n⌉. A centred path may
/// go back before it goes on, and needs that much room within the sequence.
/// @throws Error as contiguous_layers; kTooLarge when distance > 2^52
std::int64_t dilated_layers(std::int64_t distance, std::int64_t taps,
                            Padding padding);

}  // namespace attn
