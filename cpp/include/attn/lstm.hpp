#pragma once

#include <attn/matrix.hpp>
#include <vector>

/// The LSTM cell with every gate open to view, and the two ways its gradient
/// goes back: the bare cell path (a product of forget gates) and the full
/// Jacobian through all gates.
///
///     i = σ(a_i)  f = σ(a_f)  g = tanh(a_g)  o = σ(a_o)
///     c = f∘c′ + i∘g          h = o∘tanh(c)
///
/// with a = W_x·x + W_h·h′ + b. Hochreiter & Schmidhuber 1997; the forget gate
/// of Gers et al. 2000. Conventions: one row is one token, places count from 0;
/// the weights stand on the left of a column, their four blocks of d rows in
/// the order i, f, g, o.
/// Limit: 2^22 doubles for each result and each list of Jacobians.
namespace attn {

struct LstmWeights {
  Matrix input;  ///< 4d × m
  Matrix state;  ///< 4d × d
  Matrix bias;   ///< 1 × 4d
};

struct LstmTrace {
  Matrix input_gate;   ///< n × d: i
  Matrix forget_gate;  ///< n × d: f
  Matrix candidate;    ///< n × d: g
  Matrix output_gate;  ///< n × d: o
  Matrix cells;        ///< (n + 1) × d: c; row 0 is the start
  Matrix states;       ///< (n + 1) × d: h; row 0 is the start
};

/// x  n × m; start_state, start_cell  1 × d.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge; kDiverged
/// when a sum overflows
LstmTrace lstm_forward(const Matrix& x, const LstmWeights& weights,
                       const Matrix& start_state, const Matrix& start_cell);

/// ∂(c_t, h_t)/∂(c_{t−1}, h_{t−1}) at token `token`, 2d × 2d: the first d rows
/// and columns are the cell's, the others the state's. `trace` as lstm_forward
/// returns it; state_weights is LstmWeights::state.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite; kInvalidArgument when
/// there is no such token; kTooLarge when 4d² > 2^22
Matrix lstm_jacobian(const LstmTrace& trace, const Matrix& state_weights,
                     Index token);

struct LstmPaths {
  Matrix forget_path;  ///< (n + 1) × d: row k = product of the last k
                       ///< forget gates, ∂c_n/∂c_{n−k} with h held fixed
  std::vector<Matrix> full;  ///< [k] = ∂(c_n, h_n)/∂(c_{n−k}, h_{n−k}), 2d × 2d
  std::vector<double>
      norms;  ///< [k] = spectral norm of the ∂c_n/∂c_{n−k} block
};

/// Both ways back, for distances k = 0 … n.
/// @throws Error as lstm_jacobian; kTooLarge when (n + 1)·4d² > 2^22 or
/// d > 256; kDiverged when a product overflows
LstmPaths lstm_paths(const LstmTrace& trace, const Matrix& state_weights);

/// Row k = the product, unit by unit, of the last k rows of `forget_gate`
/// n × d, for k = 0 … n: what is left of the cell after k steps of forgetting.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument when a
/// gate is outside 0 … 1
Matrix forget_path(const Matrix& forget_gate);

}  // namespace attn
