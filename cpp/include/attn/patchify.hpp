#pragma once

#include <attn/matrix.hpp>
#include <vector>

namespace attn {

/// A picture, row by row; inside a row column by column; inside a pixel channel
/// by channel: `data[(row · width + column) · channels + channel]`.
struct Image {
  int height = 0;
  int width = 0;
  int channels = 0;
  std::vector<double> data;  ///< height · width · channels
};

/// Cuts a picture into square patches, one token each (Dosovitskiy et al. 2021,
/// sec. 3.1): patches row by row; inside a patch row, column, channel.
///
/// @param image  height and width divisible by `patch`; ≤ kReferenceLimit
/// @returns (height/patch · width/patch) × (patch² · channels)
/// @throws Error kShapeMismatch (data of another length, sides not divisible),
///   kEmptyInput, kInvalidArgument (patch < 1), kNotFinite, kTooLarge
Matrix patchify(const Image& image, int patch);

/// The inverse of `patchify`.
/// @param tokens  as patchify returns them for such a picture
/// @throws Error kShapeMismatch, kInvalidArgument, kNotFinite, kTooLarge
Image unpatchify(const Matrix& tokens, int height, int width, int channels,
                 int patch);

/// Mean of each channel in each patch: what a lab names the colour by.
/// @returns tokens × channels
Matrix patch_means(const Image& image, int patch);

/// A position code for a grid: the first d/2 numbers are the sinusoidal code of
/// the row, the last d/2 that of the column; patches row by row.
///
/// @param d  divisible by 4
/// @returns (rows · cols) × d
/// @throws Error kInvalidArgument, kTooLarge
Matrix grid_positions(int rows, int cols, int d);

/// What a cut costs, before making it. Exact up to 2^53.
struct PatchCounts {
  double tokens;             ///< (side / patch)²
  double width;              ///< patch² · channels
  double with_class;         ///< tokens + 1
  double attention_entries;  ///< with_class², a head
};

/// @param side  of a square picture, divisible by `patch`
/// @throws Error kInvalidArgument, kShapeMismatch, kTooLarge
PatchCounts patch_counts(int side, int patch, int channels);

}  // namespace attn
