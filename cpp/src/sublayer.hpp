#pragma once

#include <attn/encoder.hpp>
#include <attn/layer_norm.hpp>
#include <attn/matrix.hpp>
#include <attn/multi_head.hpp>
#include <attn/rng.hpp>

namespace attn {

/// The input of a branch: normalised first when the layer is pre-norm.
Matrix branch_input(const Matrix& x, const LayerOptions& options,
                    const Affine& affine);

/// What leaves a sublayer whose branch gave `branch`: x added when there is a
/// residual path, normalised last when the layer is post-norm.
Matrix leave_branch(const Matrix& x, const Matrix& branch,
                    const LayerOptions& options, const Affine& affine);

/// The gradient of a whole sublayer. `backward(d)` is that of its branch alone,
/// from the branch's output to its input.
template <class Backward>
Matrix sublayer_backward(const Matrix& x, const Matrix& branch,
                         const LayerOptions& options, const Affine& affine,
                         const Matrix& d_output, Backward&& backward) {
  const Norm norm = options.norm;
  const double epsilon = options.epsilon;
  const bool first = options.norm_first;
  const Matrix sum = options.residual ? Matrix(x + branch) : branch;
  const Matrix d_sum =
      first ? d_output : norm_backward(norm, sum, d_output, affine, epsilon);
  const Matrix d_branch = backward(d_sum);
  Matrix d_x =
      first ? norm_backward(norm, x, d_branch, affine, epsilon) : d_branch;
  if (options.residual) d_x += d_sum;
  return d_x;
}

/// Gradients of `multi_head` with respect to what it looks from and at.
struct MultiHeadInputGradients {
  Matrix d_x;       ///< n × d_model, by way of the queries
  Matrix d_memory;  ///< m × d_memory, by way of the keys and the values
};
MultiHeadInputGradients multi_head_input_gradients(
    const Matrix& x, const MultiHeadWeights& weights, Index heads,
    const MultiHeadOptions& options, const Matrix& d_output);

/// Normals divided by the root of `rows`, so that a token of unit variance
/// leaves with unit variance.
Matrix scaled_normals(Rng& rng, Index rows, Index cols);

}  // namespace attn
