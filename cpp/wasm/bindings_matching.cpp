#include <attn/matching.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<Pair>
    : FieldList<Field<"row", &Pair::row>, Field<"col", &Pair::col>> {};

template <>
struct Fields<Assignment> : FieldList<Field<"pairs", &Assignment::pairs>,
                                      Field<"cost", &Assignment::cost>> {};

template <>
struct Fields<DetrWeights>
    : FieldList<Field<"class_weight", &DetrWeights::class_weight>,
                Field<"l1", &DetrWeights::l1>,
                Field<"giou", &DetrWeights::giou>> {};

template <>
struct Fields<DetrCost>
    : FieldList<Field<"l1", &DetrCost::l1>, Field<"iou", &DetrCost::iou>,
                Field<"giou", &DetrCost::giou>,
                Field<"cost", &DetrCost::cost>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_matching) {
  ATTN_FUNCTION(match_pairs);
  ATTN_FUNCTION(match_greedily);
  ATTN_FUNCTION(detr_cost);
}
