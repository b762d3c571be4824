#pragma once

#include <attn/matrix.hpp>
#include <cstdint>
#include <vector>

namespace attn {

/// n × m, one place for each query and key: true where query i may look at key
/// j. A 0 × 0 mask hides nothing. Limit: 2^22 places.
using Mask = MatrixOf<bool>;

/// Query i stands at place query_offset + i among the keys and sees the keys up
/// to its own place: a lower triangle when the offset is 0.
/// @throws Error kEmptyInput, kTooLarge; kInvalidArgument for an offset below 0
Mask causal_mask(Index queries, Index keys, Index query_offset = 0);

/// Every query sees exactly the keys that are real, not padding.
/// @throws Error kEmptyInput, kTooLarge
Mask padding_mask(Index queries, const std::vector<bool>& real_keys);

/// True where both masks are; a 0 × 0 mask leaves the other as it is.
/// @throws Error kShapeMismatch
Mask combined_mask(const Mask& a, const Mask& b);

/// How many pairs of query and key the mask leaves.
/// @throws Error kEmptyInput, kTooLarge
std::int64_t visible_pairs(const Mask& mask);

/// n (n + 1) / 2: the visible pairs of a causal mask over n tokens, without
/// making the mask. Limit: 2^53.
/// @throws Error kInvalidArgument when n < 1, kTooLarge
std::int64_t causal_pairs(std::int64_t n);

/// `scores` with −∞ where the mask is false, before softmax: those places get
/// weight 0 and the others still share all of 1.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch
Matrix masked_scores(const Matrix& scores, const Mask& mask);

/// The mistake to compare with: `weights` set to 0 where the mask is false,
/// after softmax. The hidden scores have already taken their part of each row,
/// so that the row sums to less than 1 and depends on what it must not see.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch
Matrix zeroed_weights(const Matrix& weights, const Mask& mask);

}  // namespace attn
