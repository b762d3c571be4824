#include <attn/feed_forward.hpp>

#include "fields_layers.hpp"
#include "marshal.hpp"

EMSCRIPTEN_BINDINGS(attn_feed_forward) {
  ATTN_FUNCTION(activate);
  ATTN_FUNCTION(feed_forward);
  ATTN_FUNCTION(feed_forward_backward);
  ATTN_FUNCTION(feed_forward_parameters);
}
