#include "sublayer.hpp"

#include <attn/attention.hpp>
#include <cmath>

namespace attn {
namespace {

/// The columns of head `t` when a matrix is shared by `heads` heads.
Matrix head_columns(const Matrix& m, Index t, Index heads) {
  const Index width = m.cols() / heads;
  return m.middleCols(t * width, width);
}

void put_head_columns(Matrix& m, Index t, Index heads, const Matrix& part) {
  const Index width = m.cols() / heads;
  m.middleCols(t * width, width) = part;
}

}  // namespace

Matrix branch_input(const Matrix& x, const LayerOptions& options,
                    const Affine& affine) {
  return options.norm_first
             ? normalize(options.norm, x, affine, options.epsilon)
             : x;
}

Matrix leave_branch(const Matrix& x, const Matrix& branch,
                    const LayerOptions& options, const Affine& affine) {
  const Matrix sum = options.residual ? Matrix(x + branch) : branch;
  return options.norm_first
             ? sum
             : normalize(options.norm, sum, affine, options.epsilon);
}

MultiHeadInputGradients multi_head_input_gradients(
    const Matrix& x, const MultiHeadWeights& weights, Index heads,
    const MultiHeadOptions& options, const Matrix& d_output) {
  const Matrix& memory = options.memory.size() == 0 ? x : options.memory;

  // 1. The projections again, and the gradient at the heads' outputs.
  const Matrix q = product(x, weights.w_q);
  const Matrix k = product(memory, weights.w_k);
  const Matrix v = product(memory, weights.w_v);
  const Matrix d_concat = product(d_output, weights.w_o.transpose());

  // 2. Each head by itself.
  Matrix d_q(q.rows(), q.cols());
  Matrix d_k(k.rows(), k.cols());
  Matrix d_v(v.rows(), v.cols());
  for (Index t = 0; t < heads; ++t) {
    const double gate =
        options.gates.empty() ? 1.0 : options.gates[static_cast<size_t>(t)];
    const Matrix d_head = gate * head_columns(d_concat, t, heads);
    const AttentionGradients g = attention_gradients(
        head_columns(q, t, heads), head_columns(k, t, heads),
        head_columns(v, t, heads), d_head, options);
    put_head_columns(d_q, t, heads, g.d_q);
    put_head_columns(d_k, t, heads, g.d_k);
    put_head_columns(d_v, t, heads, g.d_v);
  }

  // 3. Back through the projections.
  return {product(d_q, weights.w_q.transpose()),
          product(d_k, weights.w_k.transpose()) +
              product(d_v, weights.w_v.transpose())};
}

Matrix scaled_normals(Rng& rng, Index rows, Index cols) {
  return normal_matrix(rng, rows, cols) / std::sqrt(static_cast<double>(rows));
}

}  // namespace attn
