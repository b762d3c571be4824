#pragma once

#include <algorithm>
#include <attn/counted.hpp>
#include <attn/flash.hpp>
#include <attn/matrix.hpp>
#include <cmath>
#include <limits>

// The arithmetic of the tiles. Over the scalar, so that the very code that is
// taught can be run with a number that counts its own operations.
namespace attn {

using std::exp;

inline constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// Rows first … first + size − 1.
struct Span {
  Index first;
  Index size;
};

inline bool sees(const FlashMask& mask, Index query, Index key) {
  if (mask.causal && key > query) return false;
  return mask.keys_kept.empty() ||
         mask.keys_kept[static_cast<std::size_t>(key)];
}

inline double plain(double x) { return x; }
inline double plain(const Counted& x) { return x.value(); }

/// @throws Error kDiverged
void require_finite_score(double score);

/// Refused here, since an overflow to −∞ would pass for a masked place.
template <class T>
T finite_score(const T& score) {
  require_finite_score(plain(score));
  return score;
}

template <class T>
T dot(const MatrixOf<T>& a, Index i, const MatrixOf<T>& b, Index j) {
  T sum = a(i, 0) * b(j, 0);
  for (Index c = 1; c < a.cols(); ++c) sum += a(i, c) * b(j, c);
  return sum;
}

/// Row i of the weights times column c of the values.
template <class T>
T mixed(const MatrixOf<T>& weights, Index i, const MatrixOf<T>& v, Index c) {
  T sum = weights(i, 0) * v(0, c);
  for (Index j = 1; j < v.rows(); ++j) sum += weights(i, j) * v(j, c);
  return sum;
}

// #region score_tile
template <class T>
void score_tile(const MatrixOf<T>& q, const MatrixOf<T>& k, double scale,
                const FlashMask& mask, Index first_query, Index first_key,
                MatrixOf<T>& s) {
  for (Index i = 0; i < s.rows(); ++i)
    for (Index j = 0; j < s.cols(); ++j)
      if (sees(mask, first_query + i, first_key + j))
        s(i, j) = finite_score(dot(q, i, k, j) * scale);
}
// #endregion score_tile

/// One row of scores s becomes exp(s − m'); m and ℓ move on to m' and ℓ'.
/// Returns exp(m − m'), what earlier sums are worth on the new scale.
// #region advance_row
template <class T>
T advance_row(MatrixOf<T>& s, Index i, MatrixOf<T>& m, MatrixOf<T>& l) {
  T new_max = m(i, 0);
  for (Index j = 0; j < s.cols(); ++j) new_max = std::max(new_max, s(i, j));
  const bool none = new_max == T(kMasked);
  const T keep = none ? T(1.0) : exp(m(i, 0) - new_max);
  for (Index j = 0; j < s.cols(); ++j)
    s(i, j) = none ? T(0.0) : exp(s(i, j) - new_max);
  T sum = s(i, 0);
  for (Index j = 1; j < s.cols(); ++j) sum += s(i, j);
  m(i, 0) = new_max;
  l(i, 0) = keep * l(i, 0) + sum;
  return keep;
}
// #endregion advance_row

/// FlashAttention, Algorithm 1, lines 10–12: o stays normalised.
// #region absorb_normalised
template <class T>
void absorb_normalised(MatrixOf<T>& s, const MatrixOf<T>& v, MatrixOf<T>& o,
                       MatrixOf<T>& m, MatrixOf<T>& l) {
  for (Index i = 0; i < s.rows(); ++i) {
    const T old_sum = l(i, 0);
    const T worth = advance_row(s, i, m, l) * old_sum;
    if (l(i, 0) == T(0.0)) continue;
    for (Index c = 0; c < o.cols(); ++c)
      o(i, c) = (worth * o(i, c) + mixed(s, i, v, c)) / l(i, 0);
  }
}
// #endregion absorb_normalised

/// FlashAttention-2, Algorithm 1, lines 9–10: o is divided by ℓ at the end.
// #region absorb
template <class T>
void absorb(MatrixOf<T>& s, const MatrixOf<T>& v, MatrixOf<T>& o,
            MatrixOf<T>& m, MatrixOf<T>& l) {
  for (Index i = 0; i < s.rows(); ++i) {
    const T keep = advance_row(s, i, m, l);
    for (Index c = 0; c < o.cols(); ++c)
      o(i, c) = keep * o(i, c) + mixed(s, i, v, c);
  }
}
// #endregion absorb

/// Divides each row by its ℓ; a row that saw nothing stays zero.
template <class T>
void normalise(MatrixOf<T>& o, const MatrixOf<T>& l) {
  for (Index i = 0; i < o.rows(); ++i)
    for (Index c = 0; c < o.cols(); ++c)
      o(i, c) = l(i, 0) == T(0.0) ? T(0.0) : o(i, c) / l(i, 0);
}

/// D = rowsum(dO ∘ O).
template <class T>
void row_dots(const MatrixOf<T>& o, const MatrixOf<T>& d_o, MatrixOf<T>& d) {
  for (Index i = 0; i < o.rows(); ++i) d(i, 0) = dot(o, i, d_o, i);
}

/// One query tile against one key tile: P = exp(S − L) in place of s,
/// dV += PᵀdO, dS = P ∘ (dO Vᵀ − D), dQ += dS K, dK += dSᵀQ.
template <class T>
struct BackwardTile {
  const MatrixOf<T>&q, &k, &v, &d_o, &lse, &row_dot;
  MatrixOf<T>&d_q, &d_k, &d_v;
};

// #region backward_tile
template <class T>
void backward_tile(MatrixOf<T>& s, double scale, const BackwardTile<T>& t) {
  for (Index i = 0; i < s.rows(); ++i)
    for (Index j = 0; j < s.cols(); ++j) {
      const bool none = t.lse(i, 0) == T(kMasked);
      s(i, j) = none ? T(0.0) : exp(s(i, j) - t.lse(i, 0));
      if (none) continue;
      const T d_p = dot(t.d_o, i, t.v, j);
      const T d_s = s(i, j) * (d_p - t.row_dot(i, 0)) * scale;
      for (Index c = 0; c < t.q.cols(); ++c) {
        t.d_v(j, c) += s(i, j) * t.d_o(i, c);
        t.d_q(i, c) += d_s * t.k(j, c);
        t.d_k(j, c) += d_s * t.q(i, c);
      }
    }
}
// #endregion backward_tile

// #region softmax_row
template <class T>
void softmax_row(MatrixOf<T>& row) {
  T max = row(0, 0);
  for (Index j = 1; j < row.cols(); ++j) max = std::max(max, row(0, j));
  const bool none = max == T(kMasked);
  for (Index j = 0; j < row.cols(); ++j)
    row(0, j) = none ? T(0.0) : exp(row(0, j) - max);
  if (none) return;
  T sum = row(0, 0);
  for (Index j = 1; j < row.cols(); ++j) sum += row(0, j);
  for (Index j = 0; j < row.cols(); ++j) row(0, j) = row(0, j) / sum;
}
// #endregion softmax_row

/// dS = P ∘ (dP − rowsum(P ∘ dP)), scaled, in place of a row of dP.
template <class T>
void softmax_row_backward(const MatrixOf<T>& p, MatrixOf<T>& d_p,
                          double scale) {
  const T mean = dot(p, 0, d_p, 0);
  for (Index j = 0; j < p.cols(); ++j)
    d_p(0, j) = p(0, j) * (d_p(0, j) - mean) * scale;
}

/// `to` += aᵀ·b for one row of each.
template <class T>
void add_outer(const MatrixOf<T>& a, const MatrixOf<T>& b, MatrixOf<T>& to) {
  for (Index j = 0; j < to.rows(); ++j)
    for (Index c = 0; c < to.cols(); ++c) to(j, c) += a(0, j) * b(0, c);
}

}  // namespace attn
