#include <attn/patchify.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<Image>
    : FieldList<Field<"height", &Image::height>, Field<"width", &Image::width>,
                Field<"channels", &Image::channels>,
                Field<"data", &Image::data>> {};

template <>
struct Fields<PatchCounts>
    : FieldList<Field<"tokens", &PatchCounts::tokens>,
                Field<"width", &PatchCounts::width>,
                Field<"with_class", &PatchCounts::with_class>,
                Field<"attention_entries", &PatchCounts::attention_entries>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_patchify) {
  ATTN_FUNCTION(patchify);
  ATTN_FUNCTION(unpatchify);
  ATTN_FUNCTION(patch_means);
  ATTN_FUNCTION(grid_positions);
  ATTN_FUNCTION(patch_counts);
}
