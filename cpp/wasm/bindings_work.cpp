#include <attn/work.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<PathLengths>
    : FieldList<
          Field<"recurrent", &PathLengths::recurrent>,
          Field<"convolution_causal", &PathLengths::convolution_causal>,
          Field<"convolution_centred", &PathLengths::convolution_centred>,
          Field<"convolution_dilated", &PathLengths::convolution_dilated>,
          Field<"attention", &PathLengths::attention>,
          Field<"restricted_attention", &PathLengths::restricted_attention>> {};

template <>
struct Fields<LayerCost>
    : FieldList<
          Field<"madds", &LayerCost::madds>,
          Field<"sequential_operations", &LayerCost::sequential_operations>,
          Field<"longest_path", &LayerCost::longest_path>> {};

template <>
struct Fields<LayerComparison>
    : FieldList<
          Field<"attention", &LayerComparison::attention>,
          Field<"recurrent", &LayerComparison::recurrent>,
          Field<"convolution", &LayerComparison::convolution>,
          Field<"dilated_convolution", &LayerComparison::dilated_convolution>,
          Field<"restricted_attention",
                &LayerComparison::restricted_attention>> {};

template <>
struct Fields<SequentialWork>
    : FieldList<Field<"rnn_steps", &SequentialWork::rnn_steps>,
                Field<"rnn_flops", &SequentialWork::rnn_flops>,
                Field<"attention_stages", &SequentialWork::attention_stages>,
                Field<"attention_flops", &SequentialWork::attention_flops>,
                Field<"projection_flops", &SequentialWork::projection_flops>> {
};

template <>
struct Fields<MatvecBound>
    : FieldList<
          Field<"flop_per_byte", &MatvecBound::flop_per_byte>,
          Field<"fraction_of_peak", &MatvecBound::fraction_of_peak>,
          Field<"limited_by_arithmetic", &MatvecBound::limited_by_arithmetic>> {
};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_work) {
  ATTN_FUNCTION(path_lengths);
  ATTN_FUNCTION(compare_layers);
  ATTN_FUNCTION(sequential_work);
  ATTN_FUNCTION(matvec_bound);
}
