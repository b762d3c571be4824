#include <attn/encoder.hpp>

#include "fields_encoder.hpp"
#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_encoder) {
  ATTN_FUNCTION(encoder_layer);
  ATTN_FUNCTION(encoder_layer_backward);
  ATTN_FUNCTION(encoder_stack);
  ATTN_FUNCTION(encoder_gradient_norms);
  ATTN_FUNCTION(random_encoder_weights);
  ATTN_FUNCTION(row_spread);
}
