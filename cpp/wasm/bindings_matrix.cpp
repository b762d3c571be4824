#include <attn/matrix.hpp>

#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_matrix) {
  ATTN_FUNCTION(product);
  ATTN_FUNCTION(transpose);
  ATTN_FUNCTION(max_gap);
  ATTN_FUNCTION(symmetry_gap);
  ATTN_FUNCTION(frobenius_norm);
  ATTN_FUNCTION(mean_row);
  ATTN_FUNCTION(permuted_rows);
}
