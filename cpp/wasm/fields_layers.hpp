#pragma once

#include <attn/feed_forward.hpp>
#include <attn/layer_norm.hpp>

#include "fields_multi_head.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<Norm> : WordList<"none", "layer_norm", "rms_norm"> {};

template <>
struct Words<Activation> : WordList<"relu", "gelu", "gelu_tanh"> {};

template <>
struct Fields<Affine>
    : FieldList<Field<"gamma", &Affine::gamma>, Field<"beta", &Affine::beta>> {
};

template <>
struct Fields<NormTrace> : FieldList<Field<"mean", &NormTrace::mean>,
                                     Field<"variance", &NormTrace::variance>,
                                     Field<"output", &NormTrace::output>> {};

template <>
struct Fields<FeedForward>
    : FieldList<Field<"w1", &FeedForward::w1>, Field<"b1", &FeedForward::b1>,
                Field<"w2", &FeedForward::w2>, Field<"b2", &FeedForward::b2>,
                Field<"activation", &FeedForward::activation>> {};

template <>
struct Fields<FeedForwardTrace>
    : FieldList<Field<"before", &FeedForwardTrace::before>,
                Field<"hidden", &FeedForwardTrace::hidden>,
                Field<"output", &FeedForwardTrace::output>> {};

}  // namespace attn::wasm
