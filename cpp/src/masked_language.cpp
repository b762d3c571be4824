#include <attn/error.hpp>
#include <attn/masked_language.hpp>
#include <attn/matrix.hpp>
#include <attn/rng.hpp>
#include <string>

namespace attn {
namespace {

bool is_share(double v) { return v >= 0 && v <= 1; }

void check(const MaskRates& r) {
  // The sum may exceed 1 by rounding: 0.8 + 0.2 does not, 0.7 + 0.3 might.
  if (!is_share(r.select) || !is_share(r.mask) || !is_share(r.random) ||
      r.mask + r.random > 1 + 1e-12)
    throw Error(ErrorCode::kInvalidArgument,
                "rates must lie in 0 to 1, mask and random together too");
}

void check_draws(const char* name, const std::vector<double>& draws) {
  for (const double u : draws)
    if (!is_share(u))
      throw Error(ErrorCode::kInvalidArgument,
                  std::string(name) + " must lie in 0 to 1");
}

// #region mask_action
MaskAction mask_action(double u_select, double u_action, const MaskRates& r) {
  if (u_select >= r.select) return MaskAction::kNone;
  if (u_action < r.mask) return MaskAction::kMask;
  if (u_action < r.mask + r.random) return MaskAction::kRandom;
  return MaskAction::kKeep;
}
// #endregion mask_action

}  // namespace

MaskPlan plan_masks(const std::vector<double>& u_select,
                    const std::vector<double>& u_action,
                    const MaskRates& rates) {
  check(rates);
  if (u_select.size() != u_action.size())
    throw Error(ErrorCode::kShapeMismatch, "u_select has " +
                                               std::to_string(u_select.size()) +
                                               " numbers but u_action has " +
                                               std::to_string(u_action.size()));
  if (u_select.empty())
    throw Error(ErrorCode::kEmptyInput, "u_select is empty");
  require_size("u_select", static_cast<Index>(u_select.size()), 1);
  check_draws("u_select", u_select);
  check_draws("u_action", u_action);
  MaskPlan plan;
  for (size_t i = 0; i < u_select.size(); ++i) {
    plan.actions.push_back(mask_action(u_select[i], u_action[i], rates));
    if (plan.actions.back() != MaskAction::kNone)
      plan.loss_positions.push_back(static_cast<int>(i));
  }
  return plan;
}

MaskPlan plan_masks_seeded(std::uint32_t seed, int count,
                           const MaskRates& rates) {
  if (count < 1) throw Error(ErrorCode::kEmptyInput, "count is below 1");
  require_size("tokens", count, 1);
  Rng rng(seed);
  std::vector<double> u_select;
  std::vector<double> u_action;
  for (int i = 0; i < count; ++i) {
    u_select.push_back(rng.uniform());
    u_action.push_back(rng.uniform());
  }
  return plan_masks(u_select, u_action, rates);
}

MaskShares mask_shares(const MaskRates& rates) {
  check(rates);
  const double keep = rates.select * (1 - rates.mask - rates.random);
  return {rates.select * rates.mask, rates.select * rates.random, keep,
          1 - rates.select, 1 - rates.select + keep};
}

}  // namespace attn
