#pragma once

#include <attn/matrix.hpp>
#include <vector>

/// Rotary positions, Su et al. 2021, eqs. (12), (15), (16), (34): each pair of
/// coordinates of a query or a key (never of a value) is turned by
/// pos·θ_i, θ_i = base^(−2i/d), so a query at m and a key at n meet at n − m.
///
/// Conventions. One row is one token; places count from 0 and may be fractions;
/// width d is even; the scores are not divided by √d. Position interpolation
/// (Chen et al. 2023, eq. 4) multiplies every place by position_scale = L/L′.
/// @throws, all functions: Error kInvalidArgument unless d is even and ≥ 2,
/// base ≥ 1 and position_scale > 0; kNotFinite, kEmptyInput; kTooLarge over
/// 2^22 doubles; kInvalidArgument for a place beyond ± 2^31
namespace attn {

enum class RotaryLayout {
  kInterleaved,  ///< pairs (x_0, x_1), (x_2, x_3), …: the paper
  kHalfSplit,  ///< pairs (x_0, x_{d/2}), (x_1, x_{d/2+1}), …: GPT-NeoX, LLaMA
};

struct Rotary {
  RotaryLayout layout = RotaryLayout::kInterleaved;
  double base = 10000;
  double position_scale = 1;
};

/// θ_0 … θ_{d/2−1}, falling from 1.
std::vector<double> rotary_frequencies(Index d, double base);

/// Row i of `x`, n × d, turned by positions[i]. Lengths do not change, and
/// turning by −positions undoes it, which is also how a gradient goes back.
/// @throws also Error kShapeMismatch unless there is one place for each row;
/// kDiverged when a turned number overflows
Matrix rotate(const Matrix& x, const std::vector<double>& positions,
              const Rotary& rotary);

/// q  n × d, k  m × d, each row at its place; output n × m: the product of the
/// turned queries with the turned keys.
/// @throws also Error kShapeMismatch; kDiverged when a sum overflows
Matrix rotary_scores(const Matrix& q, const Matrix& k,
                     const std::vector<double>& q_positions,
                     const std::vector<double>& k_positions,
                     const Rotary& rotary);

/// Columns moved so that rotate(…, kHalfSplit) does to the result what
/// rotate(…, kInterleaved) does to `x`.
Matrix to_half_split(const Matrix& x);
/// The way back.
Matrix to_interleaved(const Matrix& x);

/// For each distance, the mean of cos(distance·θ_i): the score of all-ones q
/// and k, as a share of its value at distance 0. It falls with distance; other
/// q and k need not (Barbero et al. 2025, Prop. 3.1).
std::vector<double> rotary_decay(const std::vector<double>& distances, Index d,
                                 double base);

/// Of the d/2 pairs, those whose wavelength 2π/θ_i is over `length`: they have
/// never completed a turn within that many tokens, so they meet new angles
/// beyond it, while the others only come round again.
/// @throws also Error kInvalidArgument when length ≤ 0
Index unseen_pairs(double length, Index d, double base);

/// Of the pairs above (at the trained length), those that do meet a new angle
/// when `tested` tokens are read with every place scaled by `position_scale`:
/// none as long as tested · position_scale ≤ trained.
/// @throws also Error kInvalidArgument when a length or the scale is ≤ 0
Index pairs_at_new_angles(double trained, double tested, Index d, double base,
                          double position_scale);

}  // namespace attn
