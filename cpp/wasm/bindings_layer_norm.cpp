#include <attn/layer_norm.hpp>

#include "fields_layers.hpp"
#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_layer_norm) {
  ATTN_FUNCTION(layer_norm);
  ATTN_FUNCTION(rms_norm);
  ATTN_FUNCTION(norm_backward);
}
