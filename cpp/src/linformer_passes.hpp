#pragma once

#include <attn/matrix.hpp>
#include <cmath>

#include "attention_passes.hpp"

// Over the scalar, so that the very code that is taught can be run with a
// number that counts its own operations.
namespace attn {

template <class T>
struct LinformerPasses {
  MatrixOf<T> projected_keys, projected_values, scores, weights, output;
};

// Fewer rows of the same width (slots), how well each query fits each slot,
// shares of 1, the slots' values mixed in those shares.
// #region linformer_passes
template <class T>
LinformerPasses<T> linformer_passes(const MatrixOf<T>& q, const MatrixOf<T>& k,
                                    const MatrixOf<T>& v, const MatrixOf<T>& e,
                                    const MatrixOf<T>& f) {
  LinformerPasses<T> t;
  t.projected_keys = weighted_values(e, k);
  t.projected_values = weighted_values(f, v);
  const T divisor = T(std::sqrt(static_cast<double>(q.cols())));
  t.scores = scaled_scores(q, t.projected_keys, divisor);
  t.weights = softmax_of_rows(t.scores);
  t.output = weighted_values(t.weights, t.projected_values);
  return t;
}
// #endregion linformer_passes

}  // namespace attn
