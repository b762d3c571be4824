#include "product.hpp"

#include <algorithm>
#include <vector>

#include "block.hpp"

namespace attn::fast {
namespace {

// Sizes for a first-level cache of 32 KiB and a second-level one of 256 KiB or
// more: a panel of b and a block of a stay in the first, b's block in the
// second.
constexpr Index kDepth = 128;      // of the contraction at a time
constexpr Index kBlockRows = 48;   // of a, a multiple of kRows
constexpr Index kBlockCols = 256;  // of b
constexpr Index kPanel = 2 * kWidth;

/// to[x·kLanes + i] = strip i of `count`, place x of `depth`; other lanes 0.
template <Index kLanes>
void pack(const float* from, Index lane_stride, Index x_stride, Index count,
          Index depth, float* to) {
  for (Index x = 0; x < depth; ++x, to += kLanes) {
    const float* const at = from + x * x_stride;
    for (Index i = 0; i < count; ++i) to[i] = at[i * lane_stride];
    std::fill(to + count, to + kLanes, 0.0F);
  }
}

/// Columns that do not fill a panel go by way of a panel of their own.
void add_narrow(const float* a, const float* panel, Rows c, Index rows,
                Index cols, Index depth) {
  std::vector<float> whole(static_cast<std::size_t>(rows * kPanel));
  accumulate<1>(a, kBlockRows, {panel, kPanel}, {whole.data(), kPanel}, rows,
                kPanel, depth);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      c.data[i * c.stride + j] +=
          whole[static_cast<std::size_t>(i * kPanel + j)];
}

/// All rows of a, from the packed block of b: `cols` columns, `depth` deep.
void add_block(const Strided& a, Index x, Index depth, const float* b, Rows c,
               Index cols, float* packed_a) {
  for (Index row = 0; row < a.rows; row += kBlockRows) {
    const Index rows = std::min(kBlockRows, a.rows - row);
    pack<kBlockRows>(a.data + row * a.row_stride + x * a.col_stride,
                     a.row_stride, a.col_stride, rows, depth, packed_a);
    for (Index col = 0; col < cols; col += kPanel) {
      const float* const panel = b + col * depth;
      const Rows to{c.data + row * c.stride + col, c.stride};
      if (cols - col < kPanel)
        add_narrow(packed_a, panel, to, rows, cols - col, depth);
      else
        accumulate<1>(packed_a, kBlockRows, {panel, kPanel}, to, rows, kPanel,
                      depth);
    }
  }
}

}  // namespace

void add_product(const Strided& a, const Strided& b, float* c) {
  std::vector<float> packed_a(kBlockRows * kDepth);
  std::vector<float> packed_b(kBlockCols * kDepth);
  for (Index x = 0; x < b.rows; x += kDepth) {
    const Index depth = std::min(kDepth, b.rows - x);
    for (Index col = 0; col < b.cols; col += kBlockCols) {
      const Index cols = std::min(kBlockCols, b.cols - col);
      for (Index p = 0; p < cols; p += kPanel)
        pack<kPanel>(b.data + x * b.row_stride + (col + p) * b.col_stride,
                     b.col_stride, b.row_stride, std::min(kPanel, cols - p),
                     depth, packed_b.data() + p * depth);
      add_block(a, x, depth, packed_b.data(), {c + col, b.cols}, cols,
                packed_a.data());
    }
  }
}

}  // namespace attn::fast
