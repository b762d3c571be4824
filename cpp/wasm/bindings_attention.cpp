#include <attn/attention.hpp>

#include "fields_attention.hpp"
#include "fields_counted.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<AttentionGradients>
    : FieldList<Field<"d_weights", &AttentionGradients::d_weights>,
                Field<"d_scores", &AttentionGradients::d_scores>,
                Field<"d_q", &AttentionGradients::d_q>,
                Field<"d_k", &AttentionGradients::d_k>,
                Field<"d_v", &AttentionGradients::d_v>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_attention) {
  ATTN_FUNCTION(attention);
  ATTN_FUNCTION(attention_rows);
  ATTN_FUNCTION(attention_gradients);
  ATTN_FUNCTION(attention_operations);
}
