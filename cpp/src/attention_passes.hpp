#pragma once

#include <attn/mask.hpp>
#include <attn/matrix.hpp>

#include "softmax_pass.hpp"

// Over the scalar, so that the very code that is taught can be run with a
// number that counts its own operations.
namespace attn {

/// @throws Error kShapeMismatch unless the mask has a place for each pair
void require_mask_shape(const Mask& mask, Index queries, Index keys);

// #region scaled_scores
template <class T>
MatrixOf<T> scaled_scores(const MatrixOf<T>& q, const MatrixOf<T>& k,
                          T divisor) {
  MatrixOf<T> scores(q.rows(), k.rows());
  for (Index i = 0; i < q.rows(); ++i)
    for (Index j = 0; j < k.rows(); ++j) {
      T dot = q(i, 0) * k(j, 0);
      for (Index c = 1; c < q.cols(); ++c) dot += q(i, c) * k(j, c);
      scores(i, j) = dot / divisor;
    }
  return scores;
}
// #endregion scaled_scores

template <class T>
MatrixOf<T> softmax_of_rows(const MatrixOf<T>& scores) {
  MatrixOf<T> weights(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i)
    softmax_pass(scores.cols(), &scores(i, 0), &weights(i, 0));
  return weights;
}

// #region weighted_values
template <class T>
MatrixOf<T> weighted_values(const MatrixOf<T>& weights, const MatrixOf<T>& v) {
  MatrixOf<T> output(weights.rows(), v.cols());
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index c = 0; c < v.cols(); ++c) {
      T sum = weights(i, 0) * v(0, c);
      for (Index j = 1; j < v.rows(); ++j) sum += weights(i, j) * v(j, c);
      output(i, c) = sum;
    }
  return output;
}
// #endregion weighted_values

}  // namespace attn
