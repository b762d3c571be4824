#include <attn/mixture_of_experts.hpp>

#include "fields_layers.hpp"
#include "marshal.hpp"

namespace attn::wasm {

template <>
struct Words<Gating> : WordList<"raw", "renormalised"> {};

template <>
struct Fields<Routing>
    : FieldList<Field<"probabilities", &Routing::probabilities>,
                Field<"experts", &Routing::experts>,
                Field<"gates", &Routing::gates>, Field<"k", &Routing::k>> {};

template <>
struct Fields<BalanceLoss>
    : FieldList<Field<"fraction", &BalanceLoss::fraction>,
                Field<"probability", &BalanceLoss::probability>,
                Field<"switch_loss", &BalanceLoss::switch_loss>,
                Field<"gshard_loss", &BalanceLoss::gshard_loss>,
                Field<"importance", &BalanceLoss::importance>,
                Field<"importance_cv2", &BalanceLoss::importance_cv2>> {};

template <>
struct Fields<Dispatch> : FieldList<Field<"capacity", &Dispatch::capacity>,
                                    Field<"kept", &Dispatch::kept>,
                                    Field<"load", &Dispatch::load>> {};

template <>
struct Fields<MixtureTrace>
    : FieldList<Field<"routing", &MixtureTrace::routing>,
                Field<"output", &MixtureTrace::output>> {};

template <>
struct Fields<MixtureCounts>
    : FieldList<Field<"dense_parameters", &MixtureCounts::dense_parameters>,
                Field<"expert_parameters", &MixtureCounts::expert_parameters>,
                Field<"router_parameters", &MixtureCounts::router_parameters>,
                Field<"flops_per_token", &MixtureCounts::flops_per_token>> {};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attn_mixture_of_experts) {
  ATTN_FUNCTION(route_tokens);
  ATTN_FUNCTION(balance_loss);
  ATTN_FUNCTION(dispatch_tokens);
  ATTN_FUNCTION(mixture_of_experts);
  ATTN_FUNCTION(mixture_counts);
}
