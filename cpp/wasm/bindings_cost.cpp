#include <attn/cost.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<Precision> : WordList<"int8", "float16", "float32", "float64"> {};

template <>
struct Fields<AttentionMatrixCost>
    : FieldList<Field<"elements", &AttentionMatrixCost::elements>,
                Field<"total_elements", &AttentionMatrixCost::total_elements>,
                Field<"bytes", &AttentionMatrixCost::bytes>,
                Field<"total_bytes", &AttentionMatrixCost::total_bytes>> {};

template <>
struct Fields<LayerFlops>
    : FieldList<Field<"projections", &LayerFlops::projections>,
                Field<"attention_products", &LayerFlops::attention_products>,
                Field<"feed_forward", &LayerFlops::feed_forward>,
                Field<"total", &LayerFlops::total>> {};

template <>
struct Fields<SquareCosts>
    : FieldList<Field<"elements", &SquareCosts::elements>,
                Field<"score_madds", &SquareCosts::score_madds>,
                Field<"model_madds", &SquareCosts::model_madds>,
                Field<"model_flops", &SquareCosts::model_flops>> {};

template <>
struct Fields<TransformerShape>
    : FieldList<Field<"layers", &TransformerShape::layers>,
                Field<"d", &TransformerShape::d>,
                Field<"d_ff", &TransformerShape::d_ff>,
                Field<"heads", &TransformerShape::heads>,
                Field<"d_k", &TransformerShape::d_k>,
                Field<"d_v", &TransformerShape::d_v>,
                Field<"vocabulary", &TransformerShape::vocabulary>> {};

template <>
struct Fields<StackShape>
    : FieldList<Field<"layers", &StackShape::layers>,
                Field<"d", &StackShape::d>, Field<"d_ff", &StackShape::d_ff>> {
};

template <>
struct Fields<VisionParameters>
    : FieldList<
          Field<"patch_embedding", &VisionParameters::patch_embedding>,
          Field<"class_token", &VisionParameters::class_token>,
          Field<"position_embedding", &VisionParameters::position_embedding>,
          Field<"per_layer", &VisionParameters::per_layer>,
          Field<"final_norm", &VisionParameters::final_norm>,
          Field<"head", &VisionParameters::head>,
          Field<"total_without_head", &VisionParameters::total_without_head>> {
};

template <>
struct Fields<GrowthAudit>
    : FieldList<Field<"if_linear", &GrowthAudit::if_linear>,
                Field<"if_quadratic", &GrowthAudit::if_quadratic>,
                Field<"exponent", &GrowthAudit::exponent>,
                Field<"quadratic_share", &GrowthAudit::quadratic_share>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_cost) {
  ATTN_FUNCTION(bytes_of);
  ATTN_FUNCTION(attention_matrix_cost);
  ATTN_FUNCTION(attention_pairs);
  ATTN_FUNCTION(layer_flops);
  ATTN_FUNCTION(attention_crossover);
  ATTN_FUNCTION(square_costs);
  ATTN_FUNCTION(transformer_parameters);
  ATTN_FUNCTION(stack_layer_parameters);
  ATTN_FUNCTION(bert_parameters);
  ATTN_FUNCTION(gpt_parameters);
  ATTN_FUNCTION(vision_parameters);
  ATTN_FUNCTION(kv_cache_bytes);
  ATTN_FUNCTION(activation_bytes);
  ATTN_FUNCTION(growth_audit);
}
