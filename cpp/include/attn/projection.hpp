#pragma once

#include <attn/matrix.hpp>

namespace attn {

/// X · W: every token (a row of X) turned by the same W into what it asks (Q),
/// what it answers to (K), or what it gives (V).
/// @param x  n × d tokens
/// @param w  d × width
/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kTooLarge; kDiverged
/// on overflow
Matrix project(const Matrix& x, const Matrix& w);

struct QueryKeyValue {
  Matrix q;  ///< n × d_k
  Matrix k;  ///< n × d_k
  Matrix v;  ///< n × d_v
};

/// The three projections of one input.
/// @param w_q  d × d_k
/// @param w_k  d × d_k
/// @param w_v  d × d_v
/// @throws Error as project; kShapeMismatch when w_q and w_k differ in width
QueryKeyValue project_qkv(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                          const Matrix& w_v);

/// W_Q · W_Kᵀ, d × d: the scores of X are X · (W_Q · W_Kᵀ) · Xᵀ up to the
/// scale, so that they are symmetric for every X exactly when this product is.
/// @throws Error as project; kShapeMismatch unless both have the same shape
Matrix query_key_product(const Matrix& w_q, const Matrix& w_k);

}  // namespace attn
