#include <attn/error.hpp>
#include <attn/multi_head.hpp>
#include <attn/projection.hpp>
#include <attn/softmax.hpp>
#include <string>

#include "arguments.hpp"

namespace attn {
namespace {

constexpr std::int64_t kLargestCount = std::int64_t{1} << 53U;

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a > kLargestCount / b)
    throw Error(ErrorCode::kTooLarge, "a count passes 2^53");
  return a * b;
}

Index width_of_head(const char* name, const Matrix& w, Index heads) {
  if (w.cols() % heads != 0)
    throw Error(ErrorCode::kInvalidArgument,
                std::to_string(heads) + " heads do not divide the " +
                    std::to_string(w.cols()) + " columns of " + name);
  return w.cols() / heads;
}

void require_multi_head(const Matrix& x, const Matrix& memory,
                        const MultiHeadWeights& w, Index heads,
                        const MultiHeadOptions& options) {
  require_valid("x", x);
  require_valid("memory", memory);
  require_valid("w_q", w.w_q);
  require_valid("w_k", w.w_k);
  require_valid("w_v", w.w_v);
  require_valid("w_o", w.w_o);
  require_same_cols("w_q", w.w_q, "w_k", w.w_k);
  require_product("w_v", w.w_v, "w_o", w.w_o);
  require_count("heads", heads, 1, w.w_q.cols());
  require_size("one head's scores", x.rows(), memory.rows());
  require_size("all heads' scores", heads, x.rows() * memory.rows());
  if (options.gates.empty()) return;
  require_finite_list("gates", options.gates);
  if (static_cast<Index>(options.gates.size()) != heads)
    throw Error(ErrorCode::kShapeMismatch,
                "there are " + std::to_string(options.gates.size()) +
                    " gates but " + std::to_string(heads) + " heads");
}

}  // namespace

// #region multi_head
MultiHeadTrace multi_head(const Matrix& x, const MultiHeadWeights& weights,
                          Index heads, const MultiHeadOptions& options) {
  const Matrix& memory = options.memory.size() == 0 ? x : options.memory;
  require_multi_head(x, memory, weights, heads, options);
  const Index d_k = width_of_head("w_q", weights.w_q, heads);
  const Index d_v = width_of_head("w_v", weights.w_v, heads);
  const Matrix q = project(x, weights.w_q);
  const Matrix k = project(memory, weights.w_k);
  const Matrix v = project(memory, weights.w_v);
  MultiHeadTrace t;
  t.entropy = Matrix(heads, x.rows());
  t.concat = Matrix(x.rows(), heads * d_v);
  for (Index h = 0; h < heads; ++h) {
    t.heads.push_back(attention(q.middleCols(h * d_k, d_k),
                                k.middleCols(h * d_k, d_k),
                                v.middleCols(h * d_v, d_v), options));
    const double gate = options.gates.empty() ? 1 : options.gates[size_t(h)];
    t.concat.middleCols(h * d_v, d_v) = gate * t.heads.back().output;
    const auto entropy = entropy_rows(t.heads.back().weights);
    for (Index i = 0; i < x.rows(); ++i) t.entropy(h, i) = entropy[size_t(i)];
  }
  t.output = project(t.concat, weights.w_o);
  return t;
}
// #endregion multi_head

// #region multi_head_cost
MultiHeadCost multi_head_cost(std::int64_t n, std::int64_t d_model,
                              std::int64_t heads) {
  for (const std::int64_t size : {n, d_model, heads})
    if (size < 1)
      throw Error(ErrorCode::kInvalidArgument,
                  "a size is " + std::to_string(size) + ", below 1");
  if (d_model % heads != 0)
    throw Error(ErrorCode::kInvalidArgument,
                std::to_string(heads) + " heads do not divide a width of " +
                    std::to_string(d_model));
  MultiHeadCost cost;
  cost.head_width = d_model / heads;
  cost.parameters = times(4, times(d_model, d_model));
  cost.parameters_with_bias = times(4, times(d_model, d_model + 1));
  cost.score_entries = times(heads, times(n, n));
  cost.score_multiply_adds = times(cost.score_entries, cost.head_width);
  return cost;
}
// #endregion multi_head_cost

}  // namespace attn
