#pragma once

#include <attn/matrix.hpp>
#include <attn/rotary.hpp>
#include <vector>

/// Broken on purpose, as attention.hpp: the faults that concern places.
namespace attn::museum {

/// attn::sinusoidal_positions that takes 2i for the place: an even place gets
/// sines alone, an odd one cosines alone, so that the first row is all zeros.
/// @throws Error as sinusoidal_positions; kInvalidArgument for a place that is
/// no whole number
Matrix sinusoidal_by_parity(const std::vector<double>& positions, Index d,
                            double base);

/// attn::rotate before the heads are cut apart: with half-split pairs the two
/// halves of a pair land in different heads.
/// @param x  n × d_model, the heads side by side
/// @throws Error as rotate
Matrix rotate_across_heads(const Matrix& x,
                           const std::vector<double>& positions,
                           const Rotary& rotary);

/// attn::alibi_slopes of the released code for weights trained with it, but
/// 2^(−8h/H) for every H: wrong unless H is a power of two.
/// @throws Error as alibi_slopes
std::vector<double> alibi_slopes_one_formula(Index heads);

}  // namespace attn::museum
