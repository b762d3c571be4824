#pragma once

#include <attn/attention.hpp>
#include <attn/matrix.hpp>
#include <attn/multi_head.hpp>

/// Broken on purpose: what learners compare with the right one. Each function
/// takes what the function of namespace attn that it imitates takes, and checks
/// it as strictly; its one fault is named here. Limits are those of the right
/// one.
namespace attn::museum {

/// attn::softmax_rows over the wrong axis: each column sums to 1, rows do not.
/// @throws Error as softmax_rows
Matrix softmax_over_columns(const Matrix& scores, double temperature = 1);

/// attn::attention that hides after softmax: hidden scores have already taken
/// their share, so that a row sums to less than 1.
/// @throws Error as attention
AttentionTrace attention_masked_late(const Matrix& q, const Matrix& k,
                                     const Matrix& v,
                                     const AttentionOptions& options = {});

/// attn::attention that adds −10⁹ to a hidden score in float32 instead of
/// replacing it by −∞: a row that sees nothing looks at everything alike.
/// @throws Error as attention
AttentionTrace attention_minus_billion(const Matrix& q, const Matrix& k,
                                       const Matrix& v,
                                       const AttentionOptions& options = {});

/// attn::attention that takes the first query to stand at the first key, as if
/// there were as many queries as keys: query_offset is ignored.
/// @throws Error as attention
AttentionTrace attention_without_offset(const Matrix& q, const Matrix& k,
                                        const Matrix& v,
                                        const AttentionOptions& options = {});

/// Attention in blocks of `block` keys whose softmaxes are averaged, whatever
/// share of the whole each block has.
/// @throws Error as attention; kInvalidArgument unless block ≥ 1
AttentionTrace attention_averaged_blocks(const Matrix& q, const Matrix& k,
                                         const Matrix& v, Index block);

/// attn::multi_head that divides the scores by √d_model, not by √d_k.
/// @throws Error as multi_head
MultiHeadTrace multi_head_model_scale(const Matrix& x,
                                      const MultiHeadWeights& weights,
                                      Index heads,
                                      const MultiHeadOptions& options = {});

}  // namespace attn::museum
