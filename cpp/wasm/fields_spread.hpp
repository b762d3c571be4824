#pragma once

#include <attn/spread.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<Spread> : FieldList<Field<"mean", &Spread::mean>,
                                  Field<"deviation", &Spread::deviation>,
                                  Field<"smallest", &Spread::smallest>,
                                  Field<"largest", &Spread::largest>> {};

}  // namespace attn::wasm
