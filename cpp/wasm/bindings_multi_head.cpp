#include <attn/multi_head.hpp>

#include "fields_multi_head.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<MultiHeadCost>
    : FieldList<
          Field<"head_width", &MultiHeadCost::head_width>,
          Field<"parameters", &MultiHeadCost::parameters>,
          Field<"parameters_with_bias", &MultiHeadCost::parameters_with_bias>,
          Field<"score_entries", &MultiHeadCost::score_entries>,
          Field<"score_multiply_adds", &MultiHeadCost::score_multiply_adds>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_multi_head) {
  ATTN_FUNCTION(multi_head);
  ATTN_FUNCTION(multi_head_cost);
}
