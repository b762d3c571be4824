#include <attn/projection.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<QueryKeyValue>
    : FieldList<Field<"q", &QueryKeyValue::q>, Field<"k", &QueryKeyValue::k>,
                Field<"v", &QueryKeyValue::v>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_projection) {
  ATTN_FUNCTION(project);
  ATTN_FUNCTION(project_qkv);
  ATTN_FUNCTION(query_key_product);
}
