#include <attn/linformer.hpp>

#include "fields_counted.hpp"
#include "fields_spread.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<LinformerTrace>
    : FieldList<Field<"projected_keys", &LinformerTrace::projected_keys>,
                Field<"projected_values", &LinformerTrace::projected_values>,
                Field<"scores", &LinformerTrace::scores>,
                Field<"weights", &LinformerTrace::weights>,
                Field<"output", &LinformerTrace::output>> {};

template <>
struct Fields<LinformerLeak>
    : FieldList<Field<"before", &LinformerLeak::before>,
                Field<"after", &LinformerLeak::after>,
                Field<"change", &LinformerLeak::change>> {};

template <>
struct Fields<LinformerCost>
    : FieldList<Field<"exact_entries", &LinformerCost::exact_entries>,
                Field<"linformer_entries", &LinformerCost::linformer_entries>,
                Field<"ratio", &LinformerCost::ratio>,
                Field<"projection_parameters",
                      &LinformerCost::projection_parameters>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_linformer) {
  ATTN_FUNCTION(linformer_attention);
  ATTN_FUNCTION(mean_pool_projection);
  ATTN_FUNCTION(identity_projection);
  ATTN_FUNCTION(random_projection);
  ATTN_FUNCTION(linformer_errors);
  ATTN_FUNCTION(linformer_leak);
  ATTN_FUNCTION(linformer_operations);
  ATTN_FUNCTION(linformer_cost);
  ATTN_FUNCTION(linformer_theorem_slots);
}
