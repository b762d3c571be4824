#include <attn/convolution.hpp>
#include <attn/error.hpp>
#include <cstdint>
#include <string>

#include "arguments.hpp"

namespace attn {
namespace {

void require_taps(std::int64_t taps, std::int64_t low, Padding padding) {
  require_between("taps", taps, low, kCountLimit);
  if (padding == Padding::kCentred && taps % 2 == 0)
    throw Error(ErrorCode::kInvalidArgument,
                "an even kernel has no middle tap to centre on");
}

void require_convolution(const Matrix& x, const Matrix& kernel, Index taps,
                         Index dilation, Padding padding) {
  require_valid("x", x);
  require_valid("kernel", kernel);
  require_taps(taps, 1, padding);
  require_between("dilation", dilation, 1, kReferenceLimit);
  if (kernel.rows() % taps != 0 || kernel.rows() / taps != x.cols())
    throw Error(ErrorCode::kShapeMismatch,
                "kernel is " + shape(kernel) + ", not " + std::to_string(taps) +
                    " taps of " + std::to_string(x.cols()) + " channels");
  require_size("the output", x.rows(), kernel.cols());
}

std::int64_t ceiling(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace

// #region convolution
Matrix convolution(const Matrix& x, const Matrix& kernel, Index taps,
                   Index dilation, Padding padding) {
  require_convolution(x, kernel, taps, dilation, padding);
  const Index m = x.cols();
  const std::int64_t span = std::int64_t{taps - 1} * dilation;
  const std::int64_t reach = padding == Padding::kCausal ? span : span / 2;
  Matrix y = Matrix::Zero(x.rows(), kernel.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index t = 0; t < taps; ++t) {
      const std::int64_t place = i - reach + std::int64_t{t} * dilation;
      if (place < 0 || place >= x.rows()) continue;
      const auto from = static_cast<Index>(place);
      for (Index c = 0; c < m; ++c)
        for (Index j = 0; j < y.cols(); ++j)
          y(i, j) += x(from, c) * kernel(t * m + c, j);
    }
  require_no_overflow("a sum", y);
  return y;
}
// #endregion convolution

// #region receptive_field
std::int64_t receptive_field(std::int64_t taps,
                             const std::vector<std::int64_t>& dilations) {
  require_between("taps", taps, 1, kReferenceLimit);
  if (dilations.empty())
    throw Error(ErrorCode::kEmptyInput, "there is no layer");
  std::int64_t field = 1;
  for (const std::int64_t dilation : dilations) {
    require_between("a dilation", dilation, 1, kCountLimit);
    field += checked_product("the field", taps - 1, dilation);
    require_count("the field", field, 1, kCountLimit);
  }
  return field;
}
// #endregion receptive_field

std::vector<std::int64_t> full_dilations(std::int64_t taps,
                                         std::int64_t layers) {
  require_between("taps", taps, 2, kReferenceLimit);
  require_count("layers", layers, 1, 53);
  std::vector<std::int64_t> out;
  std::int64_t dilation = 1;
  for (std::int64_t l = 0; l < layers; ++l) {
    out.push_back(dilation);
    dilation = checked_product("the field", dilation, taps);
  }
  return out;
}

// #region contiguous_layers
std::int64_t contiguous_layers(std::int64_t distance, std::int64_t taps,
                               Padding padding) {
  require_taps(taps, 2, padding);
  require_count("distance", distance, 0, kCountLimit);
  const std::int64_t reach =
      padding == Padding::kCausal ? taps - 1 : (taps - 1) / 2;
  return ceiling(distance, reach);
}
// #endregion contiguous_layers

// #region dilated_layers
std::int64_t dilated_layers(std::int64_t distance, std::int64_t taps,
                            Padding padding) {
  require_taps(taps, 2, padding);
  require_count("distance", distance, 0, kCountLimit / 2);
  const std::int64_t sides = padding == Padding::kCausal ? 1 : 2;
  const std::int64_t needed = sides * distance + 1;
  std::int64_t layers = 0;
  for (std::int64_t field = 1; field < needed; ++layers)
    field = field > needed / taps ? needed : field * taps;
  return layers;
}
// #endregion dilated_layers

}  // namespace attn
