#pragma once

#include <attn/matrix.hpp>
#include <vector>

/// Sinusoidal positions, Vaswani et al. 2017, section 3.5:
///     PE(pos, 2i) = sin(pos·ω_i), PE(pos, 2i + 1) = cos(pos·ω_i),
///     ω_i = base^(−2i/d), base = 10000 in the paper.
///
/// Conventions. One row is one token; places count from 0 and may be fractions;
/// width d is even. Angles are formed directly, so a place far from 0 loses
/// the digits that its size takes: an error of about pos · 1e-16.
/// @throws, all functions: Error kInvalidArgument unless d is even and ≥ 2 and
/// base ≥ 1; kNotFinite; kTooLarge when d > 2^22 or a result is over 2^22
/// doubles; kInvalidArgument for a place or an offset beyond ± 2^31
namespace attn {

/// ω_0 … ω_{d/2−1}, falling from 1.
std::vector<double> sinusoidal_frequencies(Index d, double base);

/// 2π/ω_i: tokens per turn of each pair. The longest is 2π·base^((d−2)/d),
/// short of the 2π·base that the paper names as the limit.
std::vector<double> sinusoidal_wavelengths(Index d, double base);

/// One row for each of `positions`, n × d.
/// @throws also Error kEmptyInput
Matrix sinusoidal_positions(const std::vector<double>& positions, Index d,
                            double base);

/// Rows for the places 0 … n − 1.
/// @throws also Error kInvalidArgument when n < 1
Matrix sinusoidal_table(Index n, Index d, double base);

/// M_k, d × d, block diagonal: M_k·PE(pos) = PE(pos + k) for the columns
/// PE(pos), whatever pos is; so a table of rows is multiplied by M_kᵀ.
Matrix sinusoidal_shift(double offset, Index d, double base);

/// PE(a)·PE(b) for every a − b = offset: Σ cos(offset·ω_i), the same for
/// −offset, so it tells distance without direction.
double sinusoidal_dot(double offset, Index d, double base);

/// |PE(a) − PE(b)| for every a − b = offset: 2·√Σ sin²(offset·ω_i/2).
double sinusoidal_distance(double offset, Index d, double base);

struct NearCollision {
  Index offset;
  double distance;
};

/// The whole offset in 1 … max_offset whose two codes are closest (the
/// smallest one, when several tie).
/// @throws also Error kInvalidArgument when max_offset < 1; kTooLarge when
/// max_offset · d/2 > 2^22
NearCollision sinusoidal_near_collision(Index max_offset, Index d, double base);

}  // namespace attn
