#pragma once

#include "rows.hpp"
#include "simd.hpp"

/// The one micro-kernel of the fast layer: kRows rows by two vectors of a
/// product, in accumulators that stay in registers, two loads and kRows
/// broadcasts a step.
///
/// What the shape of this code is for (V8): kernels stay out of line, since in
/// one big function accumulators and constants are spilled; the loop over the
/// contraction is not unrolled by LLVM, since V8 hoists all loads of a basic
/// block to its top, and two steps in a block spill. The loops over a block are
/// unrolled in any case, also where the rest is compiled for size.
namespace attn::fast {

/// As many as leave a place for all else in the 15 registers that V8 gives out.
/// A fused multiply-add needs none for a product, and four rows would leave it
/// waiting for its own results.
inline constexpr Index kRows = kFused ? 6 : 4;

/// Keeps LLVM from turning the pointers back into indices.
template <class A, class B>
[[gnu::always_inline]] inline void opaque(A*& a, B*& b) {
  __asm__ volatile("" : "+r"(a), "+r"(b));
}

template <Index kR, Index kV>
struct Block {
  Lanes at[kR][kV];
};

/// sum(i, ·) += Σₓ a[i·kRow + x·step] · b[x·b_stride …] over `steps` ≥ 1.
template <Index kRow, Index kR, Index kV>
[[gnu::always_inline]] inline void add_products(Block<kR, kV>& sum,
                                                const float* a, Index step,
                                                const float* b, Index b_stride,
                                                Index steps) {
#pragma clang loop unroll(disable)
  do {
    Lanes right[kV];
#pragma clang loop unroll(full)
    for (Index j = 0; j < kV; ++j) right[j] = load(b + j * kWidth);
#pragma clang loop unroll(full)
    for (Index i = 0; i < kR; ++i) {
      const Lanes left = splat(a + i * kRow);
#pragma clang loop unroll(full)
      for (Index j = 0; j < kV; ++j)
        sum.at[i][j] = multiply_add(left, right[j], sum.at[i][j]);
    }
    a += step;
    b += b_stride;
    opaque(a, b);
  } while (--steps != 0);
}

/// c[r][·] += Σₓ A(r, x) · b[x][·] with A(r, x) = a[r·kRow + x·step]; `rows` is
/// a multiple of kR and `cols` of 4·kV, both at least that.
template <Index kRow, Index kR, Index kV>
[[gnu::noinline]] void accumulate_blocks(const float* a, Index step,
                                         const float* b, Index b_stride,
                                         float* c, Index c_stride, Index rows,
                                         Index cols, Index steps) {
  Index col = 0;
  do {
    Index row = 0;
    do {
      Block<kR, kV> sum;
      float* const to = c + row * c_stride + col;
#pragma clang loop unroll(full)
      for (Index i = 0; i < kR; ++i)
#pragma clang loop unroll(full)
        for (Index j = 0; j < kV; ++j)
          sum.at[i][j] = load(to + i * c_stride + j * kWidth);
      add_products<kRow>(sum, a + row * kRow, step, b + col, b_stride, steps);
#pragma clang loop unroll(full)
      for (Index i = 0; i < kR; ++i)
#pragma clang loop unroll(full)
        for (Index j = 0; j < kV; ++j)
          store(to + i * c_stride + j * kWidth, sum.at[i][j]);
    } while ((row += kR) < rows);
  } while ((col += kV * kWidth) < cols);
}

/// The same for any number of rows and steps from 0, and columns in fours: the
/// bulk in blocks of kRows × 8, the edges in smaller ones.
template <Index kRow>
void accumulate(const float* a, Index step, ConstRows b, Rows c, Index rows,
                Index cols, Index steps) {
  if (steps == 0 || rows == 0) return;
  constexpr Index kPair = 2 * kWidth;
  const Index pairs = cols / kPair * kPair;
  const Index bulk = rows / kRows * kRows;
  const auto part = [&]<Index kR, Index kV>(Index row, Index count, Index col,
                                            Index width) {
    if (count == 0 || width == 0) return;
    accumulate_blocks<kRow, kR, kV>(a + row * kRow, step, b.data + col,
                                    b.stride, c.row(row) + col, c.stride, count,
                                    width, steps);
  };
  part.template operator()<kRows, 2>(0, bulk, 0, pairs);
  part.template operator()<kRows, 1>(0, bulk, pairs, cols - pairs);
  part.template operator()<1, 2>(bulk, rows - bulk, 0, pairs);
  part.template operator()<1, 1>(bulk, rows - bulk, pairs, cols - pairs);
}

}  // namespace attn::fast
