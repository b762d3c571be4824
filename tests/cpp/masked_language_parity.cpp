#include <attn/masked_language.hpp>

#include "parity.hpp"

namespace {

parity::Numbers flat(const attn::MaskPlan& plan) {
  parity::Numbers out;
  for (const auto a : plan.actions) out.add(static_cast<double>(a));
  out.add(plan.loss_positions);
  return out;
}

}  // namespace

PARITY(plan_masks, kBits) {
  std::vector<double> select;
  std::vector<double> action;
  for (int i = 0; i < 30; ++i) {
    select.push_back(rng.uniform());
    action.push_back(rng.uniform());
  }
  return flat(attn::plan_masks(select, action, {0.5, 0.4, 0.3}));
}
PARITY(plan_masks_seeded, kBits) {
  return flat(
      attn::plan_masks_seeded(static_cast<unsigned>(rng.below(1 << 20)), 100));
}
PARITY(mask_shares, kBits) {
  const auto s = attn::mask_shares({rng.uniform(), 0.5, 0.25});
  return {s.mask, s.random, s.keep, s.untouched, s.looks_unchanged};
}
