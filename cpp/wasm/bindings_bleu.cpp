#include <attn/bleu.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<NgramPrecision>
    : FieldList<Field<"clipped", &NgramPrecision::clipped>,
                Field<"total", &NgramPrecision::total>> {};

template <>
struct Fields<Bleu>
    : FieldList<Field<"precisions", &Bleu::precisions>,
                Field<"brevity_penalty", &Bleu::brevity_penalty>,
                Field<"reference_length", &Bleu::reference_length>,
                Field<"score", &Bleu::score>> {};

template <>
struct Fields<Link> : FieldList<Field<"target", &Link::target>,
                                Field<"source", &Link::source>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_bleu) {
  ATTN_FUNCTION(bleu);
  ATTN_FUNCTION(corpus_bleu);
  ATTN_FUNCTION(argmax_links);
  ATTN_FUNCTION(alignment_error_rate);
}
