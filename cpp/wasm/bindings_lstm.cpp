#include <attn/lstm.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<LstmWeights> : FieldList<Field<"input", &LstmWeights::input>,
                                       Field<"state", &LstmWeights::state>,
                                       Field<"bias", &LstmWeights::bias>> {};

template <>
struct Fields<LstmTrace>
    : FieldList<Field<"input_gate", &LstmTrace::input_gate>,
                Field<"forget_gate", &LstmTrace::forget_gate>,
                Field<"candidate", &LstmTrace::candidate>,
                Field<"output_gate", &LstmTrace::output_gate>,
                Field<"cells", &LstmTrace::cells>,
                Field<"states", &LstmTrace::states>> {};

template <>
struct Fields<LstmPaths>
    : FieldList<Field<"forget_path", &LstmPaths::forget_path>,
                Field<"full", &LstmPaths::full>,
                Field<"norms", &LstmPaths::norms>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_lstm) {
  ATTN_FUNCTION(lstm_forward);
  ATTN_FUNCTION(lstm_jacobian);
  ATTN_FUNCTION(lstm_paths);
  ATTN_FUNCTION(forget_path);
}
