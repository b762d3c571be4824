#include <attn/rotary.hpp>

#include "fields_rotary.hpp"
#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_rotary) {
  ATTN_FUNCTION(rotary_frequencies);
  ATTN_FUNCTION(rotate);
  ATTN_FUNCTION(rotary_scores);
  ATTN_FUNCTION(to_half_split);
  ATTN_FUNCTION(to_interleaved);
  ATTN_FUNCTION(rotary_decay);
  ATTN_FUNCTION(unseen_pairs);
  ATTN_FUNCTION(pairs_at_new_angles);
}
