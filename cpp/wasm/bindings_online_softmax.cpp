#include <attn/online_softmax.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<MergeOrder> : WordList<"forward", "backward", "pairwise"> {};

template <>
struct Fields<SoftmaxState>
    : FieldList<Field<"max", &SoftmaxState::max>,
                Field<"sum", &SoftmaxState::sum>,
                Field<"output", &SoftmaxState::output>> {};

template <>
struct Fields<OnlineScan>
    : FieldList<Field<"max", &OnlineScan::max>, Field<"sum", &OnlineScan::sum>,
                Field<"log_sum_exp", &OnlineScan::log_sum_exp>,
                Field<"fully_masked", &OnlineScan::fully_masked>> {};

template <>
struct Fields<BlockwiseSoftmax>
    : FieldList<Field<"blocks", &BlockwiseSoftmax::blocks>,
                Field<"merges", &BlockwiseSoftmax::merges>,
                Field<"merged", &BlockwiseSoftmax::merged>,
                Field<"whole", &BlockwiseSoftmax::whole>,
                Field<"gap", &BlockwiseSoftmax::gap>,
                Field<"weights", &BlockwiseSoftmax::weights>,
                Field<"averaged_weights", &BlockwiseSoftmax::averaged_weights>,
                Field<"averaged_output", &BlockwiseSoftmax::averaged_output>,
                Field<"fully_masked", &BlockwiseSoftmax::fully_masked>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_online_softmax) {
  ATTN_FUNCTION(online_scan);
  ATTN_FUNCTION(block_state);
  ATTN_FUNCTION(merge_states);
  ATTN_FUNCTION(blockwise_softmax);
}
