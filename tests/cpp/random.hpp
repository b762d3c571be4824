#pragma once

#include <attn/matrix.hpp>
#include <attn/rng.hpp>

/// A matrix of normals whose shape is itself drawn: rows in [rows_from,
/// rows_to], columns likewise.
inline attn::Matrix random_matrix(attn::Rng& rng, int rows_from, int rows_to,
                                  int cols_from, int cols_to) {
  const auto between = [&](int from, int to) {
    return from + static_cast<int>(rng.uniform() * (to - from + 1));
  };
  const int rows = between(rows_from, rows_to);
  attn::Matrix m(rows, between(cols_from, cols_to));
  for (attn::Index i = 0; i < m.rows(); ++i)
    for (attn::Index j = 0; j < m.cols(); ++j) m(i, j) = rng.normal();
  return m;
}

inline attn::Matrix random_like(attn::Rng& rng, const attn::Matrix& shape) {
  attn::Matrix m(shape.rows(), shape.cols());
  for (attn::Index i = 0; i < m.rows(); ++i)
    for (attn::Index j = 0; j < m.cols(); ++j) m(i, j) = rng.normal();
  return m;
}

/// d⟨g, f(x)⟩/dx by central differences: what a backward pass must equal.
template <class F>
attn::Matrix finite_difference(const attn::Matrix& x, const attn::Matrix& g,
                               F&& f, double step = 1e-5) {
  attn::Matrix out(x.rows(), x.cols());
  for (attn::Index i = 0; i < x.rows(); ++i)
    for (attn::Index j = 0; j < x.cols(); ++j) {
      attn::Matrix up = x;
      attn::Matrix down = x;
      up(i, j) += step;
      down(i, j) -= step;
      const attn::Matrix gap = f(up) - f(down);
      out(i, j) = gap.cwiseProduct(g).sum() / (2 * step);
    }
  return out;
}
