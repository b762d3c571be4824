#pragma once

#include <attn/matrix.hpp>

// Over the scalar, so that a test can run both orders with a number that counts
// its own operations.
namespace attn {

template <class T>
struct KernelAttention {
  MatrixOf<T> key_values, key_sum, kernel, normaliser, output;
};

template <class T>
MatrixOf<T> zeros(Index rows, Index cols) {
  return MatrixOf<T>::Constant(rows, cols, T(0));
}

/// One token's features join the running sums.
// #region performer_add_key
template <class T>
void add_key(const MatrixOf<T>& f, const MatrixOf<T>& v, Index j,
             KernelAttention<T>& t) {
  for (Index r = 0; r < f.cols(); ++r) {
    t.key_sum(0, r) += f(j, r);
    for (Index c = 0; c < v.cols(); ++c)
      t.key_values(r, c) += f(j, r) * v(j, c);
  }
}
// #endregion performer_add_key

/// One query reads them; a normaliser of 0 leaves zeros.
// #region performer_ask
template <class T>
void ask(const MatrixOf<T>& f, Index i, KernelAttention<T>& t) {
  T& norm = t.normaliser(i, 0);
  for (Index r = 0; r < f.cols(); ++r) norm += f(i, r) * t.key_sum(0, r);
  if (!(norm < T(0)) && !(T(0) < norm)) return;
  for (Index c = 0; c < t.output.cols(); ++c) {
    T sum = T(0);
    for (Index r = 0; r < f.cols(); ++r) sum += f(i, r) * t.key_values(r, c);
    t.output(i, c) = sum / norm;
  }
}
// #endregion performer_ask

// #region performer_linear
template <class T>
KernelAttention<T> linear_order(const MatrixOf<T>& query_features,
                                const MatrixOf<T>& key_features,
                                const MatrixOf<T>& v, bool causal) {
  const Index n = query_features.rows();
  const Index features = query_features.cols();
  KernelAttention<T> t;
  t.key_values = zeros<T>(features, v.cols());
  t.key_sum = zeros<T>(1, features);
  t.normaliser = zeros<T>(n, 1);
  t.output = zeros<T>(n, v.cols());
  for (Index j = 0; j < v.rows(); ++j) {
    add_key(key_features, v, j, t);
    if (causal) ask(query_features, j, t);
  }
  if (!causal)
    for (Index i = 0; i < n; ++i) ask(query_features, i, t);
  return t;
}
// #endregion performer_linear

/// One row of φ(Q)·φ(K)ᵀ, its sum, and the weighted mean.
template <class T>
void quadratic_row(const MatrixOf<T>& query_features,
                   const MatrixOf<T>& key_features, const MatrixOf<T>& v,
                   Index i, Index visible, KernelAttention<T>& t) {
  T& norm = t.normaliser(i, 0);
  for (Index j = 0; j < visible; ++j) {
    for (Index r = 0; r < query_features.cols(); ++r)
      t.kernel(i, j) += query_features(i, r) * key_features(j, r);
    norm += t.kernel(i, j);
  }
  if (!(norm < T(0)) && !(T(0) < norm)) return;
  for (Index c = 0; c < v.cols(); ++c) {
    T sum = T(0);
    for (Index j = 0; j < visible; ++j) sum += t.kernel(i, j) * v(j, c);
    t.output(i, c) = sum / norm;
  }
}

template <class T>
KernelAttention<T> quadratic_order(const MatrixOf<T>& query_features,
                                   const MatrixOf<T>& key_features,
                                   const MatrixOf<T>& v, bool causal) {
  const Index n = query_features.rows();
  KernelAttention<T> t;
  t.kernel = zeros<T>(n, v.rows());
  t.normaliser = zeros<T>(n, 1);
  t.output = zeros<T>(n, v.cols());
  for (Index i = 0; i < n; ++i)
    quadratic_row(query_features, key_features, v, i, causal ? i + 1 : v.rows(),
                  t);
  return t;
}

}  // namespace attn
