#include <attn/layer_norm.hpp>

#include "fields_layers.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<NormTrace> : FieldList<Field<"mean", &NormTrace::mean>,
                                     Field<"variance", &NormTrace::variance>,
                                     Field<"output", &NormTrace::output>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_layer_norm) {
  ATTN_FUNCTION(layer_norm);
  ATTN_FUNCTION(rms_norm);
  ATTN_FUNCTION(norm_backward);
}
