#include <museum/attention.hpp>
#include <museum/layers.hpp>
#include <museum/positions.hpp>

#include "fields_encoder.hpp"
#include "fields_rotary.hpp"
#include "marshal.hpp"

#define MUSEUM_FUNCTION(NAME)                                 \
  emscripten::function(attn::wasm::JsName(#NAME).text.data(), \
                       &attn::wasm::Bound<&attn::museum::NAME>::call)

EMSCRIPTEN_BINDINGS(attn_museum) {
  MUSEUM_FUNCTION(softmax_over_columns);
  MUSEUM_FUNCTION(attention_masked_late);
  MUSEUM_FUNCTION(attention_minus_billion);
  MUSEUM_FUNCTION(attention_without_offset);
  MUSEUM_FUNCTION(attention_averaged_blocks);
  MUSEUM_FUNCTION(multi_head_model_scale);
  MUSEUM_FUNCTION(sinusoidal_by_parity);
  MUSEUM_FUNCTION(rotate_across_heads);
  MUSEUM_FUNCTION(alibi_slopes_one_formula);
  MUSEUM_FUNCTION(layer_norm_sample);
  MUSEUM_FUNCTION(encoder_layer_swapped);
  MUSEUM_FUNCTION(mean_row_padded);
}
