#pragma once

#include <algorithm>
#include <attn/alibi.hpp>
#include <attn/attention.hpp>
#include <attn/fast/attention.hpp>
#include <attn/rng.hpp>
#include <attn/rotary.hpp>
#include <cmath>

/// What the tests of the fast layer share: the same numbers for both layers,
/// and the reference's way to do what the fast layer does in one call.
namespace fast_support {

namespace fast = attn::fast;
using attn::Index;

inline attn::Matrix doubles(const fast::Matrix& m) {
  attn::Matrix to(m.rows, m.cols);
  std::copy(m.data.begin(), m.data.end(), to.data());
  return to;
}

inline fast::Matrix floats(const attn::Matrix& m) {
  fast::Matrix to(m.rows(), m.cols());
  for (Index i = 0; i < m.size(); ++i)
    to.data[std::size_t(i)] = static_cast<float>(m.data()[i]);
  return to;
}

inline fast::Matrix random_floats(attn::Rng& rng, Index rows, Index cols) {
  fast::Matrix m(rows, cols);
  for (float& x : m.data) x = static_cast<float>(rng.normal());
  return m;
}

inline fast::Matrix constant(Index rows, Index cols, float value) {
  fast::Matrix m(rows, cols);
  std::fill(m.data.begin(), m.data.end(), value);
  return m;
}

inline std::vector<double> widened(const std::vector<float>& list) {
  return {list.begin(), list.end()};
}

/// Largest |a − b| as a share of the largest |b|: what "equal to 1e-5" means
/// throughout. Element by element nothing could hold, since a sum of float32
/// products that all but cancel keeps an error of the size of its terms.
inline double gap(const fast::Matrix& a, const attn::Matrix& b) {
  const double size = b.cwiseAbs().maxCoeff();
  return attn::max_gap(doubles(a), b) / (size == 0 ? 1 : size);
}

inline fast::Matrix columns(const fast::Matrix& m, Index first, Index count) {
  fast::Matrix to(m.rows, count);
  for (Index i = 0; i < m.rows; ++i)
    std::copy_n(m.row(i) + first, count, to.row(i));
  return to;
}

/// Heads that stand side by side, one below the other.
inline fast::Matrix stacked(const fast::Matrix& m, Index heads) {
  fast::Matrix to(heads * m.rows, m.cols / heads);
  for (Index t = 0; t < heads; ++t) {
    const fast::Matrix head = columns(m, t * to.cols, to.cols);
    std::copy(head.data.begin(), head.data.end(), to.row(t * m.rows));
  }
  return to;
}

inline std::vector<double> places(Index first, Index count) {
  std::vector<double> to;
  for (Index i = 0; i < count; ++i) to.push_back(double(first + i));
  return to;
}

inline attn::Rotary reference_rotary(const fast::Rotary& r) {
  return {r.layout == fast::RotaryLayout::kHalfSplit
              ? attn::RotaryLayout::kHalfSplit
              : attn::RotaryLayout::kInterleaved,
          r.base, r.position_scale};
}

/// Rows turned by their places, or (direction −1) turned back.
inline attn::Matrix turned(const attn::Matrix& x,
                           const fast::AttentionOptions& options,
                           Index first_place, double direction = 1) {
  if (!options.rotary) return x;
  std::vector<double> at = places(first_place, x.rows());
  for (double& p : at) p *= direction;
  return attn::rotate(x, at, reference_rotary(*options.rotary));
}

inline attn::AttentionOptions reference_options(
    const fast::AttentionOptions& options, Index n, Index m, Index head) {
  attn::AttentionOptions to;
  to.causal = options.causal;
  to.query_offset = options.query_offset;
  to.scaled = options.scaled;
  to.mask = attn::Mask::Constant(n, m, true);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      to.mask(i, j) =
          (options.mask.data.empty() || options.mask.row(i)[j] == 1) &&
          (options.real_keys.empty() || options.real_keys[std::size_t(j)] == 1);
  if (options.alibi_slopes.empty()) return to;
  to.bias.resize(n, m);
  const double slope = options.alibi_slopes[std::size_t(head)];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      to.bias(i, j) = -slope * std::abs(double(options.query_offset + i - j));
  return to;
}

/// One head's operands in double, turned if the options say so.
struct HeadOperands {
  attn::Matrix q, k, v;
  attn::AttentionOptions options;
};

inline HeadOperands head_operands(const fast::Matrix& q, const fast::Matrix& k,
                                  const fast::Matrix& v,
                                  const fast::AttentionOptions& options,
                                  Index head) {
  const Index d = q.cols / options.heads;
  const Index d_v = v.cols / options.heads;
  return {
      turned(doubles(columns(q, head * d, d)), options, options.query_offset),
      turned(doubles(columns(k, head * d, d)), options, 0),
      doubles(columns(v, head * d_v, d_v)),
      reference_options(options, q.rows, k.rows, head)};
}

/// n × h·d_v, by the reference.
inline attn::Matrix reference_output(const fast::Matrix& q,
                                     const fast::Matrix& k,
                                     const fast::Matrix& v,
                                     const fast::AttentionOptions& options) {
  attn::Matrix output(q.rows, v.cols);
  const Index d_v = v.cols / options.heads;
  for (Index t = 0; t < options.heads; ++t) {
    const HeadOperands o = head_operands(q, k, v, options, t);
    output.middleCols(t * d_v, d_v) =
        attn::attention(o.q, o.k, o.v, o.options).output;
  }
  return output;
}

/// Shapes across all tile edges and any mixture of options.
struct RandomCase {
  fast::Matrix q, k, v;
  fast::AttentionOptions options;
};

inline RandomCase random_case(attn::Rng& rng, int longest) {
  RandomCase c;
  const Index n = 1 + rng.below(longest);
  const Index m = rng.below(3) == 0 ? n : 1 + rng.below(longest);
  const Index d = 4 * (1 + rng.below(20));
  const Index d_v = rng.below(2) == 0 ? d : 4 * (1 + rng.below(20));
  auto& o = c.options;
  o.heads = 1 + rng.below(3);
  c.q = random_floats(rng, n, o.heads * d);
  c.k = random_floats(rng, m, o.heads * d);
  c.v = random_floats(rng, m, o.heads * d_v);
  o.causal = rng.below(2) == 0;
  o.scaled = rng.below(4) != 0;
  if (rng.below(3) == 0) o.query_offset = rng.below(40);
  if (rng.below(3) == 0)
    for (Index j = 0; j < m; ++j)
      o.real_keys.push_back(static_cast<std::uint8_t>(rng.below(3) != 0));
  if (rng.below(3) == 0) {
    o.mask = fast::Mask(n, m);
    for (auto& x : o.mask.data) x = static_cast<std::uint8_t>(rng.below(2));
  }
  if (rng.below(3) == 0)
    for (const double s :
         attn::alibi_slopes(o.heads, attn::AlibiSlopes::kPaper))
      o.alibi_slopes.push_back(static_cast<float>(s));
  if (rng.below(3) == 0)
    o.rotary = fast::Rotary{rng.below(2) == 0 ? fast::RotaryLayout::kInterleaved
                                              : fast::RotaryLayout::kHalfSplit,
                            10000, rng.below(2) == 0 ? 1 : 0.25};
  return c;
}

}  // namespace fast_support
