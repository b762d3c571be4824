#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "attention_sizes.hpp"
#include "block.hpp"
#include "shading.hpp"

namespace attn::fast {

/// The buffers of the forward pass, whatever the lengths of the sequences.
/// Tiles of 64 queries and 64 keys (fewer when heads are wide) are within 3 %
/// of any other choice, so the least memory decides.
struct Scratch {
  explicit Scratch(const AttentionSizes& sizes)
      : block(fitting(sizes)), tile(block) {
    const std::array<Index, 7> counts = lengths(sizes);
    Index total = 0;
    for (const Index count : counts) total += count + kApart;
    floats_ = std::vector<float>(static_cast<std::size_t>(total));
    float* next = floats_.data();
    const std::array<float**, 7> places{&queries, &keys, &values, &scores,
                                        &largest, &sum,  &turned};
    for (std::size_t i = 0; i < places.size(); ++i) {
      *places[i] = next;
      next += counts[i] + kApart;
    }
  }

  [[nodiscard]] std::size_t bytes() const {
    return floats_.size() * sizeof(float);
  }

  Index block;               ///< queries at a time, a multiple of kGroup
  Index tile;                ///< keys at a time, a multiple of kRows
  float* queries = nullptr;  ///< [group][x][kGroup]
  float* keys = nullptr;     ///< [four keys][x][kRows]
  float* values = nullptr;   ///< [key][d_v]
  float* scores = nullptr;   ///< [key][kGroup]
  float* largest = nullptr;  ///< [block]
  float* sum = nullptr;      ///< [block]
  float* turned = nullptr;   ///< [kRows][d]

 private:
  // No two arrays start at the same offset of a 4 KiB page: their first lines
  // would compete for one set of the cache.
  static constexpr Index kApart = 208;

  static Index fitting(const AttentionSizes& sizes) {
    const Index rows = 4096 / std::max(sizes.d, sizes.d_v);
    return std::clamp<Index>(rows / kGroup * kGroup, 2 * kGroup, 64);
  }

  [[nodiscard]] std::array<Index, 7> lengths(const AttentionSizes& s) const {
    return {block * s.d, tile * s.d, tile * s.d_v, tile * kGroup,
            block,       block,      kRows * s.d};
  }

  std::vector<float> floats_;
};

}  // namespace attn::fast
