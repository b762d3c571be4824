#include <attn/rng.hpp>

#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_rng) {
  ATTN_FUNCTION(uniforms);
  ATTN_FUNCTION(normals);
}
