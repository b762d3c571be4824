#include <attn/error.hpp>
#include <attn/lstm.hpp>
#include <attn/recurrent.hpp>
#include <cmath>
#include <string>

#include "arguments.hpp"

namespace attn {
namespace {

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

void require_gates(const char* name, const Matrix& gates) {
  require_valid(name, gates);
  require_size(name, gates.rows() + 1, gates.cols());
  for (Index i = 0; i < gates.rows(); ++i)
    for (Index j = 0; j < gates.cols(); ++j)
      if (gates(i, j) < 0 || gates(i, j) > 1)
        throw Error(ErrorCode::kInvalidArgument,
                    std::string(name) + " has a gate outside 0 to 1");
}

// Returns d, the number of units.
Index require_lstm(const Matrix& x, const LstmWeights& weights,
                   const Matrix& start_state, const Matrix& start_cell) {
  require_valid("x", x);
  require_valid("start_state", start_state);
  const Index d = start_state.cols();
  require_shape("start_state", start_state, 1, d);
  require_shape("start_cell", start_cell, 1, d);
  require_shape("input weights", weights.input, 4 * d, x.cols());
  require_shape("state weights", weights.state, 4 * d, d);
  require_shape("bias", weights.bias, 1, 4 * d);
  require_size("the states", x.rows() + 1, d);
  return d;
}

LstmTrace empty_trace(Index n, Index d) {
  const Matrix gate(n, d);
  const Matrix kept(n + 1, d);
  return {gate, gate, gate, gate, kept, kept};
}

void require_trace(const LstmTrace& trace, const Matrix& state_weights) {
  const Index n = trace.input_gate.rows();
  const Index d = trace.input_gate.cols();
  require_gates("input_gate", trace.input_gate);
  require_shape("forget_gate", trace.forget_gate, n, d);
  require_shape("candidate", trace.candidate, n, d);
  require_shape("output_gate", trace.output_gate, n, d);
  require_shape("cells", trace.cells, n + 1, d);
  require_shape("states", trace.states, n + 1, d);
  require_shape("state_weights", state_weights, 4 * d, d);
  require_size("the Jacobian", 2 * d, 2 * d);
}

// a = W_x·x + W_h·h + b for one token, 1 × 4d.
Matrix sums(const Matrix& x, Index token, const LstmWeights& w,
            const Matrix& h) {
  Matrix a = w.bias;
  for (Index r = 0; r < a.cols(); ++r) {
    for (Index c = 0; c < x.cols(); ++c) a(0, r) += w.input(r, c) * x(token, c);
    for (Index c = 0; c < h.cols(); ++c) a(0, r) += w.state(r, c) * h(0, c);
  }
  require_no_overflow("a sum", a);
  return a;
}

}  // namespace

// #region lstm_forward
LstmTrace lstm_forward(const Matrix& x, const LstmWeights& weights,
                       const Matrix& start_state, const Matrix& start_cell) {
  const Index n = x.rows();
  const Index d = require_lstm(x, weights, start_state, start_cell);
  LstmTrace t = empty_trace(n, d);
  t.states.row(0) = start_state;
  t.cells.row(0) = start_cell;
  for (Index k = 0; k < n; ++k) {
    const Matrix a = sums(x, k, weights, t.states.row(k));
    for (Index j = 0; j < d; ++j) {
      const double i = t.input_gate(k, j) = sigmoid(a(0, j));
      const double f = t.forget_gate(k, j) = sigmoid(a(0, d + j));
      const double g = t.candidate(k, j) = std::tanh(a(0, 2 * d + j));
      const double o = t.output_gate(k, j) = sigmoid(a(0, 3 * d + j));
      const double c = f * t.cells(k, j) + i * g;
      t.cells(k + 1, j) = c;
      t.states(k + 1, j) = o * std::tanh(c);
    }
  }
  require_no_overflow("a cell", t.cells);
  return t;
}
// #endregion lstm_forward

Matrix lstm_jacobian(const LstmTrace& trace, const Matrix& state_weights,
                     Index token) {
  require_trace(trace, state_weights);
  require_between("token", token, 0, trace.input_gate.rows() - 1);
  const Index d = trace.input_gate.cols();
  Matrix jacobian = Matrix::Zero(2 * d, 2 * d);
  for (Index r = 0; r < d; ++r) {
    const double i = trace.input_gate(token, r);
    const double f = trace.forget_gate(token, r);
    const double g = trace.candidate(token, r);
    const double o = trace.output_gate(token, r);
    const double shown = std::tanh(trace.cells(token + 1, r));
    // 1. How the cell moves with each of the four sums.
    const double by_i = g * i * (1 - i);
    const double by_f = trace.cells(token, r) * f * (1 - f);
    const double by_g = i * (1 - g * g);
    // 2. How the state moves with the cell and with the output gate's sum.
    const double by_cell = o * (1 - shown * shown);
    const double by_o = shown * o * (1 - o);
    // 3. The cell's own path, and the way through the old state.
    jacobian(r, r) = f;
    jacobian(d + r, r) = by_cell * f;
    for (Index c = 0; c < d; ++c) {
      const double cell = by_i * state_weights(r, c) +
                          by_f * state_weights(d + r, c) +
                          by_g * state_weights(2 * d + r, c);
      jacobian(r, d + c) = cell;
      jacobian(d + r, d + c) =
          by_cell * cell + by_o * state_weights(3 * d + r, c);
    }
  }
  require_no_overflow("the Jacobian", jacobian);
  return jacobian;
}

// #region lstm_paths
LstmPaths lstm_paths(const LstmTrace& trace, const Matrix& state_weights) {
  require_trace(trace, state_weights);
  const Index n = trace.input_gate.rows();
  const Index d = trace.input_gate.cols();
  require_size("the chain of Jacobians", n + 1, 4 * d * d);
  LstmPaths out{forget_path(trace.forget_gate), {}, {}};
  out.full.emplace_back(Matrix::Identity(2 * d, 2 * d));
  for (Index t = n - 1; t >= 0; --t) {
    const Matrix j = lstm_jacobian(trace, state_weights, t);
    out.full.push_back(product(out.full.back(), j));
  }
  for (const Matrix& p : out.full)
    out.norms.push_back(spectral_norm(p.topLeftCorner(d, d)));
  return out;
}
// #endregion lstm_paths

// #region forget_path
Matrix forget_path(const Matrix& forget_gate) {
  require_gates("forget_gate", forget_gate);
  const Index n = forget_gate.rows();
  Matrix path = Matrix::Ones(n + 1, forget_gate.cols());
  for (Index k = 1; k <= n; ++k)
    for (Index j = 0; j < path.cols(); ++j)
      path(k, j) = path(k - 1, j) * forget_gate(n - k, j);
  return path;
}
// #endregion forget_path

}  // namespace attn
