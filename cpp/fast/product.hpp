#pragma once

#include <attn/fast/matrix.hpp>

namespace attn::fast {

/// A matrix read through two strides, so that a transpose costs nothing.
struct Strided {
  const float* data;
  Index rows;
  Index cols;
  Index row_stride;
  Index col_stride;

  [[nodiscard]] Strided transposed() const {
    return {data, cols, rows, col_stride, row_stride};
  }
};

/// c += a · b, with c row-major and of b.cols columns.
void add_product(const Strided& a, const Strided& b, float* c);

}  // namespace attn::fast
