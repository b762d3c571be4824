#pragma once

#include <attn/fast/attention.hpp>

#include "attention_sizes.hpp"
#include "simd.hpp"

namespace attn::fast {

/// Queries go through the kernels in groups of eight, one lane each: scores lie
/// as [key][query], so that maximum and sum of a query run down its lane.
inline constexpr Index kGroup = 2 * kWidth;

/// The scores of one group with `count` keys: s[j·stride + i] is key first_key
/// + j with query first_query + i.
struct ScoreTile {
  float* s;
  Index stride;
  Index first_query;
  Index first_key;
  Index count;
};

/// What happens to the scores of one head between product and softmax: ALiBi,
/// and −∞ wherever a query must not look.
class Shading {
 public:
  Shading(const AttentionSizes& sizes, const AttentionOptions& options,
          Index head);

  /// How many keys, from the first, lie before or at the place of a query.
  [[nodiscard]] Index reach(Index query) const noexcept;
  /// False when the scores of these keys stay as they are.
  [[nodiscard]] bool touches(Index first_query, Index first_key,
                             Index count) const noexcept;
  void shade(const ScoreTile& tile) const noexcept;
  [[nodiscard]] bool sees_nothing(Index query) const noexcept;

 private:
  void add_distance(const ScoreTile& tile) const noexcept;
  void hide_future(const ScoreTile& tile) const noexcept;
  void hide_padding(const ScoreTile& tile) const noexcept;
  void hide_masked(const ScoreTile& tile) const noexcept;
  [[nodiscard]] Lanes places(Index query) const noexcept;

  Index queries_;
  Index keys_;
  Index offset_;
  bool causal_;
  float slope_;                    // in units of log₂ e, as the scores
  const std::uint8_t* real_keys_;  // or null
  const std::uint8_t* mask_;       // or null
};

/// The maximum down each lane of `tile`, beginning with `before`.
void largest_scores(const ScoreTile& tile, const float* before,
                    float* largest) noexcept;

}  // namespace attn::fast
