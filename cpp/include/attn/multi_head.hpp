#pragma once

#include <attn/attention.hpp>
#include <attn/matrix.hpp>
#include <cstdint>
#include <vector>

namespace attn {

/// h attentions side by side, Concat(head₁ … head_h)·W_O. Head t (from 0) owns
/// the columns t·d_k … (t + 1)·d_k − 1 of W_Q and W_K, and likewise d_v columns
/// of W_V; each head divides its scores by √d_k. Limit: 2^22 numbers in all
/// heads' scores together.

struct MultiHeadWeights {
  Matrix w_q;  ///< d_model × h·d_k
  Matrix w_k;  ///< d_memory × h·d_k
  Matrix w_v;  ///< d_memory × h·d_v
  Matrix w_o;  ///< h·d_v × d_out
};

/// The mask, bias and scale of every head, and:
struct MultiHeadOptions : AttentionOptions {
  Matrix memory;              ///< m × d_memory, to look at; 0 × 0: x itself
  std::vector<double> gates;  ///< one factor a head, or empty: all are 1
};

struct MultiHeadTrace {
  std::vector<AttentionTrace> heads;  ///< before their gates
  Matrix entropy;  ///< h × n, of each row of each head's weights, in nats
  Matrix concat;   ///< n × h·d_v, the gated outputs side by side
  Matrix output;   ///< n × d_out, concat · W_O
};

/// @param x      n × d_model
/// @param heads  h, which divides the widths of W_Q and W_V
/// @throws Error as attention; kInvalidArgument when h < 1 or h does not divide
/// the widths; kShapeMismatch for any other misfit
MultiHeadTrace multi_head(const Matrix& x, const MultiHeadWeights& weights,
                          Index heads, const MultiHeadOptions& options = {});

/// What does and what does not depend on the number of heads, for
/// self-attention over n tokens with d_k = d_v = d_model / h.
struct MultiHeadCost {
  std::int64_t head_width = 0;            ///< d_k
  std::int64_t parameters = 0;            ///< 4 d_model²
  std::int64_t parameters_with_bias = 0;  ///< + 4 d_model
  std::int64_t score_entries = 0;         ///< h·n²
  std::int64_t score_multiply_adds = 0;   ///< h·n²·d_k = n²·d_model
};

/// @throws Error kInvalidArgument for a value below 1 or an h that does not
/// divide d_model; kTooLarge when a count passes 2^53
MultiHeadCost multi_head_cost(std::int64_t n, std::int64_t d_model,
                              std::int64_t heads);

}  // namespace attn
