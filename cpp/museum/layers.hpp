#pragma once

#include <attn/encoder.hpp>
#include <attn/layer_norm.hpp>
#include <attn/matrix.hpp>
#include <vector>

/// Broken on purpose, as attention.hpp: the faults around attention.
namespace attn::museum {

/// attn::layer_norm with the sample variance, divided by d − 1.
/// @throws Error as layer_norm; kInvalidArgument when d < 2
NormTrace layer_norm_sample(const Matrix& x, const Affine& affine = {},
                            double epsilon = 1e-5);

/// attn::encoder_layer with pre-norm and post-norm swapped.
/// @throws Error as encoder_layer
EncoderTrace encoder_layer_swapped(const Matrix& x,
                                   const EncoderWeights& weights,
                                   const LayerOptions& options = {});

/// The mean of the rows that are real, divided by the number of all rows: the
/// more padding, the smaller. attn::mean_row of the real rows is right.
/// @param real_rows  one flag a row: false for padding
/// @throws Error as mean_row; kShapeMismatch unless there is a flag for each
/// row
Matrix mean_row_padded(const Matrix& m, const std::vector<bool>& real_rows);

}  // namespace attn::museum
