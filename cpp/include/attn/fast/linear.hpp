#pragma once

#include <attn/fast/matrix.hpp>
#include <vector>

namespace attn::fast {

/// y = x · W + b.
/// @param x  n × d_in
/// @param w  d_in × d_out
/// @param b  d_out numbers, or empty for none
/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kTooLarge (2^24
/// numbers an operand); kDiverged when a sum leaves float32
Matrix linear(const Matrix& x, const Matrix& w,
              const std::vector<float>& b = {});

struct LinearGradients {
  Matrix d_x;              ///< n × d_in, dY · Wᵀ
  Matrix d_w;              ///< d_in × d_out, xᵀ · dY
  std::vector<float> d_b;  ///< d_out, the column sums of dY
};

/// @param d_output  n × d_out
/// @throws Error as linear
LinearGradients linear_gradients(const Matrix& x, const Matrix& w,
                                 const Matrix& d_output);

}  // namespace attn::fast
