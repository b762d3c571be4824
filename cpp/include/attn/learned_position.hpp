#pragma once

#include <attn/matrix.hpp>
#include <vector>

/// Learned positions: a table with one trained row for each place, and nothing
/// at all beyond its last row.
///
/// Conventions. One row is one place, places count from 0.
/// Gehring et al. 2017; BERT, Devlin et al. 2019; the stretching of a trained
/// table is that of ViT, Dosovitskiy et al. 2021, section 3.2, here for one
/// axis. Limit: 2^22 doubles for the table and the result.
namespace attn {

/// Row positions[i] of `table` at row i.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument for a
/// place that is negative or beyond the table
Matrix learned_lookup(const Matrix& table, const std::vector<int>& positions);

/// `table`, L × d, stretched or squeezed to `length` rows by linear
/// interpolation between neighbours. The ends stay the ends (row i is read at
/// i·(L − 1)/(length − 1)), as in ViT's released code; a length of 1 keeps row
/// 0.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument when
/// length < 1
Matrix interpolate_positions(const Matrix& table, Index length);

enum class BeyondTable {
  kRefuse,       ///< there is no such row
  kInterpolate,  ///< stretch the whole table over the longer sequence
};

/// The rows for a sequence of `length` tokens: the first `length` rows of the
/// table, or, when it is longer than the table, what `beyond` says.
/// @throws Error as interpolate_positions; kInvalidArgument when the length is
/// over the table's and `beyond` is kRefuse
Matrix learned_positions(const Matrix& table, Index length, BeyondTable beyond);

}  // namespace attn
