#pragma once

#include <attn/attention.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<AttentionOptions>
    : FieldList<Field<"mask", &AttentionOptions::mask>,
                Field<"causal", &AttentionOptions::causal>,
                Field<"query_offset", &AttentionOptions::query_offset>,
                Field<"scaled", &AttentionOptions::scaled>,
                Field<"bias", &AttentionOptions::bias>> {};

template <>
struct Fields<AttentionTrace>
    : FieldList<Field<"scores", &AttentionTrace::scores>,
                Field<"weights", &AttentionTrace::weights>,
                Field<"output", &AttentionTrace::output>,
                Field<"fully_masked", &AttentionTrace::fully_masked>> {};

}  // namespace attn::wasm
