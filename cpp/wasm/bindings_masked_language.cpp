#include <attn/masked_language.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<MaskAction> : WordList<"none", "mask", "random", "keep"> {};

template <>
struct Fields<MaskRates> : FieldList<Field<"select", &MaskRates::select>,
                                     Field<"mask", &MaskRates::mask>,
                                     Field<"random", &MaskRates::random>> {};

template <>
struct Fields<MaskPlan>
    : FieldList<Field<"actions", &MaskPlan::actions>,
                Field<"loss_positions", &MaskPlan::loss_positions>> {};

template <>
struct Fields<MaskShares>
    : FieldList<Field<"mask", &MaskShares::mask>,
                Field<"random", &MaskShares::random>,
                Field<"keep", &MaskShares::keep>,
                Field<"untouched", &MaskShares::untouched>,
                Field<"looks_unchanged", &MaskShares::looks_unchanged>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_masked_language) {
  ATTN_FUNCTION(plan_masks);
  ATTN_FUNCTION(plan_masks_seeded);
  ATTN_FUNCTION(mask_shares);
}
