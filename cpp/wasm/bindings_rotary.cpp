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

EMSCRIPTEN_BINDINGS(attn_rotary) {
  ATTN_FUNCTION(rotary_frequencies);
  ATTN_FUNCTION(rotate);
  ATTN_FUNCTION(rotary_scores);
  ATTN_FUNCTION(to_half_split);
  ATTN_FUNCTION(to_interleaved);
  ATTN_FUNCTION(rotary_decay);
  ATTN_FUNCTION(unseen_pairs);
  ATTN_FUNCTION(pairs_at_new_angles);
}
