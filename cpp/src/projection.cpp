#include <attn/projection.hpp>

#include "arguments.hpp"

namespace attn {

// #region project
Matrix project(const Matrix& x, const Matrix& w) {
  require_valid("x", x);
  require_valid("w", w);
  require_product("x", x, "w", w);
  return product(x, w);
}
// #endregion project

// #region project_qkv
QueryKeyValue project_qkv(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                          const Matrix& w_v) {
  require_same_cols("w_q", w_q, "w_k", w_k);
  return {project(x, w_q), project(x, w_k), project(x, w_v)};
}
// #endregion project_qkv

Matrix query_key_product(const Matrix& w_q, const Matrix& w_k) {
  require_valid("w_q", w_q);
  require_valid("w_k", w_k);
  require_same_rows("w_q", w_q, "w_k", w_k);
  require_same_cols("w_q", w_q, "w_k", w_k);
  return product(w_q, w_k.transpose());
}

}  // namespace attn
