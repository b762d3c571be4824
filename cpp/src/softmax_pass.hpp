#pragma once

#include <attn/matrix.hpp>
#include <cmath>
#include <limits>

namespace attn {

/// Refuses NaN and +∞ but not −∞, the logit of a masked place.
/// @throws Error kEmptyInput, kTooLarge, kNotFinite
void require_logits(std::string_view name, const Matrix& scores);

using std::exp;

// Four passes: the largest score (when it is −∞, nothing is visible), the
// exponentials of the distances below it, their sum, shares of the sum. Over
// the scalar, so that the very code that is taught can be run with a number
// that counts its own operations.
// #region softmax_pass
template <class T>
void softmax_pass(Index count, const T* scores, T* weights) {
  T max = scores[0];
  for (Index j = 1; j < count; ++j)
    if (max < scores[j]) max = scores[j];
  const bool visible = T(-std::numeric_limits<double>::infinity()) < max;

  for (Index j = 0; j < count; ++j)
    weights[j] = visible ? exp(scores[j] - max) : T(0);
  if (!visible) return;

  T sum = weights[0];
  for (Index j = 1; j < count; ++j) sum += weights[j];

  for (Index j = 0; j < count; ++j) weights[j] /= sum;
}
// #endregion softmax_pass

}  // namespace attn
