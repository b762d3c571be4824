#include <algorithm>
#include <array>
#include <attn/fast/attention.hpp>
#include <cmath>

#include "attention_kernels.hpp"
#include "attention_sizes.hpp"
#include "checks.hpp"
#include "exp2.hpp"
#include "scratch.hpp"
#include "shading.hpp"
#include "turning.hpp"

namespace attn::fast {
namespace {

/// Down each lane: s becomes 2^(s − largest), `sum` is brought to the new
/// maximum and increased, `rescale` is what the output so far is worth now.
[[gnu::noinline]] void soften(float* scores, Index count, const float* largest,
                              float* before, float* sum, float* rescale) {
  const Exp2 exp2;
  const Lanes top0 = load(largest);
  const Lanes top1 = load(largest + kWidth);
  const Lanes rescale0 = exp2(load(before) - top0);
  const Lanes rescale1 = exp2(load(before + kWidth) - top1);
  Lanes sum0 = load(sum) * rescale0;
  Lanes sum1 = load(sum + kWidth) * rescale1;
  store(rescale, rescale0);
  store(rescale + kWidth, rescale1);
  store(before, top0);
  store(before + kWidth, top1);
#pragma clang loop unroll(disable)
  do {
    const Lanes weight0 = exp2(load(scores) - top0);
    const Lanes weight1 = exp2(load(scores + kWidth) - top1);
    sum0 += weight0;
    sum1 += weight1;
    store(scores, weight0);
    store(scores + kWidth, weight1);
    scores += kGroup;
  } while (--count != 0);
  store(sum, sum0);
  store(sum + kWidth, sum1);
}

/// One head's part of the operands: its first columns, and the distance from
/// one row to the next.
struct Head {
  ConstRows q, k, v;
  Rows output;        // zeros before the run
  Rows largest, sum;  // one column each
};

/// Keys first … first + count − 1, ready for the kernels.
struct Tile {
  Index first;
  Index count;
  const float* keys;
  bool packed;  // in panels of four, or rows in place
  ConstRows values;
};

class Forward {
 public:
  Forward(const AttentionSizes& sizes, const AttentionOptions& options)
      : sizes_(sizes), scratch_(sizes) {
    const double root = options.scaled ? std::sqrt(double(sizes.d)) : 1;
    scale_ = static_cast<float>(1.4426950408889634 / root);
    if (options.rotary) turning_.emplace(*options.rotary, sizes.d);
    offset_ = options.query_offset;
  }

  void run(const Head& head, const Shading& shading) noexcept {
    for (Index first = 0; first < sizes_.n; first += scratch_.block)
      block(head, shading, first, std::min(scratch_.block, sizes_.n - first));
  }

 private:
  void block(const Head& head, const Shading& shading, Index first,
             Index count) noexcept {
    if (turning_) turning_->go_to(offset_ + first);
    begin(head, first, count);
    if (turning_) turning_->go_to(0);
    const Index last = shading.reach(first + count - 1);
    for (Index key = 0; key < last; key += scratch_.tile) {
      const Tile t = tile(head, key, std::min(scratch_.tile, last - key));
      for (Index row = 0; row < count; row += kGroup)
        group(head, shading, t, first + row, row,
              std::min(kGroup, count - row));
    }
    finish(head, first, count);
  }

  /// Queries packed, nothing seen yet.
  void begin(const Head& head, Index first, Index count) noexcept {
    for (Index row = 0; row < count; row += kRows) {
      std::array<const float*, kRows> rows{};
      for (Index i = 0; i < std::min(kRows, count - row); ++i)
        rows[size_t(i)] =
            turned(head.q.data + (first + row + i) * head.q.stride, i);
      const Index group = row / kGroup * kGroup;
      pack_four<kGroup>(rows.data(), sizes_.d, scale_,
                        scratch_.queries + group * sizes_.d + (row - group));
    }
    // Lanes without a query look like any other; their results are not stored.
    if (count % kGroup != 0 && count % kGroup <= kRows) {
      const std::array<const float*, kRows> none{};
      pack_four<kGroup>(
          none.data(), sizes_.d, 1,
          scratch_.queries + count / kGroup * kGroup * sizes_.d + kRows);
    }
    // Not −∞: a maximum to subtract must be a number.
    std::fill_n(scratch_.largest, scratch_.block,
                std::numeric_limits<float>::lowest());
    std::fill_n(scratch_.sum, scratch_.block, 0.0F);
  }

  /// Rows in place when they are whole blocks, contiguous, and of a width that
  /// the kernels know; else copied: the rows of one head among many lie a power
  /// of two apart, where the cache has room for few of them.
  Tile tile(const Head& head, Index first, Index count) noexcept {
    Tile t{first,
           count,
           head.k.data + first * head.k.stride,
           false,
           {head.v.data + first * head.v.stride, head.v.stride}};
    if (turning_ || head.k.stride != sizes_.d || count % kRows != 0 ||
        !known(sizes_.d)) {
      pack_keys(head, first, count);
      t.keys = scratch_.keys;
      t.packed = true;
    }
    if (head.v.stride != sizes_.d_v) {
      for (Index j = 0; j < count; ++j)
        std::copy_n(t.values.data + j * head.v.stride, sizes_.d_v,
                    scratch_.values + j * sizes_.d_v);
      t.values = {scratch_.values, sizes_.d_v};
    }
    return t;
  }

  void pack_keys(const Head& head, Index first, Index count) noexcept {
    for (Index row = 0; row < count; row += kRows) {
      std::array<const float*, kRows> rows{};
      for (Index i = 0; i < std::min(kRows, count - row); ++i)
        rows[size_t(i)] =
            turned(head.k.data + (first + row + i) * head.k.stride, i);
      pack_four<kRows>(rows.data(), sizes_.d, 1,
                       scratch_.keys + row * sizes_.d);
    }
  }

  /// The row itself, or turned at the next place, by way of buffer i.
  const float* turned(const float* row, Index i) noexcept {
    if (!turning_) return row;
    float* const to = scratch_.turned + i * sizes_.d;
    turning_->turn(row, to);
    return to;
  }

  static bool known(Index width) {
    return width == 32 || width == 64 || width == 128;
  }

  void group(const Head& head, const Shading& shading, const Tile& t,
             Index query, Index row, Index rows) noexcept {
    // Nothing after the place of the last query of this group.
    const Index count =
        std::min(t.count, shading.reach(query + rows - 1) - t.first);
    if (count <= 0) return;
    std::array<float, kGroup> largest;
    std::array<float, kGroup> rescale;
    float* const before = scratch_.largest + row;
    std::copy_n(before, kGroup, largest.data());
    score(t, scratch_.queries + row * sizes_.d, largest.data(), count);
    const ScoreTile scores{scratch_.scores, kGroup, query, t.first, count};
    if (count % kRows != 0 || shading.touches(query, t.first, count)) {
      shading.shade(scores);
      largest_scores(scores, before, largest.data());
    }
    soften(scores.s, count, largest.data(), before, scratch_.sum + row,
           rescale.data());
    accumulate<1, kGroup, true>(
        scores.s, t.values,
        {head.output.data + query * head.output.stride, head.output.stride},
        rows, sizes_.d_v, count, rescale.data());
  }

  void score(const Tile& t, const float* queries, float* largest,
             Index count) noexcept {
    const auto with = [&](auto kernel) {
      kernel(t.keys, queries, sizes_.d, scratch_.scores, largest,
             blocks_of(count));
    };
    if (t.packed) return with(score_blocks<1, kRows, kGroup>);
    if (sizes_.d == 32) return with(score_blocks<32, 1, kGroup>);
    if (sizes_.d == 64) return with(score_blocks<64, 1, kGroup>);
    with(score_blocks<128, 1, kGroup>);
  }

  void finish(const Head& head, Index first, Index count) noexcept {
    for (Index i = 0; i < count; ++i) {
      const float sum = scratch_.sum[i];
      const float share = sum == 0 ? 0 : 1 / sum;
      float* const row = head.output.data + (first + i) * head.output.stride;
      for (Index c = 0; c < sizes_.d_v; c += kWidth)
        store(row + c, load(row + c) * share);
      head.largest.data[(first + i) * head.largest.stride] =
          scratch_.largest[i];
      head.sum.data[(first + i) * head.sum.stride] = sum;
    }
  }

  AttentionSizes sizes_;
  Scratch scratch_;
  float scale_ = 0;
  Index offset_ = 0;
  std::optional<Turning> turning_;
};

/// A row without weights must be one that may look nowhere; else its scores
/// have all left float32.
std::vector<std::uint8_t> empty_rows(const Matrix& sum,
                                     const Shading& shading) {
  std::vector<std::uint8_t> empty(static_cast<std::size_t>(sum.rows), 0);
  for (Index i = 0; i < sum.rows; ++i) {
    if (std::find(sum.row(i), sum.row(i) + sum.cols, 0.0F) ==
        sum.row(i) + sum.cols)
      continue;
    if (!shading.sees_nothing(i))
      refuse(ErrorCode::kDiverged, {"scores leave the range of float32"});
    empty[static_cast<std::size_t>(i)] = 1;
  }
  return empty;
}

}  // namespace

std::size_t attention_scratch_bytes(Index d, Index d_v) {
  return Scratch({1, 1, 1, d, d_v}).bytes() + Turning::bytes(d);
}

AttentionResult attention(const Matrix& q, const Matrix& k, const Matrix& v,
                          const AttentionOptions& options) {
  const AttentionSizes sizes = checked_sizes(q, k, v, options);
  AttentionResult result{Matrix(sizes.n, v.cols),
                         Matrix(sizes.n, sizes.h),
                         Matrix(sizes.n, sizes.h),
                         {}};
  Forward forward(sizes, options);
  for (Index t = 0; t < sizes.h; ++t)
    forward.run({{q.row(0) + t * sizes.d, q.cols},
                 {k.row(0) + t * sizes.d, k.cols},
                 {v.row(0) + t * sizes.d_v, v.cols},
                 {result.output.row(0) + t * sizes.d_v, v.cols},
                 {result.largest.row(0) + t, sizes.h},
                 {result.sum.row(0) + t, sizes.h}},
                Shading(sizes, options, t));
  require_no_overflow("the output", result.output.data);
  result.fully_masked = empty_rows(result.sum, Shading(sizes, options, 0));
  return result;
}

}  // namespace attn::fast
