#include <attn/error.hpp>
#include <attn/mask.hpp>
#include <limits>
#include <string>

#include "arguments.hpp"
#include "attention_passes.hpp"

namespace attn {
namespace {

constexpr std::int64_t kLargestPairCount = std::int64_t{1} << 53U;

std::string shape_of(const Mask& mask) {
  return std::to_string(mask.rows()) + "x" + std::to_string(mask.cols());
}

void require_places(const Mask& mask) {
  if (mask.size() == 0) throw Error(ErrorCode::kEmptyInput, "mask is empty");
  require_size("mask", mask.rows(), mask.cols());
}

}  // namespace

void require_mask_shape(const Mask& mask, Index queries, Index keys) {
  if (mask.rows() != queries || mask.cols() != keys)
    throw Error(ErrorCode::kShapeMismatch,
                "mask is " + shape_of(mask) + " but there are " +
                    std::to_string(queries) + " queries and " +
                    std::to_string(keys) + " keys");
}

// #region causal_mask
Mask causal_mask(Index queries, Index keys, Index query_offset) {
  require_size("mask", queries, keys);
  require_count("query_offset", query_offset, 0, kReferenceLimit);
  if (queries < 1 || keys < 1)
    throw Error(ErrorCode::kEmptyInput, "mask is empty");
  Mask mask(queries, keys);
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j) mask(i, j) = j <= query_offset + i;
  return mask;
}
// #endregion causal_mask

Mask padding_mask(Index queries, const std::vector<bool>& real_keys) {
  const auto keys = static_cast<Index>(real_keys.size());
  require_size("mask", queries, keys);
  if (queries < 1 || keys < 1)
    throw Error(ErrorCode::kEmptyInput, "mask is empty");
  Mask mask(queries, keys);
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j)
      mask(i, j) = real_keys[static_cast<size_t>(j)];
  return mask;
}

Mask combined_mask(const Mask& a, const Mask& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  require_mask_shape(a, b.rows(), b.cols());
  Mask both(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) both(i, j) = a(i, j) && b(i, j);
  return both;
}

std::int64_t visible_pairs(const Mask& mask) {
  require_places(mask);
  std::int64_t pairs = 0;
  for (Index i = 0; i < mask.rows(); ++i)
    for (Index j = 0; j < mask.cols(); ++j)
      if (mask(i, j)) ++pairs;
  return pairs;
}

std::int64_t causal_pairs(std::int64_t n) {
  if (n < 1)
    throw Error(ErrorCode::kInvalidArgument,
                "n is " + std::to_string(n) + ", below 1");
  // Halved before it is multiplied: n (n + 1) alone would pass the limit.
  const std::int64_t a = n % 2 == 0 ? n / 2 : n;
  const std::int64_t b = n % 2 == 0 ? n + 1 : n / 2 + 1;
  if (a > kLargestPairCount / b)
    throw Error(ErrorCode::kTooLarge,
                "n is " + std::to_string(n) + ": over 2^53 pairs");
  return a * b;
}

// #region masked_scores
Matrix masked_scores(const Matrix& scores, const Mask& mask) {
  require_logits("scores", scores);
  Matrix masked = scores;
  if (mask.size() == 0) return masked;
  require_mask_shape(mask, scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index j = 0; j < scores.cols(); ++j)
      if (!mask(i, j)) masked(i, j) = -std::numeric_limits<double>::infinity();
  return masked;
}
// #endregion masked_scores

Matrix zeroed_weights(const Matrix& weights, const Mask& mask) {
  require_valid("weights", weights);
  Matrix zeroed = weights;
  if (mask.size() == 0) return zeroed;
  require_mask_shape(mask, weights.rows(), weights.cols());
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = 0; j < weights.cols(); ++j)
      if (!mask(i, j)) zeroed(i, j) = 0;
  return zeroed;
}

}  // namespace attn
