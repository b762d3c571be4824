#include <attn/learned_position.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<BeyondTable> : WordList<"refuse", "interpolate"> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_learned_position) {
  ATTN_FUNCTION(learned_lookup);
  ATTN_FUNCTION(interpolate_positions);
  ATTN_FUNCTION(learned_positions);
}
