#include <attn/convolution.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<Padding> : WordList<"causal", "centred"> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_convolution) {
  ATTN_FUNCTION(convolution);
  ATTN_FUNCTION(receptive_field);
  ATTN_FUNCTION(full_dilations);
  ATTN_FUNCTION(contiguous_layers);
  ATTN_FUNCTION(dilated_layers);
}
