#include <attn/mask.hpp>

#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_mask) {
  ATTN_FUNCTION(causal_mask);
  ATTN_FUNCTION(padding_mask);
  ATTN_FUNCTION(combined_mask);
  ATTN_FUNCTION(visible_pairs);
  ATTN_FUNCTION(causal_pairs);
  ATTN_FUNCTION(masked_scores);
  ATTN_FUNCTION(zeroed_weights);
}
