#include <attn/flash.hpp>

#include "fields_counted.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<FlashOrder> : WordList<"keys_outside", "queries_outside"> {};

template <>
struct Fields<Traffic>
    : FieldList<Field<"reads", &Traffic::reads>,
                Field<"writes", &Traffic::writes>,
                Field<"extra", &Traffic::extra>,
                Field<"peak_tiles", &Traffic::peak_tiles>,
                Field<"peak_scratch", &Traffic::peak_scratch>> {};

template <>
struct Fields<FlashBlocks>
    : FieldList<Field<"keys", &FlashBlocks::keys>,
                Field<"queries", &FlashBlocks::queries>> {};

template <>
struct Fields<FlashMask>
    : FieldList<Field<"causal", &FlashMask::causal>,
                Field<"keys_kept", &FlashMask::keys_kept>> {};

template <>
struct Fields<FlashOptions>
    : FieldList<Field<"sram", &FlashOptions::sram>,
                Field<"order", &FlashOptions::order>,
                Field<"mask", &FlashOptions::mask>,
                Field<"record_steps", &FlashOptions::record_steps>,
                Field<"count_operations", &FlashOptions::count_operations>> {};

template <>
struct Fields<FlashStep>
    : FieldList<Field<"first_query", &FlashStep::first_query>,
                Field<"queries", &FlashStep::queries>,
                Field<"first_key", &FlashStep::first_key>,
                Field<"keys", &FlashStep::keys>,
                Field<"skipped", &FlashStep::skipped>,
                Field<"max", &FlashStep::max>, Field<"sum", &FlashStep::sum>,
                Field<"output", &FlashStep::output>,
                Field<"reads", &FlashStep::reads>,
                Field<"writes", &FlashStep::writes>> {};

template <>
struct Fields<FlashTrace>
    : FieldList<Field<"output", &FlashTrace::output>,
                Field<"log_sum_exp", &FlashTrace::log_sum_exp>,
                Field<"fully_masked", &FlashTrace::fully_masked>,
                Field<"blocks", &FlashTrace::blocks>,
                Field<"traffic", &FlashTrace::traffic>,
                Field<"operations", &FlashTrace::operations>,
                Field<"steps", &FlashTrace::steps>> {};

template <>
struct Fields<FlashBackwardStep>
    : FieldList<Field<"first_query", &FlashBackwardStep::first_query>,
                Field<"queries", &FlashBackwardStep::queries>,
                Field<"first_key", &FlashBackwardStep::first_key>,
                Field<"keys", &FlashBackwardStep::keys>,
                Field<"skipped", &FlashBackwardStep::skipped>,
                Field<"weights", &FlashBackwardStep::weights>,
                Field<"d_q", &FlashBackwardStep::d_q>,
                Field<"d_k", &FlashBackwardStep::d_k>,
                Field<"d_v", &FlashBackwardStep::d_v>,
                Field<"reads", &FlashBackwardStep::reads>,
                Field<"writes", &FlashBackwardStep::writes>> {};

template <>
struct Fields<FlashGradients>
    : FieldList<Field<"d_q", &FlashGradients::d_q>,
                Field<"d_k", &FlashGradients::d_k>,
                Field<"d_v", &FlashGradients::d_v>,
                Field<"blocks", &FlashGradients::blocks>,
                Field<"traffic", &FlashGradients::traffic>,
                Field<"operations", &FlashGradients::operations>,
                Field<"steps", &FlashGradients::steps>> {};

template <>
struct Fields<StandardTrace>
    : FieldList<Field<"scores", &StandardTrace::scores>,
                Field<"weights", &StandardTrace::weights>,
                Field<"output", &StandardTrace::output>,
                Field<"fully_masked", &StandardTrace::fully_masked>,
                Field<"traffic", &StandardTrace::traffic>,
                Field<"operations", &StandardTrace::operations>> {};

template <>
struct Fields<StandardGradients>
    : FieldList<Field<"d_q", &StandardGradients::d_q>,
                Field<"d_k", &StandardGradients::d_k>,
                Field<"d_v", &StandardGradients::d_v>,
                Field<"traffic", &StandardGradients::traffic>,
                Field<"operations", &StandardGradients::operations>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_flash) {
  ATTN_FUNCTION(flash_blocks);
  ATTN_FUNCTION(flash_backward_blocks);
  ATTN_FUNCTION(flash_attention);
  ATTN_FUNCTION(flash_attention_backward);
  ATTN_FUNCTION(standard_attention);
  ATTN_FUNCTION(standard_attention_backward);
  ATTN_FUNCTION(flash_traffic);
  ATTN_FUNCTION(flash_backward_traffic);
  ATTN_FUNCTION(standard_traffic);
  ATTN_FUNCTION(standard_backward_traffic);
  ATTN_FUNCTION(flash_operations);
  ATTN_FUNCTION(flash_backward_operations);
  ATTN_FUNCTION(standard_operations);
  ATTN_FUNCTION(standard_backward_operations);
  ATTN_FUNCTION(flash_traffic_order);
}
