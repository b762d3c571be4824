#pragma once

#include <attn/fast/matrix.hpp>

namespace attn::fast {

/// Rows of equal distance; how many and how wide is known from elsewhere.
template <class Pointer>
struct RowsOf {
  Pointer data;
  Index stride;

  [[nodiscard]] Pointer row(Index i) const { return data + i * stride; }
};
using Rows = RowsOf<float*>;
using ConstRows = RowsOf<const float*>;

}  // namespace attn::fast
