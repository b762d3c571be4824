#include <algorithm>
#include <array>
#include <attn/fast/attention.hpp>
#include <cmath>
#include <cstring>

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
  Rows output;
  Rows largest, sum;  // one column each
};

/// Keys first … first + count − 1, as rows in place or packed, and values.
struct Tile {
  Index first;
  Index count;
  const float* keys;
  bool in_place;
  ConstRows values;
};

/// The one width of a head for which rows are worth a kernel of their own.
constexpr Index kUsual = 64;

/// c[r][·] = c[r][·] · rescale[·] + Σₓ a[x·step + r] · b[x][·] for one group:
/// r is a column of the values, the lanes are queries.
template <Index kR>
[[gnu::noinline]] void add_values(ConstRows a, const float* b, float* c,
                                  const float* rescale, Index rows,
                                  Index steps) {
  const float* from = a.data;
  do {
    Block<kR, 2> sum;
#pragma clang loop unroll(full)
    for (Index i = 0; i < kR; ++i)
#pragma clang loop unroll(full)
      for (Index j = 0; j < 2; ++j)
        sum.at[i][j] =
            load(c + i * kGroup + j * kWidth) * load(rescale + j * kWidth);
    add_products<1>(sum, from, a.stride, b, kGroup, steps);
#pragma clang loop unroll(full)
    for (Index i = 0; i < kR; ++i)
#pragma clang loop unroll(full)
      for (Index j = 0; j < 2; ++j)
        store(c + i * kGroup + j * kWidth, sum.at[i][j]);
    c += kR * kGroup;
    from += kR;
  } while ((rows -= kR) != 0);
}

class Forward {
 public:
  Forward(const AttentionSizes& sizes, const AttentionOptions& options)
      : sizes_(sizes), scratch_(sizes), bulk_(bulk_of(sizes.d_v)) {
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
        group(shading, t, first + row, row, std::min(kGroup, count - row));
    }
    finish(head, first, count);
  }

  /// Queries packed, nothing seen yet. Lanes without a query look like any
  /// other; their results are not stored.
  void begin(const Head& head, Index first, Index count) noexcept {
    for (Index row = 0; row < count; row += kGroup)
      pack<kGroup>(head.q, first + row, count - row, scale_,
                   scratch_.queries + row * sizes_.d);
    std::memset(scratch_.output, 0,
                size_t(scratch_.block * sizes_.d_v) * sizeof(float));
    // Not −∞: a maximum to subtract must be a number.
    std::fill_n(scratch_.largest, scratch_.block,
                std::numeric_limits<float>::lowest());
    std::fill_n(scratch_.sum, scratch_.block, 0.0F);
  }

  /// Copied where the rows of one head are apart: they would lie a power of two
  /// from each other, where the cache has room for few of them.
  Tile tile(const Head& head, Index first, Index count) noexcept {
    Tile t{first,
           count,
           head.k.row(first),
           true,
           {head.v.row(first), head.v.stride}};
    if (turning_ || sizes_.d != kUsual || head.k.stride != kUsual ||
        count % kRows != 0) {
      for (Index row = 0; row < count; row += kRows)
        pack<kRows>(head.k, first + row, count - row, 1,
                    scratch_.keys + row * sizes_.d);
      t.keys = scratch_.keys;
      t.in_place = false;
    }
    if (head.v.stride != sizes_.d_v && scratch_.values_fit) {
      float* to = scratch_.values;
      for (Index j = 0; j < count; ++j)
        for (Index c = 0; c < sizes_.d_v; c += kWidth, to += kWidth)
          store(to, load(t.values.row(j) + c));
      t.values = {scratch_.values, sizes_.d_v};
    }
    return t;
  }

  /// Up to kLanes of the `count` rows from `first` on, each turned at the next
  /// place if there are places.
  template <Index kLanes>
  void pack(ConstRows from, Index first, Index count, float scale,
            float* to) noexcept {
    const auto row_at = [&](Index i) -> const float* {
      const float* const row = from.row(first + i);
      if (!turning_) return row;
      float* const turned = scratch_.scores + i * sizes_.d;
      turning_->turn(row, turned);
      return turned;
    };
    pack_rows<kLanes>(row_pointers(std::min(kLanes, count), row_at), sizes_.d,
                      scale, to);
  }

  void group(const Shading& shading, const Tile& t, Index query, Index row,
             Index rows) noexcept {
    // Nothing after the place of the last query of this group.
    const Index count =
        std::min(t.count, shading.reach(query + rows - 1) - t.first);
    if (count <= 0) return;
    std::array<float, kGroup> largest;
    std::array<float, kGroup> rescale;
    float* const before = scratch_.largest + row;
    std::copy_n(before, kGroup, largest.data());
    const Index blocks = blocks_of(count);
    const auto score =
        t.in_place ? score_blocks<kUsual, 1> : score_blocks<1, kRows>;
    score(t.keys, scratch_.queries + row * sizes_.d, sizes_.d, scratch_.scores,
          kGroup, largest.data(), blocks);
    const ScoreTile scores{scratch_.scores, kGroup, query, t.first, count};
    if (count != blocks * kRows || shading.touches(query, t.first, count)) {
      shading.shade(scores);
      largest_scores(scores, before, largest.data());
    }
    soften(scores.s, count, largest.data(), before, scratch_.sum + row,
           rescale.data());
    float* const output = scratch_.output + row * sizes_.d_v;
    if (bulk_ != 0)
      add_values<kRows>(t.values, scores.s, output, rescale.data(), bulk_,
                        count);
    if (bulk_ != sizes_.d_v)
      add_values<kWidth>({t.values.data + bulk_, t.values.stride}, scores.s,
                         output + bulk_ * kGroup, rescale.data(),
                         sizes_.d_v - bulk_, count);
  }

  /// The most columns in blocks of kRows that leave a multiple of four.
  static Index bulk_of(Index width) {
    Index bulk = width / kRows * kRows;
    while ((width - bulk) % kWidth != 0) bulk -= kRows;
    return bulk;
  }

  void finish(const Head& head, Index first, Index count) noexcept {
    for (Index i = 0; i < count; ++i) {
      const float sum = scratch_.sum[i];
      *head.largest.row(first + i) = scratch_.largest[i];
      *head.sum.row(first + i) = sum;
      scratch_.sum[i] = sum == 0 ? 0 : 1 / sum;
    }
    for (Index row = 0; row < count; row += kWidth) {
      const Lanes share = load(scratch_.sum + row);
      const float* const from =
          scratch_.output + row / kGroup * kGroup * sizes_.d_v + row % kGroup;
      float* const to = head.output.row(first + row);
      for (Index c = 0; c < sizes_.d_v; c += kWidth) {
        Lanes at[4];  // NOLINT(modernize-avoid-c-arrays)
#pragma clang loop unroll(full)
        for (Index i = 0; i < kWidth; ++i)
          at[i] = load(from + (c + i) * kGroup) * share;
        transpose(at);
        if (count - row >= kWidth) {
#pragma clang loop unroll(full)
          for (Index i = 0; i < kWidth; ++i)
            store(to + i * head.output.stride + c, at[i]);
        } else {
          for (Index i = 0; i < count - row; ++i)
            store(to + i * head.output.stride + c, at[i]);
        }
      }
    }
  }

  AttentionSizes sizes_;
  Scratch scratch_;
  Index bulk_;  // columns in blocks of kRows; the others come in fours
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
  require_width("q", d);
  require_width("v", d_v);
  return Scratch({1, 1, 1, d, d_v}).bytes() + Turning::bytes(d);
}

AttentionResult attention(const Matrix& q, const Matrix& k, const Matrix& v,
                          const AttentionOptions& options) {
  const AttentionSizes sizes = checked_sizes(q, k, v, options);
  AttentionResult result{Matrix(q.rows, v.cols),
                         Matrix(sizes.n, sizes.h),
                         Matrix(sizes.n, sizes.h),
                         {}};
  Forward forward(sizes, options);
  for (Index t = 0; t < sizes.h; ++t)
    forward.run({sizes.rows_of(q, t),
                 sizes.rows_of(k, t),
                 sizes.rows_of(v, t),
                 sizes.rows_of(result.output, t),
                 {result.largest.row(0) + t, sizes.h},
                 {result.sum.row(0) + t, sizes.h}},
                Shading(sizes, options, t));
  require_no_overflow("the output", result.output.data);
  result.fully_masked = empty_rows(result.sum, Shading(sizes, options, 0));
  return result;
}

}  // namespace attn::fast
