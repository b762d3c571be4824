#include <attn/recurrent.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<RnnTrace> : FieldList<Field<"before", &RnnTrace::before>,
                                    Field<"states", &RnnTrace::states>> {};

template <>
struct Fields<JacobianChain>
    : FieldList<Field<"products", &JacobianChain::products>,
                Field<"norms", &JacobianChain::norms>> {};

template <>
struct Fields<GradientTrace>
    : FieldList<Field<"gradients", &GradientTrace::gradients>,
                Field<"norms", &GradientTrace::norms>> {};

template <>
struct Fields<Eigenvalues>
    : FieldList<Field<"real", &Eigenvalues::real>,
                Field<"imaginary", &Eigenvalues::imaginary>> {};

template <>
struct Fields<PowerIteration>
    : FieldList<Field<"value", &PowerIteration::value>,
                Field<"vector", &PowerIteration::vector>,
                Field<"residual", &PowerIteration::residual>,
                Field<"steps", &PowerIteration::steps>,
                Field<"converged", &PowerIteration::converged>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_recurrent) {
  ATTN_FUNCTION(powers);
  ATTN_FUNCTION(half_life);
  ATTN_FUNCTION(doubling_time);
  ATTN_FUNCTION(rnn_forward);
  ATTN_FUNCTION(step_jacobian);
  ATTN_FUNCTION(matrix_powers);
  ATTN_FUNCTION(rnn_jacobians);
  ATTN_FUNCTION(rnn_gradient);
  ATTN_FUNCTION(spectral_norm);
  ATTN_FUNCTION(spectral_radius);
  ATTN_FUNCTION(eigenvalues_2x2);
  ATTN_FUNCTION(power_iteration);
}
