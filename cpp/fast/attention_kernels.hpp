#pragma once

#include "block.hpp"
#include "shading.hpp"

/// What forward and backward share: packing, and the product of keys and
/// queries with one query a lane. Of the two only queries are always packed;
/// keys are broadcast, value rows are loaded as they lie.
namespace attn::fast {

[[gnu::always_inline]] inline Lanes four_of(const float* row, Index x,
                                            float scale) {
  return row == nullptr ? all(0) : load(row + x) * scale;
}

/// to[x·kLanes + i] = rows[i][x] · scale for four rows; a null row is zeros.
template <Index kLanes>
void pack_four(const float* const* rows, Index width, float scale, float* to) {
  for (Index x = 0; x < width; x += kWidth, to += kWidth * kLanes) {
    const Lanes a = four_of(rows[0], x, scale);
    const Lanes b = four_of(rows[1], x, scale);
    const Lanes c = four_of(rows[2], x, scale);
    const Lanes d = four_of(rows[3], x, scale);
    const Lanes ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Lanes ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Lanes cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Lanes cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
    store(to + kLanes, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
    store(to + 2 * kLanes,
          __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    store(to + 3 * kLanes,
          __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
  }
}

/// Scores of kRows · `blocks` keys with one group of queries, and the running
/// maximum of each lane in `largest` unless that is null. Key i of a block has
/// its number x at keys[i·kKeyStride + x·kStep]: (1, 4) for panels of four
/// packed keys, (d, 1) for rows in place.
template <Index kKeyStride, Index kStep, Index kScoreStride>
[[gnu::noinline]] void score_blocks(const float* keys, const float* queries,
                                    Index width, float* s, float* largest,
                                    Index blocks) {
  do {
    Block<kRows, 2> sum;
#pragma clang loop unroll(full)
    for (Index i = 0; i < kRows; ++i)
#pragma clang loop unroll(full)
      for (Index j = 0; j < 2; ++j) sum.at[i][j] = all(0);
    add_products<kKeyStride, kStep>(sum, keys, queries, kGroup, width);
#pragma clang loop unroll(full)
    for (Index j = 0; j < 2; ++j) {
      Lanes top = load(largest + j * kWidth);
#pragma clang loop unroll(full)
      for (Index i = 0; i < kRows; ++i) {
        store(s + i * kScoreStride + j * kWidth, sum.at[i][j]);
        top = larger(top, sum.at[i][j]);
      }
      store(largest + j * kWidth, top);
    }
    keys += kRows * width;
    s += kRows * kScoreStride;
  } while (--blocks != 0);
}

inline Index blocks_of(Index keys) { return (keys + kRows - 1) / kRows; }

}  // namespace attn::fast
