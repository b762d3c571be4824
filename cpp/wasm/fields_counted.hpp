#pragma once

#include <attn/counted.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<Tally>
    : FieldList<Field<"multiplications", &Tally::multiplications>,
                Field<"additions", &Tally::additions>,
                Field<"divisions", &Tally::divisions>,
                Field<"exponentials", &Tally::exponentials>> {};

}  // namespace attn::wasm
