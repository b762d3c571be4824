#pragma once

#include <attn/matrix.hpp>
#include <vector>

/// Recurrent chains: how fast a repeated factor decays or grows, a tanh RNN,
/// and the product of Jacobians that carries its gradient back in time.
///
/// Conventions. One row is one token, places count from 0. A recurrent matrix
/// stands on the left of a column: w(i, j) is the effect of unit j on unit i.
/// The state is written as in Pascanu et al. 2013, eq. (2): a_t before tanh,
///     a_t = W·tanh(a_{t−1}) + U·x_t + b,   J_t = ∂a_t/∂a_{t−1} =
///     W·diag(tanh′),
/// so what is multiplied is J_t and not W. With h_t = tanh(a_t) it is the usual
/// h_t = tanh(W·h_{t−1} + U·x_t + b).
/// Limit: 2^22 doubles for each result and each list of Jacobians.
namespace attn {

/// factor^0, factor^1, …, factor^steps, each the one before times `factor`.
/// @throws Error kNotFinite; kInvalidArgument when steps < 0; kTooLarge when
/// steps ≥ 2^22; kDiverged when a power overflows
std::vector<double> powers(double factor, Index steps);

/// Steps until factor^t is a half: ln ½ / ln factor.
/// @throws Error kNotFinite; kInvalidArgument unless 0 < factor < 1
double half_life(double factor);

/// Steps until factor^t is 2: ln 2 / ln factor.
/// @throws Error kNotFinite; kInvalidArgument unless factor > 1
double doubling_time(double factor);

struct RnnTrace {
  Matrix before;  ///< n × d: a_t, before tanh
  Matrix states;  ///< n × d: h_t = tanh(a_t)
};

/// x  n × m; w  d × d; u  d × m; bias  1 × d; start  1 × d, the state h before
/// the first token.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge; kDiverged
/// when a sum overflows
RnnTrace rnn_forward(const Matrix& x, const Matrix& w, const Matrix& u,
                     const Matrix& bias, const Matrix& start);

/// W·diag(slopes): column j of `w  d × d` times slopes(0, j), which is tanh′ at
/// unit j; slopes  1 × d.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge; kDiverged
Matrix step_jacobian(const Matrix& w, const Matrix& slopes);

/// m, m², …, m^steps for a square `m`.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite; kInvalidArgument when
/// steps < 1; kTooLarge when steps · d² > 2^22; kDiverged when a power
/// overflows
std::vector<Matrix> matrix_powers(const Matrix& m, Index steps);

struct JacobianChain {
  std::vector<Matrix> products;  ///< [k] = ∂a_{n−1}/∂a_{n−1−k}, d × d; [0] = I
  std::vector<double> norms;  ///< [k] = spectral norm of products[k]
};

/// The chain from the last token back to the first: n products for distances
/// 0 … n − 1, made of n − 1 Jacobians. states  n × d as rnn_forward returns
/// them; w  d × d.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite; kInvalidArgument when
/// a state is outside −1 … 1; kTooLarge when n · d² > 2^22 or d > 256;
/// kDiverged when a product overflows
JacobianChain rnn_jacobians(const Matrix& states, const Matrix& w);

struct GradientTrace {
  Matrix gradients;           ///< n × d: row k = ∂L/∂a_{n−1−k}
  std::vector<double> norms;  ///< [k] = Euclidean length of that row
};

/// Back-propagation through time of one loss at the last token: `upstream`
/// 1 × d is ∂L/∂a_{n−1}. Row k is upstream times products[k] above, at n·d²
/// instead of n·d³ multiplications.
/// @throws Error as rnn_jacobians, and kShapeMismatch for `upstream`
GradientTrace rnn_gradient(const Matrix& states, const Matrix& w,
                           const Matrix& upstream);

/// ‖m‖₂, the largest singular value: power iteration on mᵀm (or mmᵀ when that
/// is smaller) from all start vectors at once, squaring the matrix so that s
/// squarings are 2^s steps and no start can be unlucky.
/// @throws Error kEmptyInput, kNotFinite; kTooLarge when min(rows, cols) > 256
double spectral_norm(const Matrix& m);

/// The largest |eigenvalue| of a square matrix, defined for every one, complex
/// pairs included: the limit of ‖m^t‖^(1/t) (Gelfand 1941) along t = 2^s.
/// Rounding blurs a defective eigenvalue, as it does in every method.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite; kTooLarge over d =
/// 256
double spectral_radius(const Matrix& m);

struct Eigenvalues {
  std::vector<double> real;       ///< ascending
  std::vector<double> imaginary;  ///< 0, 0 or −w, +w
};

/// Both eigenvalues of a 2 × 2 matrix, from its trace and discriminant.
/// @throws Error kShapeMismatch, kNotFinite, kEmptyInput; kDiverged when the
/// discriminant overflows
Eigenvalues eigenvalues_2x2(const Matrix& m);

struct PowerIteration {
  double value;     ///< the last Rayleigh quotient vᵀmv
  Matrix vector;    ///< 1 × d, of length 1
  double residual;  ///< ‖mv − value·v‖
  Index steps;      ///< multiplications done
  bool converged;  ///< residual ≤ 1e-12 · ‖m‖_F; else there may be no single
                   ///< real dominant eigenvalue, and `value` means nothing
};

/// v ← mv / ‖mv‖ from a fixed start, the textbook way to the eigenvalue of
/// largest size. It does not settle when two share that size (a complex pair,
/// +λ and −λ); `converged` says so.
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite; kInvalidArgument when
/// max_steps < 1; kTooLarge over d = 256 or max_steps = 100 000
PowerIteration power_iteration(const Matrix& m, Index max_steps);

}  // namespace attn
