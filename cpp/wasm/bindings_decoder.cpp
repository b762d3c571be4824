#include <attn/decoder.hpp>

#include "fields_layers.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<DecoderOptions>
    : FieldList<Field<"heads", &DecoderOptions::heads>,
                Field<"norm", &DecoderOptions::norm>,
                Field<"norm_first", &DecoderOptions::norm_first>,
                Field<"residual", &DecoderOptions::residual>,
                Field<"attention", &DecoderOptions::attention>,
                Field<"network", &DecoderOptions::network>,
                Field<"causal", &DecoderOptions::causal>,
                Field<"epsilon", &DecoderOptions::epsilon>,
                Field<"cross", &DecoderOptions::cross>> {};

template <>
struct Fields<DecoderWeights>
    : FieldList<Field<"attention", &DecoderWeights::attention>,
                Field<"cross", &DecoderWeights::cross>,
                Field<"network", &DecoderWeights::network>,
                Field<"attention_norm", &DecoderWeights::attention_norm>,
                Field<"cross_norm", &DecoderWeights::cross_norm>,
                Field<"network_norm", &DecoderWeights::network_norm>> {};

template <>
struct Fields<DecoderTrace>
    : FieldList<Field<"attention", &DecoderTrace::attention>,
                Field<"after_attention", &DecoderTrace::after_attention>,
                Field<"cross", &DecoderTrace::cross>,
                Field<"after_cross", &DecoderTrace::after_cross>,
                Field<"network", &DecoderTrace::network>,
                Field<"output", &DecoderTrace::output>> {};

template <>
struct Fields<DecoderGradients>
    : FieldList<Field<"d_x", &DecoderGradients::d_x>,
                Field<"d_memory", &DecoderGradients::d_memory>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_decoder) {
  ATTN_FUNCTION(decoder_layer);
  ATTN_FUNCTION(decoder_layer_backward);
  ATTN_FUNCTION(decoder_stack);
  ATTN_FUNCTION(random_decoder_weights);
}
