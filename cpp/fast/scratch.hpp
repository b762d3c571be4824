#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "attention_kernels.hpp"
#include "attention_sizes.hpp"
#include "turning.hpp"

namespace attn::fast {

/// The buffers of the forward pass, whatever the lengths of the sequences: 64
/// queries and 36 keys at a time, or fewer when heads are wide. Larger tiles
/// gain less than 3 %, so the least memory decides.
struct Scratch {
  explicit Scratch(const AttentionSizes& sizes)
      : values_fit(sizes.d + sizes.d_v <= kWidest) {
    const Index a_query = sizes.d + sizes.d_v;
    const Index a_key = values_fit ? a_query : sizes.d;
    tile = std::clamp<Index>(6144 / a_query / kTiles * kTiles, kTiles, 36);
    const Index angles =
        static_cast<Index>(Turning::bytes(sizes.d) / sizeof(float));
    const Index rest = kMost - tile * a_key - scores_or_turned(sizes) - angles;
    const Index rows = rest / a_query;
    block = std::clamp<Index>(rows / kGroup * kGroup, kGroup, 64);
    const std::array<Index, 7> counts = lengths(sizes);
    Index total = 0;
    for (const Index count : counts) total += count + kApart;
    floats_ = std::vector<float>(static_cast<std::size_t>(total));
    float* next = floats_.data();
    const std::array<float**, 7> places{&queries, &output,  &keys, &values,
                                        &scores,  &largest, &sum};
    for (std::size_t i = 0; i < places.size(); ++i) {
      *places[i] = next;
      next += counts[i] + kApart;
    }
  }

  [[nodiscard]] std::size_t bytes() const {
    return floats_.size() * sizeof(float);
  }

  Index block = 0;           ///< queries at a time, a multiple of kGroup
  Index tile = 0;            ///< keys at a time, a multiple of kRows
  bool values_fit;           ///< else they are read where they are
  float* queries = nullptr;  ///< [group][x][kGroup]
  float* output = nullptr;   ///< [group][column][kGroup], not yet divided
  float* keys = nullptr;     ///< [panel of kRows][x][kRows]
  float* values = nullptr;   ///< [key][d_v]
  float* scores = nullptr;   ///< [key][kGroup]; or rows that are being turned
  float* largest = nullptr;  ///< [block]
  float* sum = nullptr;      ///< [block]

 private:
  // No two arrays start at the same offset of a 4 KiB page: their first lines
  // would compete for one set of the cache.
  static constexpr Index kApart = 208;
  static constexpr Index kTiles = 12;
  static_assert(kTiles % kRows == 0);
  // Floats in 64 KiB, without those between the arrays and `largest` and `sum`.
  static constexpr Index kMost = 16384 - 7 * kApart - 2 * 64;

  [[nodiscard]] Index scores_or_turned(const AttentionSizes& s) const {
    return kGroup * std::max(tile, s.d);
  }

  [[nodiscard]] std::array<Index, 7> lengths(const AttentionSizes& s) const {
    return {block * s.d,
            block * s.d_v,
            tile * s.d,
            values_fit ? tile * s.d_v : 0,
            scores_or_turned(s),
            block,
            block};
  }

  std::vector<float> floats_;
};

}  // namespace attn::fast
