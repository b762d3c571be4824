#include <algorithm>
#include <attn/error.hpp>
#include <attn/recurrent.hpp>
#include <cmath>
#include <utility>

#include "arguments.hpp"
#include "recurrent_steps.hpp"

namespace attn {
namespace {

constexpr Index kSpectralLimit = 256;
constexpr int kSquarings = 60;

void require_square(const char* name, const Matrix& m) {
  require_valid(name, m);
  require_shape(name, m, m.rows(), m.rows());
}

void require_states(const Matrix& states, const Matrix& w) {
  require_valid("states", states);
  require_shape("w", w, states.cols(), states.cols());
  for (Index i = 0; i < states.rows(); ++i)
    for (Index j = 0; j < states.cols(); ++j)
      if (std::abs(states(i, j)) > 1)
        throw Error(ErrorCode::kInvalidArgument,
                    "a state is outside -1 to 1: it is no tanh");
}

double largest_entry(const Matrix& m) {
  double largest = 0;
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      largest = std::max(largest, std::abs(m(i, j)));
  return largest;
}

Matrix slopes_of(const Matrix& states, Index row) {
  Matrix slopes(1, states.cols());
  for (Index j = 0; j < states.cols(); ++j)
    slopes(0, j) = 1 - states(row, j) * states(row, j);
  return slopes;
}

// m·mᵀ: both factors are read along rows.
Matrix gram(const Matrix& m) {
  Matrix g(m.rows(), m.rows());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j <= i; ++j) {
      double sum = 0;
      for (Index k = 0; k < m.cols(); ++k) sum += m(i, k) * m(j, k);
      g(i, j) = sum;
      g(j, i) = sum;
    }
  return g;
}

double dot(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (Index j = 0; j < a.cols(); ++j) sum += a(0, j) * b(0, j);
  return sum;
}

}  // namespace

// #region powers
std::vector<double> powers(double factor, Index steps) {
  require_finite_number("factor", factor);
  require_count("steps", steps, 0, kReferenceLimit - 1);
  std::vector<double> out(static_cast<size_t>(steps) + 1, 1.0);
  for (size_t t = 1; t < out.size(); ++t) out[t] = out[t - 1] * factor;
  require_no_overflow("the power", out.back());
  return out;
}
// #endregion powers

// #region half_life
double half_life(double factor) {
  require_finite_number("factor", factor);
  if (factor <= 0 || factor >= 1)
    throw Error(ErrorCode::kInvalidArgument, "factor must be between 0 and 1");
  return std::log(0.5) / std::log(factor);
}
// #endregion half_life

double doubling_time(double factor) {
  require_finite_number("factor", factor);
  if (factor <= 1)
    throw Error(ErrorCode::kInvalidArgument, "factor must be over 1");
  return std::log(2.0) / std::log(factor);
}

RnnTrace rnn_forward(const Matrix& x, const Matrix& w, const Matrix& u,
                     const Matrix& bias, const Matrix& start) {
  require_valid("x", x);
  require_square("w", w);
  require_shape("u", u, w.rows(), x.cols());
  require_shape("bias", bias, 1, w.rows());
  require_shape("start", start, 1, w.rows());
  require_size("the states", x.rows(), w.rows());
  RnnSteps<double> t = rnn_steps(x, w, u, bias, start);
  require_no_overflow("a sum", t.before);
  return {std::move(t.before), std::move(t.states)};
}

// #region step_jacobian
Matrix step_jacobian(const Matrix& w, const Matrix& slopes) {
  require_square("w", w);
  require_shape("slopes", slopes, 1, w.cols());
  Matrix jacobian(w.rows(), w.cols());
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.cols(); ++j)
      jacobian(i, j) = w(i, j) * slopes(0, j);
  require_no_overflow("the Jacobian", jacobian);
  return jacobian;
}
// #endregion step_jacobian

std::vector<Matrix> matrix_powers(const Matrix& m, Index steps) {
  require_square("m", m);
  require_count("steps", steps, 1, kReferenceLimit);
  require_size("the powers", steps, m.size());
  std::vector<Matrix> out{m};
  while (static_cast<Index>(out.size()) < steps)
    out.push_back(product(m, out.back()));
  return out;
}

// #region rnn_jacobians
JacobianChain rnn_jacobians(const Matrix& states, const Matrix& w) {
  require_states(states, w);
  require_size("the chain of Jacobians", states.rows(), w.size());
  JacobianChain chain;
  chain.products.emplace_back(Matrix::Identity(w.rows(), w.rows()));
  for (Index t = states.rows() - 1; t > 0; --t) {
    const Matrix j = step_jacobian(w, slopes_of(states, t - 1));
    chain.products.push_back(product(chain.products.back(), j));
  }
  for (const Matrix& p : chain.products)
    chain.norms.push_back(spectral_norm(p));
  return chain;
}
// #endregion rnn_jacobians

// #region rnn_gradient
GradientTrace rnn_gradient(const Matrix& states, const Matrix& w,
                           const Matrix& upstream) {
  require_states(states, w);
  require_shape("upstream", upstream, 1, w.rows());
  GradientTrace out{Matrix(states.rows(), w.rows()), {}};
  Matrix g = upstream;
  for (Index k = 0; k < states.rows(); ++k) {
    if (k > 0) {
      const Matrix slopes = slopes_of(states, states.rows() - 1 - k);
      g = product(g, w);
      for (Index j = 0; j < g.cols(); ++j) g(0, j) *= slopes(0, j);
    }
    out.gradients.row(k) = g;
    out.norms.push_back(frobenius_norm(g));
  }
  return out;
}
// #endregion rnn_gradient

double spectral_norm(const Matrix& m) {
  require_valid("m", m);
  if (std::min(m.rows(), m.cols()) > kSpectralLimit)
    throw Error(ErrorCode::kTooLarge, "the smaller side of m is over 256");
  // 1. Scale to a largest entry of 1, so that no square under- or overflows.
  const double size = largest_entry(m);
  if (size == 0) return 0;
  Matrix a = m.rows() <= m.cols() ? m : Matrix(m.transpose());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) a(i, j) /= size;
  // 2. Square the Gram matrix: every column turns to the dominant direction.
  Matrix g = gram(a);
  for (int s = 0; s < kSquarings; ++s) {
    Matrix next = gram(g);
    next /= largest_entry(next);
    const bool settled = max_gap(next, g) < 1e-15;
    g = std::move(next);
    if (settled) break;
  }
  // 3. The column with the largest diagonal is the best estimate: ‖vᵀa‖/‖v‖.
  Index best = 0;
  for (Index i = 1; i < g.rows(); ++i)
    if (g(i, i) > g(best, best)) best = i;
  const Matrix v = g.row(best);
  const double norm =
      size * (frobenius_norm(product(v, a)) / frobenius_norm(v));
  require_no_overflow("the norm", norm);
  return norm;
}

double spectral_radius(const Matrix& m) {
  require_square("m", m);
  require_count("the order of m", m.rows(), 1, kSpectralLimit);
  Matrix power = m;
  double log_radius = 0;
  double steps = 1;
  for (int s = 0; s <= kSquarings; ++s) {
    // Here power · exp(steps · log_radius) = m^steps.
    const double size = largest_entry(power);
    // m is nilpotent when m^d = 0; a zero that comes later is an underflow.
    if (size == 0 && steps < 2 * static_cast<double>(m.rows())) return 0;
    if (size == 0) break;
    log_radius += std::log(size) / steps;
    power /= size;
    power = product(power, power);
    steps *= 2;
  }
  return std::exp(log_radius);
}

// #region eigenvalues_2x2
Eigenvalues eigenvalues_2x2(const Matrix& m) {
  require_shape("m", m, 2, 2);
  const double middle = m(0, 0) / 2 + m(1, 1) / 2;
  const double half_gap = m(0, 0) / 2 - m(1, 1) / 2;
  const double square = half_gap * half_gap + m(0, 1) * m(1, 0);
  require_no_overflow("the discriminant", square);
  const double root = std::sqrt(std::abs(square));
  if (square < 0) return {{middle, middle}, {-root, root}};
  return {{middle - root, middle + root}, {0.0, 0.0}};
}
// #endregion eigenvalues_2x2

PowerIteration power_iteration(const Matrix& m, Index max_steps) {
  require_square("m", m);
  require_count("the order of m", m.rows(), 1, kSpectralLimit);
  require_count("max_steps", max_steps, 1, 100000);
  const double tolerance = 1e-12 * frobenius_norm(m);
  // An irregular start: 1, 1/√2, 1/√3, … is orthogonal to no eigenvector that
  // a learner would type, and is the same on every machine.
  Matrix v(1, m.rows());
  for (Index i = 0; i < v.cols(); ++i)
    v(0, i) = 1 / std::sqrt(static_cast<double>(i + 1));
  v /= frobenius_norm(v);
  const Matrix turned = m.transpose();
  for (Index step = 1;; ++step) {
    const Matrix next = product(v, turned);
    const double value = dot(v, next);
    const double residual = frobenius_norm(next - value * v);
    const double size = frobenius_norm(next);
    const bool converged = residual <= tolerance;
    if (converged || step == max_steps || size == 0)
      return {value, v, residual, step, converged};
    v = next / size;
  }
}

}  // namespace attn
