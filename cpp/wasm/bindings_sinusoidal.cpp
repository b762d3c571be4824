#include <attn/sinusoidal.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<NearCollision>
    : FieldList<Field<"offset", &NearCollision::offset>,
                Field<"distance", &NearCollision::distance>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_sinusoidal) {
  ATTN_FUNCTION(sinusoidal_frequencies);
  ATTN_FUNCTION(sinusoidal_wavelengths);
  ATTN_FUNCTION(sinusoidal_positions);
  ATTN_FUNCTION(sinusoidal_table);
  ATTN_FUNCTION(sinusoidal_shift);
  ATTN_FUNCTION(sinusoidal_dot);
  ATTN_FUNCTION(sinusoidal_distance);
  ATTN_FUNCTION(sinusoidal_near_collision);
}
