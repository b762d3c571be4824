#pragma once

#include <cstdint>
#include <vector>

namespace attn {

/// What happens to one token before BERT has to predict it.
enum class MaskAction {
  kNone,    ///< not chosen: no loss here
  kMask,    ///< replaced by the mask symbol
  kRandom,  ///< replaced by a random token
  kKeep,    ///< left as it is, and still to be predicted
};

/// The shares of Devlin et al. 2019, sec. 3.1 and App. A.1.
struct MaskRates {
  double select = 0.15;  ///< of all tokens
  double mask = 0.8;     ///< of the chosen ones
  double random = 0.1;   ///< of the chosen ones; the rest is kept
};

struct MaskPlan {
  std::vector<MaskAction> actions;  ///< one a token
  std::vector<int> loss_positions;  ///< every chosen place, kept ones too
};

/// Chosen when `u_select < select`; then masked when `u_action < mask`, random
/// when below mask + random, else kept.
///
/// @param u_select, u_action  one number of [0, 1) a token, at most 2^22
/// @throws Error kShapeMismatch (lists of unequal length), kEmptyInput,
///   kInvalidArgument (a number or a rate outside [0, 1]), kTooLarge
MaskPlan plan_masks(const std::vector<double>& u_select,
                    const std::vector<double>& u_action,
                    const MaskRates& rates = {});

/// The same with numbers drawn from `seed`: u_select, then u_action, for every
/// token in turn.
/// @throws Error kEmptyInput (count < 1), kInvalidArgument, kTooLarge
MaskPlan plan_masks_seeded(std::uint32_t seed, int count,
                           const MaskRates& rates = {});

/// The shares of all tokens that one expects.
struct MaskShares {
  double mask;
  double random;
  double keep;
  double untouched;        ///< not chosen
  double looks_unchanged;  ///< not chosen or kept
};
/// @throws Error kInvalidArgument
MaskShares mask_shares(const MaskRates& rates = {});

}  // namespace attn
