#pragma once

#include <attn/multi_head.hpp>

#include "fields_attention.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<MultiHeadWeights>
    : FieldList<Field<"w_q", &MultiHeadWeights::w_q>,
                Field<"w_k", &MultiHeadWeights::w_k>,
                Field<"w_v", &MultiHeadWeights::w_v>,
                Field<"w_o", &MultiHeadWeights::w_o>> {};

template <>
struct Fields<MultiHeadOptions>
    : FieldList<Field<"mask", &MultiHeadOptions::mask>,
                Field<"causal", &MultiHeadOptions::causal>,
                Field<"query_offset", &MultiHeadOptions::query_offset>,
                Field<"scaled", &MultiHeadOptions::scaled>,
                Field<"bias", &MultiHeadOptions::bias>,
                Field<"memory", &MultiHeadOptions::memory>,
                Field<"gates", &MultiHeadOptions::gates>> {};

template <>
struct Fields<MultiHeadTrace>
    : FieldList<Field<"heads", &MultiHeadTrace::heads>,
                Field<"entropy", &MultiHeadTrace::entropy>,
                Field<"concat", &MultiHeadTrace::concat>,
                Field<"output", &MultiHeadTrace::output>> {};

}  // namespace attn::wasm
