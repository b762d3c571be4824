#include <attn/kv_cache.hpp>

#include "fields_attention.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<CacheStep> : FieldList<Field<"keys", &CacheStep::keys>,
                                     Field<"values", &CacheStep::values>,
                                     Field<"trace", &CacheStep::trace>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_kv_cache) { ATTN_FUNCTION(cache_step); }
