#pragma once

#include <attn/fast/matrix.hpp>

namespace attn::fast {

/// Softmax of each row; −∞ is the score of a hidden place, whose weight is
/// exactly 0. A row of −∞ alone becomes a row of zeros.
/// @param scores  n × m
/// @throws Error kEmptyInput, kNotFinite (NaN, +∞), kTooLarge (2^24);
/// kInvalidArgument unless temperature is finite and above 0
Matrix softmax_rows(const Matrix& scores, double temperature = 1);

}  // namespace attn::fast
