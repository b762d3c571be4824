#include <attn/softmax.hpp>

#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_softmax) {
  ATTN_FUNCTION(softmax);
  ATTN_FUNCTION(softmax_rows);
  ATTN_FUNCTION(fully_masked_rows);
  ATTN_FUNCTION(entropy);
  ATTN_FUNCTION(entropy_rows);
  ATTN_FUNCTION(softmax_jacobian);
  ATTN_FUNCTION(required_gap);
}
