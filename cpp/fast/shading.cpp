#include "shading.hpp"

#include <algorithm>

namespace attn::fast {
namespace {

constexpr Lanes kCount{0, 1, 2, 3};

}  // namespace

Shading::Shading(const AttentionSizes& sizes, const AttentionOptions& options,
                 Index head)
    : queries_(sizes.n),
      keys_(sizes.m),
      offset_(options.query_offset),
      causal_(options.causal),
      slope_(options.alibi_slopes.empty()
                 ? 0
                 : options.alibi_slopes[static_cast<std::size_t>(head)] *
                       kLog2E),
      real_keys_(options.real_keys.empty() ? nullptr
                                           : options.real_keys.data()),
      mask_(options.mask.data.empty() ? nullptr : options.mask.data.data()) {}

Index Shading::reach(Index query) const noexcept {
  return causal_ ? std::min(keys_, offset_ + query + 1) : keys_;
}

bool Shading::touches(Index first_query, Index first_key,
                      Index count) const noexcept {
  return slope_ != 0 || real_keys_ != nullptr || mask_ != nullptr ||
         first_key + count > reach(first_query);
}

void Shading::shade(const ScoreTile& tile) const noexcept {
  if (slope_ != 0) add_distance(tile);
  if (tile.first_key + tile.count > reach(tile.first_query)) hide_future(tile);
  if (real_keys_ != nullptr) hide_padding(tile);
  if (mask_ != nullptr) hide_masked(tile);
}

Lanes Shading::places(Index query) const noexcept {
  return all(static_cast<float>(offset_ + query)) + kCount;
}

void Shading::add_distance(const ScoreTile& tile) const noexcept {
  const Lanes slope = all(slope_);
  for (Index half = 0; half < kGroup; half += kWidth) {
    Lanes distance =
        places(tile.first_query + half) - static_cast<float>(tile.first_key);
    for (Index j = 0; j < tile.count; ++j, distance -= all(1)) {
      float* const s = tile.s + j * tile.stride + half;
      store(s, load(s) - slope * magnitude(distance));
    }
  }
}

void Shading::hide_future(const ScoreTile& tile) const noexcept {
  const Lanes hidden = all(-kInfinity);
  const Index before = reach(tile.first_query) - tile.first_key;
  for (Index half = 0; half < kGroup; half += kWidth) {
    const Lanes place = places(tile.first_query + half);
    for (Index j = std::max<Index>(before, 0); j < tile.count; ++j) {
      float* const s = tile.s + j * tile.stride + half;
      const Lanes key = all(static_cast<float>(tile.first_key + j));
      store(s, chosen(place < key, hidden, load(s)));
    }
  }
}

void Shading::hide_padding(const ScoreTile& tile) const noexcept {
  for (Index j = 0; j < tile.count; ++j)
    if (real_keys_[tile.first_key + j] == 0)
      std::fill_n(tile.s + j * tile.stride, kGroup, -kInfinity);
}

void Shading::hide_masked(const ScoreTile& tile) const noexcept {
  const Index rows = std::min(kGroup, queries_ - tile.first_query);
  for (Index i = 0; i < rows; ++i) {
    const std::uint8_t* const visible =
        mask_ + (tile.first_query + i) * keys_ + tile.first_key;
    for (Index j = 0; j < tile.count; ++j)
      if (visible[j] == 0) tile.s[j * tile.stride + i] = -kInfinity;
  }
}

bool Shading::sees_nothing(Index query) const noexcept {
  for (Index j = 0; j < reach(query); ++j) {
    const bool real = real_keys_ == nullptr || real_keys_[j] != 0;
    if (real && (mask_ == nullptr || mask_[query * keys_ + j] != 0))
      return false;
  }
  return true;
}

void largest_scores(const ScoreTile& tile, const float* before,
                    float* largest) noexcept {
  for (Index half = 0; half < kGroup; half += kWidth) {
    Lanes top = load(before + half);
    for (Index j = 0; j < tile.count; ++j)
      top = larger(top, load(tile.s + j * tile.stride + half));
    store(largest + half, top);
  }
}

}  // namespace attn::fast
