#pragma once

#include <array>

#include "block.hpp"
#include "shading.hpp"

/// What forward and backward share: packing, and the product of keys and
/// queries with one query a lane.
namespace attn::fast {

/// Stands in for a row that is not there.
alignas(16) inline constexpr std::array<float, kWidest> kZeros{};

using RowPointers = std::array<const float*, kGroup>;
static_assert(kRows <= kGroup);

/// The rows that row_at(i) tells for i < count, and zeros from there on.
template <class RowAt>
RowPointers row_pointers(Index count, RowAt&& row_at) {
  RowPointers rows;
  rows.fill(kZeros.data());
  for (Index i = 0; i < count; ++i) rows[size_t(i)] = row_at(i);
  return rows;
}

/// to[x·kLanes + i] = rows[i][x] · scale for i < kLanes, and a few floats more
/// are written after the end. Rows from kLanes on are read, too.
template <Index kLanes>
[[gnu::noinline]] void pack_rows(const RowPointers& rows, Index width,
                                 float scale, float* to) {
  constexpr Index kVectors = (kLanes + kWidth - 1) / kWidth;
  for (Index x = 0; x < width; x += kWidth, to += kWidth * kLanes) {
    Lanes at[kVectors][4];
#pragma clang loop unroll(full)
    for (Index v = 0; v < kVectors; ++v) {
#pragma clang loop unroll(full)
      for (Index i = 0; i < kWidth; ++i)
        at[v][i] = load(rows[size_t(v * kWidth + i)] + x) * scale;
      transpose(at[v]);
    }
    // In this order: what the last vector of a column has too much, the next
    // column overwrites.
#pragma clang loop unroll(full)
    for (Index i = 0; i < kWidth; ++i)
#pragma clang loop unroll(full)
      for (Index v = 0; v < kVectors; ++v)
        store(to + i * kLanes + v * kWidth, at[v][i]);
  }
}

/// Scores of kRows · `blocks` keys with one group of queries, at
/// s[key·stride + query]; and the running maximum of each lane. Key i of a
/// block has its number x at keys[i·kRow + x·kStep]: (1, kRows) for packed
/// panels, (width, 1) for rows in place.
template <Index kRow, Index kStep>
[[gnu::noinline]] void score_blocks(const float* keys, const float* queries,
                                    Index width, float* s, Index stride,
                                    float* largest, Index blocks) {
  do {
    Block<kRows, 2> sum;
#pragma clang loop unroll(full)
    for (Index i = 0; i < kRows; ++i)
#pragma clang loop unroll(full)
      for (Index j = 0; j < 2; ++j) sum.at[i][j] = all(0);
    add_products<kRow>(sum, keys, kStep, queries, kGroup, width);
#pragma clang loop unroll(full)
    for (Index j = 0; j < 2; ++j) {
      Lanes top = load(largest + j * kWidth);
#pragma clang loop unroll(full)
      for (Index i = 0; i < kRows; ++i) {
        store(s + i * stride + j * kWidth, sum.at[i][j]);
        top = larger(top, sum.at[i][j]);
      }
      store(largest + j * kWidth, top);
    }
    keys += kRows * width;
    s += kRows * stride;
  } while (--blocks != 0);
}

inline Index blocks_of(Index keys) { return (keys + kRows - 1) / kRows; }

}  // namespace attn::fast
