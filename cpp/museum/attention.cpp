#include <algorithm>
#include <attn/error.hpp>
#include <attn/mask.hpp>
#include <attn/softmax.hpp>
#include <cmath>
#include <museum/attention.hpp>

namespace attn::museum {
namespace {

AttentionOptions unmasked(AttentionOptions options) {
  options.mask = Mask();
  options.causal = false;
  return options;
}

/// What the options leave visible, as one mask of full size.
Mask visible(const AttentionOptions& options, Index queries, Index keys) {
  const Mask order = options.causal
                         ? causal_mask(queries, keys, options.query_offset)
                         : Mask(Mask::Constant(queries, keys, true));
  return combined_mask(options.mask, order);
}

}  // namespace

// #region softmax_over_columns
Matrix softmax_over_columns(const Matrix& scores, double temperature) {
  return transpose(softmax_rows(transpose(scores), temperature));
}
// #endregion softmax_over_columns

// #region attention_masked_late
AttentionTrace attention_masked_late(const Matrix& q, const Matrix& k,
                                     const Matrix& v,
                                     const AttentionOptions& options) {
  AttentionTrace trace = attention(q, k, v, unmasked(options));
  const Mask mask = visible(options, q.rows(), k.rows());
  trace.weights = zeroed_weights(trace.weights, mask);
  trace.output = product(trace.weights, v);
  return trace;
}
// #endregion attention_masked_late

// #region attention_minus_billion
AttentionTrace attention_minus_billion(const Matrix& q, const Matrix& k,
                                       const Matrix& v,
                                       const AttentionOptions& options) {
  AttentionTrace trace = attention(q, k, v, unmasked(options));
  const Mask mask = visible(options, q.rows(), k.rows());
  for (Index i = 0; i < mask.rows(); ++i)
    for (Index j = 0; j < mask.cols(); ++j)
      if (!mask(i, j))
        trace.scores(i, j) = static_cast<float>(trace.scores(i, j)) - 1e9F;
  trace.weights = softmax_rows(trace.scores);
  trace.output = product(trace.weights, v);
  return trace;
}
// #endregion attention_minus_billion

// #region attention_without_offset
AttentionTrace attention_without_offset(const Matrix& q, const Matrix& k,
                                        const Matrix& v,
                                        const AttentionOptions& options) {
  AttentionOptions from_the_start = options;
  from_the_start.query_offset = 0;
  return attention(q, k, v, from_the_start);
}
// #endregion attention_without_offset

// #region attention_averaged_blocks
AttentionTrace attention_averaged_blocks(const Matrix& q, const Matrix& k,
                                         const Matrix& v, Index block) {
  if (block < 1) throw Error(ErrorCode::kInvalidArgument, "block is below 1");
  AttentionTrace trace = attention(q, k, v);
  const Index keys = k.rows();
  const Index blocks = (keys - 1) / block + 1;
  for (Index first = 0; first < keys; first += block) {
    const Index count = std::min(block, keys - first);
    const Matrix scores = trace.scores.middleCols(first, count);
    trace.weights.middleCols(first, count) =
        softmax_rows(scores) / static_cast<double>(blocks);
  }
  trace.output = product(trace.weights, v);
  return trace;
}
// #endregion attention_averaged_blocks

// #region multi_head_model_scale
MultiHeadTrace multi_head_model_scale(const Matrix& x,
                                      const MultiHeadWeights& weights,
                                      Index heads,
                                      const MultiHeadOptions& options) {
  MultiHeadWeights divided = weights;
  divided.w_q /= std::sqrt(static_cast<double>(x.cols()));
  MultiHeadOptions unscaled = options;
  unscaled.scaled = false;
  return multi_head(x, divided, heads, unscaled);
}
// #endregion multi_head_model_scale

}  // namespace attn::museum
