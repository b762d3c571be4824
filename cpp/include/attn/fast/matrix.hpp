#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The fast layer: float32, tiled, four lanes at a time, and tested equal to
/// the reference layer to 1e-5 of the largest number. It shares the reference's
/// error codes, and nothing else: no Eigen, so that no inline function of Eigen
/// is compiled twice with different flags.
namespace attn::fast {

using Index = std::ptrdiff_t;

/// No operand holds more numbers than this (64 MiB of floats).
inline constexpr Index kFastLimit = Index{1} << 24;

/// Row-major: `data[i * cols + j]` is row i, column j. One row is one token.
template <class T>
struct MatrixOf {
  Index rows = 0;
  Index cols = 0;
  std::vector<T> data;

  MatrixOf() = default;
  MatrixOf(Index r, Index c)
      : rows(r), cols(c), data(static_cast<std::size_t>(r * c)) {}
  [[nodiscard]] T* row(Index i) { return data.data() + i * cols; }
  [[nodiscard]] const T* row(Index i) const { return data.data() + i * cols; }
};

using Matrix = MatrixOf<float>;
/// n × m of 0 (hidden) and 1 (visible).
using Mask = MatrixOf<std::uint8_t>;

}  // namespace attn::fast
