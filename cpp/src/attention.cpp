#include <attn/attention.hpp>
#include <attn/softmax.hpp>
#include <cmath>
#include <limits>

#include "arguments.hpp"
#include "attention_passes.hpp"

namespace attn {
namespace {

constexpr Index kCountingLimit = Index{1} << 24;

void require_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                       const AttentionOptions& options) {
  require_valid("q", q);
  require_valid("k", k);
  require_valid("v", v);
  require_same_cols("q", q, "k", k);
  require_same_rows("k", k, "v", v);
  require_count("query_offset", options.query_offset, 0, kReferenceLimit);
  if (options.mask.size() != 0)
    require_mask_shape(options.mask, q.rows(), k.rows());
  if (options.bias.size() != 0)
    require_shape("bias", options.bias, q.rows(), k.rows());
}

double divisor_of(const Matrix& q, const AttentionOptions& options) {
  return options.scaled ? std::sqrt(static_cast<double>(q.cols())) : 1;
}

// `first` is the place among all queries of the first row of `scores`.
// #region hide
void hide(const AttentionOptions& options, Index first, Matrix& scores) {
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index j = 0; j < scores.cols(); ++j) {
      const Index query = first + i;
      const bool later = j > options.query_offset + query;
      const bool masked = options.mask.size() != 0 && !options.mask(query, j);
      if (options.bias.size() != 0) scores(i, j) += options.bias(query, j);
      if (masked || (options.causal && later))
        scores(i, j) = -std::numeric_limits<double>::infinity();
    }
}
// #endregion hide

AttentionTrace checked_attention(const Matrix& q, const Matrix& k,
                                 const Matrix& v, Index first,
                                 const AttentionOptions& options) {
  require_size("the scores", q.rows(), k.rows());
  require_size("the output", q.rows(), v.cols());
  AttentionTrace t;
  // Pass 1: how well each query fits each key.
  t.scores = scaled_scores(q, k, divisor_of(q, options));
  require_no_overflow("a score", t.scores);
  // Pass 2: bias and mask.
  hide(options, first, t.scores);
  require_logits("scores", t.scores);
  // Pass 3: scores to shares of 1.
  t.weights = softmax_of_rows(t.scores);
  // Pass 4: the values, mixed in those shares.
  t.output = weighted_values(t.weights, v);
  require_no_overflow("the output", t.output);
  t.fully_masked = fully_masked_rows(t.scores);
  return t;
}

}  // namespace

AttentionTrace attention(const Matrix& q, const Matrix& k, const Matrix& v,
                         const AttentionOptions& options) {
  require_attention(q, k, v, options);
  return checked_attention(q, k, v, 0, options);
}

AttentionTrace attention_rows(const Matrix& q, const Matrix& k, const Matrix& v,
                              Index first, Index count,
                              const AttentionOptions& options) {
  require_attention(q, k, v, options);
  require_between("first", first, 0, q.rows() - 1);
  require_between("count", count, 1, q.rows() - first);
  return checked_attention(q.middleRows(first, count), k, v, first, options);
}

// #region attention_gradients
AttentionGradients attention_gradients(const Matrix& q, const Matrix& k,
                                       const Matrix& v, const Matrix& d_output,
                                       const AttentionOptions& options) {
  const Matrix w = attention(q, k, v, options).weights;
  require_shape("d_output", d_output, q.rows(), v.cols());
  AttentionGradients g;
  g.d_v = product(w.transpose(), d_output);
  g.d_weights = product(d_output, v.transpose());
  g.d_scores = Matrix(w.rows(), w.cols());
  for (Index i = 0; i < w.rows(); ++i) {
    double mean = 0;
    for (Index j = 0; j < w.cols(); ++j) mean += w(i, j) * g.d_weights(i, j);
    for (Index j = 0; j < w.cols(); ++j)
      g.d_scores(i, j) = w(i, j) * (g.d_weights(i, j) - mean);
  }
  const double divisor = divisor_of(q, options);
  g.d_q = product(g.d_scores, k) / divisor;
  g.d_k = product(g.d_scores.transpose(), q) / divisor;
  return g;
}
// #endregion attention_gradients

Tally attention_operations(Index n, Index m, Index d, Index d_v) {
  require_count("n", n, 1, kCountingLimit);
  require_count("m", m, 1, kCountingLimit);
  require_count("d", d, 1, kCountingLimit);
  require_count("d_v", d_v, 1, kCountingLimit);
  require_size("n times m", n, m, kCountingLimit);
  require_size("the work", n * m, d + d_v, kCountingLimit);
  Tally tally;
  const Counted one(1, tally);
  const auto ones = [&](Index rows, Index cols) {
    return MatrixOf<Counted>::Constant(rows, cols, one).eval();
  };
  const Counted divisor = std::sqrt(static_cast<double>(d));
  const auto scores = scaled_scores(ones(n, d), ones(m, d), divisor);
  weighted_values(softmax_of_rows(scores), ones(m, d_v));
  return tally;
}

}  // namespace attn
