#pragma once

#include <attn/encoder.hpp>

#include "fields_layers.hpp"

namespace attn::wasm {

template <>
struct Fields<LayerOptions>
    : FieldList<Field<"heads", &LayerOptions::heads>,
                Field<"norm", &LayerOptions::norm>,
                Field<"norm_first", &LayerOptions::norm_first>,
                Field<"residual", &LayerOptions::residual>,
                Field<"attention", &LayerOptions::attention>,
                Field<"network", &LayerOptions::network>,
                Field<"causal", &LayerOptions::causal>,
                Field<"epsilon", &LayerOptions::epsilon>> {};

template <>
struct Fields<EncoderWeights>
    : FieldList<Field<"attention", &EncoderWeights::attention>,
                Field<"network", &EncoderWeights::network>,
                Field<"attention_norm", &EncoderWeights::attention_norm>,
                Field<"network_norm", &EncoderWeights::network_norm>> {};

template <>
struct Fields<EncoderTrace>
    : FieldList<Field<"attention", &EncoderTrace::attention>,
                Field<"after_attention", &EncoderTrace::after_attention>,
                Field<"network", &EncoderTrace::network>,
                Field<"output", &EncoderTrace::output>> {};

}  // namespace attn::wasm
