#include <attn/scaling.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<Scale> : WordList<"none", "root_of_dk"> {};

template <>
struct Fields<ScoreStatistics>
    : FieldList<
          Field<"max_weight", &ScoreStatistics::max_weight>,
          Field<"entropy", &ScoreStatistics::entropy>,
          Field<"jacobian_frobenius", &ScoreStatistics::jacobian_frobenius>,
          Field<"score_std", &ScoreStatistics::score_std>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_scaling) {
  ATTN_FUNCTION(dot_product_std);
  ATTN_FUNCTION(expected_larger_weight);
  ATTN_FUNCTION(score_statistics);
}
