#include <attn/performer.hpp>

#include "fields_counted.hpp"
#include "fields_spread.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<FeatureKind>
    : WordList<"positive", "hyperbolic", "trigonometric"> {};

template <>
struct Fields<KernelEstimate>
    : FieldList<Field<"exact", &KernelEstimate::exact>,
                Field<"estimate", &KernelEstimate::estimate>,
                Field<"relative_error", &KernelEstimate::relative_error>> {};

template <>
struct Fields<KernelMse>
    : FieldList<Field<"exact", &KernelMse::exact>,
                Field<"norm2_sum", &KernelMse::norm2_sum>,
                Field<"norm2_difference", &KernelMse::norm2_difference>,
                Field<"positive", &KernelMse::positive>,
                Field<"hyperbolic", &KernelMse::hyperbolic>,
                Field<"trigonometric", &KernelMse::trigonometric>> {};

template <>
struct Fields<KernelMeasurement>
    : FieldList<Field<"exact", &KernelMeasurement::exact>,
                Field<"mean", &KernelMeasurement::mean>,
                Field<"bias", &KernelMeasurement::bias>,
                Field<"variance", &KernelMeasurement::variance>,
                Field<"mse", &KernelMeasurement::mse>,
                Field<"standard_error", &KernelMeasurement::standard_error>> {};

template <>
struct Fields<PerformerTrace>
    : FieldList<Field<"query_features", &PerformerTrace::query_features>,
                Field<"key_features", &PerformerTrace::key_features>,
                Field<"key_values", &PerformerTrace::key_values>,
                Field<"key_sum", &PerformerTrace::key_sum>,
                Field<"normaliser", &PerformerTrace::normaliser>,
                Field<"output", &PerformerTrace::output>,
                Field<"vanished", &PerformerTrace::vanished>> {};

template <>
struct Fields<PerformerQuadraticTrace>
    : FieldList<Field<"kernel", &PerformerQuadraticTrace::kernel>,
                Field<"normaliser", &PerformerQuadraticTrace::normaliser>,
                Field<"output", &PerformerQuadraticTrace::output>,
                Field<"vanished", &PerformerQuadraticTrace::vanished>> {};

template <>
struct Fields<PerformerOperations>
    : FieldList<Field<"linear", &PerformerOperations::linear>,
                Field<"quadratic", &PerformerOperations::quadratic>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_performer) {
  ATTN_FUNCTION(random_features);
  ATTN_FUNCTION(gaussian_omega);
  ATTN_FUNCTION(orthogonal_omega);
  ATTN_FUNCTION(gram_schmidt);
  ATTN_FUNCTION(kernel_estimate);
  ATTN_FUNCTION(kernel_expectation);
  ATTN_FUNCTION(kernel_mse);
  ATTN_FUNCTION(kernel_deviation);
  ATTN_FUNCTION(relative_deviation);
  ATTN_FUNCTION(features_needed);
  ATTN_FUNCTION(measure_kernel);
  ATTN_FUNCTION(performer_attention);
  ATTN_FUNCTION(performer_errors);
  ATTN_FUNCTION(performer_quadratic);
  ATTN_FUNCTION(performer_operations);
}
