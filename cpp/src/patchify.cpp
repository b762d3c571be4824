#include <attn/error.hpp>
#include <attn/patchify.hpp>
#include <attn/sinusoidal.hpp>
#include <cmath>
#include <string>

namespace attn {
namespace {

constexpr double kBase = 10000;  // Vaswani et al. 2017, sec. 3.5

void check_sides(int height, int width, int channels, int patch) {
  if (patch < 1 || height < 0 || width < 0 || channels < 0)
    throw Error(ErrorCode::kInvalidArgument,
                "sides, channels and patch must be positive");
  if (height == 0 || width == 0 || channels == 0)
    throw Error(ErrorCode::kEmptyInput, "the image has no pixel");
  if (height % patch != 0 || width % patch != 0)
    throw Error(
        ErrorCode::kShapeMismatch,
        "an image of " + std::to_string(height) + "x" + std::to_string(width) +
            " does not divide into patches of " + std::to_string(patch));
  require_size("image row", width, channels);
  require_size("image", height, Index{width} * channels);
}

void check(const Image& image, int patch) {
  check_sides(image.height, image.width, image.channels, patch);
  const auto want = static_cast<size_t>(image.height) *
                    static_cast<size_t>(image.width) *
                    static_cast<size_t>(image.channels);
  if (image.data.size() != want)
    throw Error(ErrorCode::kShapeMismatch,
                "image holds " + std::to_string(image.data.size()) +
                    " numbers but its sides ask for " + std::to_string(want));
  for (const double v : image.data)
    if (!std::isfinite(v))
      throw Error(ErrorCode::kNotFinite, "image is not finite");
}

/// Calls `visit(token, place, offset)` for every number: its token, its place
/// in the token, its offset in the image's data.
template <class F>
void for_each_place(int height, int width, int channels, int patch, F&& visit) {
  const int across = width / patch;
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c)
      for (int k = 0; k < channels; ++k) {
        const Index token = Index{r / patch} * across + c / patch;
        const Index place =
            (Index{r % patch} * patch + c % patch) * channels + k;
        visit(token, place,
              (static_cast<size_t>(r) * static_cast<size_t>(width) +
               static_cast<size_t>(c)) *
                      static_cast<size_t>(channels) +
                  static_cast<size_t>(k));
      }
}

}  // namespace

// #region patchify
Matrix patchify(const Image& image, int patch) {
  check(image, patch);
  Matrix tokens(Index{image.height / patch} * (image.width / patch),
                Index{patch} * patch * image.channels);
  for_each_place(image.height, image.width, image.channels, patch,
                 [&](Index token, Index place, size_t offset) {
                   tokens(token, place) = image.data[offset];
                 });
  return tokens;
}
// #endregion patchify

Image unpatchify(const Matrix& tokens, int height, int width, int channels,
                 int patch) {
  check_sides(height, width, channels, patch);
  require_valid("tokens", tokens);
  const Index rows = Index{height / patch} * (width / patch);
  const Index cols = Index{patch} * patch * channels;
  if (tokens.rows() != rows || tokens.cols() != cols)
    throw Error(ErrorCode::kShapeMismatch,
                "tokens is " + shape(tokens) + " but the image needs " +
                    std::to_string(rows) + "x" + std::to_string(cols));
  Image image{height, width, channels, {}};
  image.data.resize(static_cast<size_t>(tokens.size()));
  for_each_place(height, width, channels, patch,
                 [&](Index token, Index place, size_t offset) {
                   image.data[offset] = tokens(token, place);
                 });
  return image;
}

Matrix patch_means(const Image& image, int patch) {
  check(image, patch);
  Matrix means = Matrix::Zero(
      Index{image.height / patch} * (image.width / patch), image.channels);
  for_each_place(image.height, image.width, image.channels, patch,
                 [&](Index token, Index place, size_t offset) {
                   means(token, place % image.channels) += image.data[offset];
                 });
  return means / (static_cast<double>(patch) * patch);
}

Matrix grid_positions(int rows, int cols, int d) {
  if (rows < 1 || cols < 1 || d < 4 || d % 4 != 0)
    throw Error(ErrorCode::kInvalidArgument,
                "rows and cols must be positive, d divisible by 4");
  require_size("grid", rows, cols);
  require_size("positions", Index{rows} * cols, d);
  const Matrix row_code = sinusoidal_table(rows, d / 2, kBase);
  const Matrix col_code = sinusoidal_table(cols, d / 2, kBase);
  Matrix out(Index{rows} * cols, d);
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < cols; ++c)
      for (Index j = 0; j < d; ++j)
        out(r * cols + c, j) =
            j < d / 2 ? row_code(r, j) : col_code(c, j - d / 2);
  return out;
}

PatchCounts patch_counts(int side, int patch, int channels) {
  if (side < 1 || patch < 1 || channels < 1)
    throw Error(ErrorCode::kInvalidArgument,
                "side, patch and channels must be positive");
  if (side % patch != 0)
    throw Error(ErrorCode::kShapeMismatch,
                "a side of " + std::to_string(side) +
                    " does not divide into patches of " +
                    std::to_string(patch));
  const int across = side / patch;
  const double tokens = static_cast<double>(across) * across;
  const double with_class = tokens + 1;
  const double entries = with_class * with_class;
  if (entries > 9007199254740992.0)
    throw Error(ErrorCode::kTooLarge, "the count is over 2^53");
  return {tokens, static_cast<double>(patch) * patch * channels, with_class,
          entries};
}

}  // namespace attn
