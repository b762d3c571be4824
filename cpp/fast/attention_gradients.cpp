#include <algorithm>
#include <array>
#include <attn/fast/attention.hpp>
#include <cmath>

#include "attention_kernels.hpp"
#include "attention_sizes.hpp"
#include "checks.hpp"
#include "exp2.hpp"
#include "shading.hpp"
#include "turning.hpp"

namespace attn::fast {
namespace {

constexpr Index kQueries = 48;  // of a block, the row length of its tiles
constexpr Index kKeys = 60;     // of a tile, a multiple of kRows

using Floats = std::vector<float>;

Floats floats(Index count) { return Floats(static_cast<std::size_t>(count)); }

/// From scores and dO·Vᵀ, down each lane, to weights and d_scores · scale:
/// wⱼ = 2^(sⱼ − largest) / sum, dsⱼ = wⱼ (dwⱼ − Σₗ wₗ dwₗ), where the sum over
/// l is the output times its gradient.
[[gnu::noinline]] void weigh_and_derive(float* scores, float* d_weights,
                                        Index count, const float* largest,
                                        const float* share, const float* inner,
                                        float scale) {
  const Exp2 exp2;
  for (Index half = 0; half < kGroup; half += kWidth) {
    const Lanes top = load(largest + half);
    const Lanes part = load(share + half);
    const Lanes mean = load(inner + half);
    float* s = scores + half;
    float* d = d_weights + half;
    for (Index j = 0; j < count; ++j, s += kQueries, d += kQueries) {
      const Lanes weight = exp2(load(s) - top) * part;
      store(s, weight);
      store(d, weight * (load(d) - mean) * scale);
    }
  }
}

/// Rows in groups of kLanes, one lane each, padded with zeros.
template <Index kLanes>
Floats packed(const Floats& rows, Index count, Index width, float scale) {
  Floats to = floats((count + kLanes - 1) / kLanes * kLanes * width + kWidth);
  for (Index row = 0; row < count; row += kLanes) {
    const RowPointers group =
        row_pointers(std::min(kLanes, count - row),
                     [&](Index i) { return rows.data() + (row + i) * width; });
    pack_rows<kLanes>(group, width, scale, to.data() + row * width);
  }
  return to;
}

/// One head's rows, by themselves.
Floats gathered(ConstRows from, Index count, Index width) {
  Floats to = floats(count * width);
  for (Index i = 0; i < count; ++i)
    std::copy_n(from.row(i), width, to.data() + i * width);
  return to;
}

void scatter(const Floats& from, Index width, Rows to) {
  const auto count = static_cast<Index>(from.size()) / width;
  for (Index i = 0; i < count; ++i)
    std::copy_n(from.data() + i * width, width, to.row(i));
}

void turn_rows(const AttentionOptions& options, Floats& rows, Index width,
               Index first_place, bool back) {
  if (!options.rotary) return;
  Turning turning(*options.rotary, width);
  turning.go_to(first_place);
  Floats turned = floats(width);
  const auto count = static_cast<Index>(rows.size()) / width;
  for (Index i = 0; i < count; ++i) {
    float* const row = rows.data() + i * width;
    if (back)
      turning.turn_back(row, turned.data());
    else
      turning.turn(row, turned.data());
    std::copy(turned.begin(), turned.end(), row);
  }
}

/// What the weights of each query need, padded to whole groups.
struct Statistics {
  Floats largest;
  Floats share;  // 1 / sum, or 0 for a row without weights
  Floats inner;  // Σ_c output · d_output
};

struct Operands {
  const AttentionResult& forward;
  const Matrix& d_output;
};

Statistics statistics(const AttentionSizes& sizes, const Operands& given,
                      Index head) {
  const Index padded = (sizes.n + kQueries - 1) / kQueries * kQueries;
  Statistics s{floats(padded), floats(padded), floats(padded)};
  const ConstRows outputs = sizes.rows_of(given.forward.output, head);
  const ConstRows d_outputs = sizes.rows_of(given.d_output, head);
  for (Index i = 0; i < sizes.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const float sum = given.forward.sum.row(i)[head];
    s.largest[at] = given.forward.largest.row(i)[head];
    s.share[at] = sum == 0 ? 0 : 1 / sum;
    Lanes inner = all(0);
    const float* const o = outputs.row(i);
    const float* const d = d_outputs.row(i);
    for (Index c = 0; c < sizes.d_v; c += kWidth)
      inner += load(o + c) * load(d + c);
    s.inner[at] = sum_of(inner);
  }
  return s;
}

/// One head's gradients, each as contiguous rows.
struct HeadGradients {
  Floats q, k, v;
};

class Backward {
 public:
  Backward(const AttentionSizes& sizes, const AttentionOptions& options,
           const Matrix& q, const Matrix& k, const Matrix& v,
           const Operands& given, Index head)
      : sizes_(sizes),
        shading_(sizes, options, head),
        root_(options.scaled ? 1 / std::sqrt(float(sizes.d)) : 1),
        q_(gathered(sizes.rows_of(q, head), sizes.n, sizes.d)),
        k_(gathered(sizes.rows_of(k, head), sizes.m, sizes.d)),
        d_output_(
            gathered(sizes.rows_of(given.d_output, head), sizes.n, sizes.d_v)),
        statistics_(statistics(sizes, given, head)),
        gradients_{floats(sizes.n * sizes.d), floats(sizes.m * sizes.d),
                   floats(sizes.m * sizes.d_v)},
        scores_(floats(kKeys * kQueries)),
        d_weights_(floats(kKeys * kQueries)) {
    turn_rows(options, q_, sizes.d, options.query_offset, false);
    turn_rows(options, k_, sizes.d, 0, false);
    const Floats values = gathered(sizes.rows_of(v, head), sizes.m, sizes.d_v);
    packed_q_ = packed<kGroup>(q_, sizes.n, sizes.d, kLog2E * root_);
    packed_k_ = packed<kRows>(k_, sizes.m, sizes.d, 1);
    packed_v_ = packed<kRows>(values, sizes.m, sizes.d_v, 1);
    packed_d_output_ = packed<kGroup>(d_output_, sizes.n, sizes.d_v, 1);
  }

  HeadGradients& run() noexcept {
    for (Index key = 0; key < sizes_.m; key += kKeys)
      for (Index query = 0; query < sizes_.n; query += kQueries)
        pair(key, query, std::min(kQueries, sizes_.n - query));
    return gradients_;
  }

 private:
  /// One tile of keys with one block of queries.
  void pair(Index key, Index query, Index queries) noexcept {
    const Index reach = shading_.reach(query + queries - 1);
    const Index keys = std::min(kKeys, reach - key);
    if (keys <= 0) return;
    for (Index row = 0; row < queries; row += kGroup)
      group(key, keys, query + row, row);
    const auto at = [](Floats& rows, Index row, Index width) {
      return Rows{rows.data() + row * width, width};
    };
    const auto from = [&](Floats& rows, Index row, Index width) {
      return ConstRows{at(rows, row, width).data, width};
    };
    const Index d = sizes_.d;
    const Index d_v = sizes_.d_v;
    // dV = weightsᵀ · dO, dK = dSᵀ · Q, dQ = dS · K.
    accumulate<kQueries>(scores_.data(), 1, from(d_output_, query, d_v),
                         at(gradients_.v, key, d_v), keys, d_v, queries);
    accumulate<kQueries>(d_weights_.data(), 1, from(q_, query, d),
                         at(gradients_.k, key, d), keys, d, queries);
    accumulate<1>(d_weights_.data(), kQueries, from(k_, key, d),
                  at(gradients_.q, query, d), queries, d, keys);
  }

  /// The weights and d_scores of one group of the block, from its row on.
  void group(Index key, Index keys, Index query, Index row) noexcept {
    const auto products = [&](const Floats& panels, const Floats& group,
                              Index width, float* to) {
      std::array<float, kGroup> unused{};
      score_blocks<1, kRows>(panels.data() + key * width,
                             group.data() + query * width, width, to, kQueries,
                             unused.data(), blocks_of(keys));
    };
    float* const scores = scores_.data() + row;
    float* const d_weights = d_weights_.data() + row;
    products(packed_k_, packed_q_, sizes_.d, scores);
    products(packed_v_, packed_d_output_, sizes_.d_v, d_weights);
    if (shading_.touches(query, key, keys))
      shading_.shade({scores, kQueries, query, key, keys});
    weigh_and_derive(scores, d_weights, keys,
                     statistics_.largest.data() + query,
                     statistics_.share.data() + query,
                     statistics_.inner.data() + query, root_);
  }

  AttentionSizes sizes_;
  Shading shading_;
  float root_;
  Floats q_, k_, d_output_;
  Statistics statistics_;
  HeadGradients gradients_;
  Floats scores_, d_weights_;  // [key][kQueries]
  Floats packed_q_, packed_k_, packed_v_, packed_d_output_;
};

}  // namespace

AttentionGradients attention_gradients(const Matrix& q, const Matrix& k,
                                       const Matrix& v,
                                       const AttentionResult& forward,
                                       const Matrix& d_output,
                                       const AttentionOptions& options) {
  const AttentionSizes sizes = checked_sizes(q, k, v, options);
  require_valid("d_output", d_output);
  require_like("d_output", d_output, q.rows, v.cols);
  require_valid("forward.output", forward.output);
  require_like("forward.output", forward.output, q.rows, v.cols);
  require_valid("forward.largest", forward.largest);
  require_like("forward.largest", forward.largest, sizes.n, sizes.h);
  require_valid("forward.sum", forward.sum);
  require_like("forward.sum", forward.sum, sizes.n, sizes.h);
  AttentionGradients gradients{Matrix(q.rows, q.cols), Matrix(k.rows, k.cols),
                               Matrix(v.rows, v.cols)};
  for (Index t = 0; t < sizes.h; ++t) {
    Backward backward(sizes, options, q, k, v, {forward, d_output}, t);
    HeadGradients& head = backward.run();
    turn_rows(options, head.q, sizes.d, options.query_offset, true);
    turn_rows(options, head.k, sizes.d, 0, true);
    scatter(head.q, sizes.d, sizes.rows_of(gradients.d_q, t));
    scatter(head.k, sizes.d, sizes.rows_of(gradients.d_k, t));
    scatter(head.v, sizes.d_v, sizes.rows_of(gradients.d_v, t));
  }
  require_no_overflow("d_q", gradients.d_q.data);
  require_no_overflow("d_k", gradients.d_k.data);
  require_no_overflow("d_v", gradients.d_v.data);
  return gradients;
}

}  // namespace attn::fast
