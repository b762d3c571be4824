#include <attn/alibi.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<AlibiSlopes> : WordList<"paper", "released"> {};

template <>
struct Words<AlibiForm> : WordList<"distance", "shifted"> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_alibi) {
  ATTN_FUNCTION(alibi_slopes);
  ATTN_FUNCTION(alibi_bias);
  ATTN_FUNCTION(alibi_weights);
  ATTN_FUNCTION(alibi_reach);
}
