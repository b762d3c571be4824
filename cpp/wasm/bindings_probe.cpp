#include <attn/probe.hpp>

#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Fields<LinearProbe>
    : FieldList<Field<"w", &LinearProbe::w>, Field<"b", &LinearProbe::b>> {};

template <>
struct Fields<MlpProbe>
    : FieldList<Field<"w1", &MlpProbe::w1>, Field<"b1", &MlpProbe::b1>,
                Field<"w2", &MlpProbe::w2>, Field<"b2", &MlpProbe::b2>> {};

template <>
struct Fields<ProbeGradient>
    : FieldList<Field<"loss", &ProbeGradient::loss>,
                Field<"accuracy", &ProbeGradient::accuracy>,
                Field<"d_w", &ProbeGradient::d_w>,
                Field<"d_b", &ProbeGradient::d_b>> {};

template <>
struct Fields<ProbeHistory>
    : FieldList<Field<"loss", &ProbeHistory::loss>,
                Field<"accuracy", &ProbeHistory::accuracy>> {};

template <>
struct Fields<LinearProbeRun>
    : FieldList<Field<"probe", &LinearProbeRun::probe>,
                Field<"history", &LinearProbeRun::history>> {};

template <>
struct Fields<MlpProbeRun>
    : FieldList<Field<"probe", &MlpProbeRun::probe>,
                Field<"history", &MlpProbeRun::history>> {};

template <>
struct Fields<ScalarMix>
    : FieldList<Field<"weights", &ScalarMix::weights>,
                Field<"mixed", &ScalarMix::mixed>,
                Field<"center_of_gravity", &ScalarMix::center_of_gravity>> {};

template <>
struct Fields<ExpectedLayer>
    : FieldList<Field<"gains", &ExpectedLayer::gains>,
                Field<"layer", &ExpectedLayer::layer>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_probe) {
  ATTN_FUNCTION(probe_gradient);
  ATTN_FUNCTION(train_linear_probe);
  ATTN_FUNCTION(train_mlp_probe);
  ATTN_FUNCTION(control_labels);
  ATTN_FUNCTION(selectivity);
  ATTN_FUNCTION(scalar_mix);
  ATTN_FUNCTION(expected_layer);
}
