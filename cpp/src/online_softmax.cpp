#include <algorithm>
#include <attn/error.hpp>
#include <attn/online_softmax.hpp>
#include <cmath>
#include <string>

#include "arguments.hpp"

namespace attn {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

void require_scores(const std::vector<double>& scores) {
  if (scores.empty()) throw Error(ErrorCode::kEmptyInput, "scores is empty");
  require_size("scores", 1, static_cast<Index>(scores.size()));
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!std::isfinite(scores[i]) && scores[i] != kMasked)
      throw Error(ErrorCode::kNotFinite,
                  "scores is not finite at place " + std::to_string(i + 1));
}

void require_values(const std::vector<double>& scores, const Matrix& v) {
  require_scores(scores);
  require_valid("v", v);
  if (v.rows() != static_cast<Index>(scores.size()))
    throw Error(ErrorCode::kShapeMismatch,
                std::to_string(scores.size()) + " scores but v is " + shape(v));
}

void require_state(const SoftmaxState& s) {
  if (!std::isfinite(s.sum) || (!std::isfinite(s.max) && s.max != kMasked))
    throw Error(ErrorCode::kNotFinite, "a state's max or sum is not finite");
  for (const double x : s.output)
    if (!std::isfinite(x))
      throw Error(ErrorCode::kNotFinite, "a state's output is not finite");
  if (s.sum < 0 || (s.sum == 0) != (s.max == kMasked))
    throw Error(ErrorCode::kInvalidArgument,
                "no scores have a state of this sum and max");
}

// #region block_state
SoftmaxState state_of(const double* scores, Index count, const Matrix& v,
                      Index first) {
  SoftmaxState s;
  s.output.assign(static_cast<std::size_t>(v.cols()), 0.0);
  for (Index i = 0; i < count; ++i) s.max = std::max(s.max, scores[i]);
  if (s.max == kMasked) return s;
  for (Index i = 0; i < count; ++i) s.sum += std::exp(scores[i] - s.max);
  for (Index i = 0; i < count; ++i) {
    const double weight = std::exp(scores[i] - s.max) / s.sum;
    for (Index c = 0; c < v.cols(); ++c)
      s.output[static_cast<std::size_t>(c)] += weight * v(first + i, c);
  }
  return s;
}
// #endregion block_state

// #region merge_states
SoftmaxState merged(const SoftmaxState& a, const SoftmaxState& b) {
  if (a.sum == 0) return b;
  if (b.sum == 0) return a;
  SoftmaxState s;
  s.max = std::max(a.max, b.max);
  const double of_a = std::exp(a.max - s.max) * a.sum;
  const double of_b = std::exp(b.max - s.max) * b.sum;
  s.sum = of_a + of_b;
  for (std::size_t c = 0; c < a.output.size(); ++c)
    s.output.push_back(of_a / s.sum * a.output[c] + of_b / s.sum * b.output[c]);
  return s;
}
// #endregion merge_states

/// One round of a binary tree: neighbours merged, a lone last state kept.
std::vector<SoftmaxState> pairs(const std::vector<SoftmaxState>& level,
                                std::vector<SoftmaxState>& log) {
  std::vector<SoftmaxState> next;
  for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
    next.push_back(merged(level[i], level[i + 1]));
    log.push_back(next.back());
  }
  if (level.size() % 2 == 1) next.push_back(level.back());
  return next;
}

SoftmaxState merge_all(const std::vector<SoftmaxState>& blocks,
                       MergeOrder order, std::vector<SoftmaxState>& log) {
  if (order == MergeOrder::kPairwise) {
    std::vector<SoftmaxState> level = blocks;
    while (level.size() > 1) level = pairs(level, log);
    return level.front();
  }
  const bool forward = order == MergeOrder::kForward;
  SoftmaxState all = forward ? blocks.front() : blocks.back();
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    all = forward ? merged(all, blocks[b])
                  : merged(blocks[blocks.size() - 1 - b], all);
    log.push_back(all);
  }
  return all;
}

/// exp(s − m)/ℓ, and 0 everywhere when all scores are masked.
void append_weights(const double* scores, Index count, const SoftmaxState& s,
                    double share, std::vector<double>& weights) {
  for (Index i = 0; i < count; ++i)
    weights.push_back(s.sum == 0 ? 0.0
                                 : share * std::exp(scores[i] - s.max) / s.sum);
}

}  // namespace

// #region online_scan
OnlineScan online_scan(const std::vector<double>& scores) {
  require_scores(scores);
  OnlineScan scan;
  double max = kMasked;
  double sum = 0;
  for (const double score : scores) {
    const double new_max = std::max(max, score);
    if (new_max != kMasked)
      sum = sum * std::exp(max - new_max) + std::exp(score - new_max);
    max = new_max;
    scan.max.push_back(max);
    scan.sum.push_back(sum);
  }
  scan.fully_masked = max == kMasked;
  scan.log_sum_exp = scan.fully_masked ? kMasked : max + std::log(sum);
  return scan;
}
// #endregion online_scan

SoftmaxState block_state(const std::vector<double>& scores, const Matrix& v) {
  require_values(scores, v);
  return state_of(scores.data(), static_cast<Index>(scores.size()), v, 0);
}

SoftmaxState merge_states(const SoftmaxState& a, const SoftmaxState& b) {
  require_state(a);
  require_state(b);
  if (a.output.size() != b.output.size())
    throw Error(ErrorCode::kShapeMismatch,
                "outputs of " + std::to_string(a.output.size()) + " and " +
                    std::to_string(b.output.size()) + " numbers");
  return merged(a, b);
}

BlockwiseSoftmax blockwise_softmax(const std::vector<double>& scores,
                                   const Matrix& v, Index block,
                                   MergeOrder order) {
  // 1. Check; every block keeps a state as wide as v.
  require_values(scores, v);
  require_count("block", block, 1, kReferenceLimit);
  const auto n = static_cast<Index>(scores.size());
  const Index count = (n - 1) / block + 1;
  require_size("states", count, v.cols());
  // 2. Each block by itself.
  BlockwiseSoftmax t;
  const double share = 1.0 / static_cast<double>(count);
  t.averaged_output.assign(static_cast<std::size_t>(v.cols()), 0.0);
  for (Index first = 0; first < n; first += block) {
    const Index size = std::min(block, n - first);
    t.blocks.push_back(state_of(scores.data() + first, size, v, first));
    append_weights(scores.data() + first, size, t.blocks.back(), share,
                   t.averaged_weights);
    for (std::size_t c = 0; c < t.averaged_output.size(); ++c)
      t.averaged_output[c] += share * t.blocks.back().output[c];
  }
  // 3. All blocks together, and all scores in one piece.
  t.merged = merge_all(t.blocks, order, t.merges);
  t.whole = state_of(scores.data(), n, v, 0);
  for (std::size_t c = 0; c < t.whole.output.size(); ++c)
    t.gap = std::max(t.gap, std::abs(t.merged.output[c] - t.whole.output[c]));
  // 4. The weights that the merged state stands for.
  append_weights(scores.data(), n, t.merged, 1.0, t.weights);
  t.fully_masked = t.merged.sum == 0;
  return t;
}

}  // namespace attn
