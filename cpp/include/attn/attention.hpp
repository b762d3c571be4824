#pragma once

#include <attn/counted.hpp>
#include <attn/mask.hpp>
#include <attn/matrix.hpp>
#include <vector>

namespace attn {

/// Scaled dot-product attention, softmax(Q·Kᵀ / √d)·V. Rows are tokens.
///
///   q  n × d queries,  k  m × d keys,  v  m × d_v values
///
/// n and m differ when one sequence looks at another (cross-attention). Limit:
/// 2^22 numbers in the n × m scores and in every operand.

struct AttentionOptions {
  Mask mask;               ///< n × m, or 0 × 0 to hide nothing
  bool causal = false;     ///< also hide every key that lies after the query
  Index query_offset = 0;  ///< place of the first query, for `causal`
  bool scaled = true;      ///< divide by √d; false leaves Q·Kᵀ as it is
  Matrix bias;             ///< n × m, added to the scores, or 0 × 0 for none
};

/// Every intermediate, so that each step can be shown.
struct AttentionTrace {
  Matrix scores;   ///< n × m, Q·Kᵀ / √d + bias; −∞ where hidden
  Matrix weights;  ///< n × m, softmax of each row of `scores`
  Matrix output;   ///< n × d_v, weights · V
  std::vector<bool> fully_masked;  ///< rows that see nothing: all zeros
};

/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kTooLarge;
/// kInvalidArgument for a query_offset below 0; kDiverged when a score or an
/// output leaves the finite numbers
AttentionTrace attention(const Matrix& q, const Matrix& k, const Matrix& v,
                         const AttentionOptions& options = {});

/// The rows first … first + count − 1 of `attention`, bit for bit: long work in
/// pieces. Mask, bias and query_offset are those of the whole.
/// @throws Error as attention; kInvalidArgument for rows that q does not have
AttentionTrace attention_rows(const Matrix& q, const Matrix& k, const Matrix& v,
                              Index first, Index count,
                              const AttentionOptions& options = {});

/// The gradients of a loss whose gradient with respect to the output is given.
struct AttentionGradients {
  Matrix d_weights;  ///< n × m, dO · Vᵀ
  Matrix d_scores;   ///< n × m, wᵢⱼ (dwᵢⱼ − Σₗ wᵢₗ dwᵢₗ)
  Matrix d_q;        ///< n × d, dS · K / √d
  Matrix d_k;        ///< m × d, dSᵀ · Q / √d
  Matrix d_v;        ///< m × d_v, weightsᵀ · dO
};

/// @param d_output  n × d_v
/// @throws Error as attention
AttentionGradients attention_gradients(const Matrix& q, const Matrix& k,
                                       const Matrix& v, const Matrix& d_output,
                                       const AttentionOptions& options = {});

/// What `attention` costs on n queries and m keys of width d with values of
/// width d_v, by running it on numbers that count: n·m·d + n·m·d_v
/// multiplications, n·m exponentials, and so on. Limit: n·m·(d + d_v) ≤ 2^24.
/// @throws Error kInvalidArgument for a size below 1, kTooLarge
Tally attention_operations(Index n, Index m, Index d, Index d_v);

}  // namespace attn
