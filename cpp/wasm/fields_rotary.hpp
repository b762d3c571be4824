#pragma once

#include <attn/rotary.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<RotaryLayout> : WordList<"interleaved", "half-split"> {};

template <>
struct Fields<Rotary>
    : FieldList<Field<"layout", &Rotary::layout>, Field<"base", &Rotary::base>,
                Field<"position_scale", &Rotary::position_scale>> {};

}  // namespace attn::wasm
