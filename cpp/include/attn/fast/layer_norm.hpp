#pragma once

#include <attn/fast/matrix.hpp>
#include <vector>

namespace attn::fast {

/// γ · (x − mean) / √(variance + ε) + β of each row, with the population
/// variance.
/// @param x            n × d
/// @param gamma, beta  d numbers each, or empty for 1 and 0
/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kTooLarge (2^24);
/// kInvalidArgument unless ε > 0; kDiverged when the squares leave float32
Matrix layer_norm(const Matrix& x, const std::vector<float>& gamma = {},
                  const std::vector<float>& beta = {}, double epsilon = 1e-5);

}  // namespace attn::fast
