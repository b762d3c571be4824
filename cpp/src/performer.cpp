#include <algorithm>
#include <array>
#include <attn/attention.hpp>
#include <attn/error.hpp>
#include <attn/performer.hpp>
#include <attn/rng.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "performer_passes.hpp"

namespace attn {
namespace {

constexpr Index kMostNormals = Index{1} << 26;
constexpr Index kCountingLimit = Index{1} << 24;

double dot(const Matrix& a, Index i, const Matrix& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.cols(); ++c) sum += a(i, c) * b(j, c);
  return sum;
}

Index width(const Matrix& omega, FeatureKind kind) {
  return kind == FeatureKind::kPositive ? omega.rows() : 2 * omega.rows();
}

/// x one row against every direction: φ(x) into row i of `out`.
// #region feature_row
void feature_row(const Matrix& x, Index i, const Matrix& omega,
                 FeatureKind kind, Matrix& out) {
  const Index r = omega.rows();
  const bool both = kind == FeatureKind::kHyperbolic;
  const double half = dot(x, i, x, i) / 2;
  const double root = std::sqrt(static_cast<double>(both ? 2 * r : r));
  for (Index f = 0; f < r; ++f) {
    const double along = dot(omega, f, x, i);
    if (kind == FeatureKind::kTrigonometric) {
      out(i, f) = std::exp(half) / root * std::sin(along);
      out(i, r + f) = std::exp(half) / root * std::cos(along);
      continue;
    }
    out(i, f) = std::exp(along - half) / root;
    if (both) out(i, r + f) = std::exp(-along - half) / root;
  }
}
// #endregion feature_row

void require_pair(const Matrix& x, const Matrix& y) {
  require_valid("x", x);
  require_valid("y", y);
  require_shape("x", x, 1, x.cols());
  require_shape("y", y, 1, x.cols());
}

void require_omega(Index features, Index d) {
  require_count("features", features, 1, kReferenceLimit);
  require_count("d", d, 1, kReferenceLimit);
  require_size("omega", features, d);
}

double exact_kernel(const Matrix& x, const Matrix& y) {
  const double exact = std::exp(dot(x, 0, y, 0));
  require_no_overflow("exp(x y)", exact);
  return exact;
}

/// Takes what lies along the rows above `row` out of it.
void project_out(Matrix& u, Index row) {
  for (Index above = 0; above < row; ++above) {
    const double along = dot(u, row, u, above);
    for (Index c = 0; c < u.cols(); ++c) u(row, c) -= along * u(above, c);
  }
}

double length(const Matrix& u, Index row) {
  return std::sqrt(dot(u, row, u, row));
}

void divide_row(Matrix& u, Index row, double by) {
  for (Index c = 0; c < u.cols(); ++c) u(row, c) /= by;
}

/// Whether anything is left of row `row` once those above are taken out of it.
// #region gram_schmidt_row
bool orthonormalise_row(Matrix& u, Index row) {
  constexpr double kNothing = 1e-12;
  const double largest = u.row(row).cwiseAbs().maxCoeff();
  if (largest == 0) return false;
  divide_row(u, row, largest);
  divide_row(u, row, length(u, row));
  for (int round = 0; round < 2; ++round) {
    project_out(u, row);
    const double left = length(u, row);
    if (left < kNothing) return false;
    divide_row(u, row, left);
  }
  return true;
}
// #endregion gram_schmidt_row

/// `rows` ≤ d orthogonal directions as long as normal vectors.
Matrix orthogonal_group(Rng& rng, Index rows, Index d) {
  Matrix group = gram_schmidt(normal_matrix(rng, rows, d));
  for (Index r = 0; r < rows; ++r) {
    const Matrix other = normal_matrix(rng, 1, d);
    const double size = length(other, 0);
    for (Index c = 0; c < d; ++c) group(r, c) *= size;
  }
  return group;
}

Matrix draw_omega(Rng& rng, Index features, Index d, bool orthogonal) {
  if (!orthogonal) return normal_matrix(rng, features, d);
  Matrix omega(features, d);
  for (Index first = 0; first < features; first += d) {
    const Index rows = std::min(d, features - first);
    omega.middleRows(first, rows) = orthogonal_group(rng, rows, d);
  }
  return omega;
}

constexpr std::size_t kPoints = 40;

struct Hermite {
  std::array<double, kPoints> at;
  std::array<double, kPoints> weight;
};

/// The orthonormal Hermite polynomials of the last two degrees at z.
std::pair<double, double> hermite(double z) {
  double p = std::pow(std::numbers::pi, -0.25);
  double before = 0;
  for (std::size_t j = 0; j < kPoints; ++j) {
    const auto degree = static_cast<double>(j);
    const double next = z * std::sqrt(2 / (degree + 1)) * p -
                        std::sqrt(degree / (degree + 1)) * before;
    before = p;
    p = next;
  }
  return {p, before};
}

/// Points and weights for ∫ e^{−z²} f(z) dz, by Newton's method from the usual
/// first guesses (Press et al., Numerical Recipes, section 4.5).
Hermite gauss_hermite() {
  constexpr auto kDegree = static_cast<double>(kPoints);
  Hermite h{};
  double z = 0;
  for (std::size_t i = 0; i < kPoints / 2; ++i) {
    if (i == 0)
      z = std::sqrt(2 * kDegree + 1) -
          1.85575 * std::pow(2 * kDegree + 1, -1.0 / 6);
    else if (i == 1)
      z -= 1.14 * std::pow(kDegree, 0.426) / z;
    else if (i == 2)
      z = 1.86 * z - 0.86 * h.at[0];
    else if (i == 3)
      z = 1.91 * z - 0.91 * h.at[1];
    else
      z = 2 * z - h.at[i - 2];
    double slope = 1;
    for (int round = 0; round < 20; ++round) {
      const auto [p, before] = hermite(z);
      slope = std::sqrt(2 * kDegree) * before;
      z -= p / slope;
    }
    h.at[i] = z;
    h.at[kPoints - 1 - i] = -z;
    h.weight[i] = h.weight[kPoints - 1 - i] = 2 / (slope * slope);
  }
  return h;
}

/// An orthonormal basis, 0 to 2 rows, of the plane of x and y.
Matrix plane(const Matrix& x, const Matrix& y) {
  Matrix u(2, x.cols());
  Index rows = 0;
  for (const Matrix* side : {&x, &y}) {
    u.row(rows) = *side;
    if (orthonormalise_row(u, rows)) ++rows;
  }
  return u.topRows(rows);
}

struct Features {
  Matrix q, k;
};

/// φ of q and k, each times d^−1/4.
Features scaled_features(const Matrix& q, const Matrix& k, const Matrix& v,
                         const Matrix& omega, FeatureKind kind, bool causal) {
  require_valid("q", q);
  require_valid("k", k);
  require_valid("v", v);
  require_same_cols("q", q, "k", k);
  require_same_rows("k", k, "v", v);
  if (causal) require_same_rows("q", q, "k", k);
  require_size("output", q.rows(), v.cols());
  const double scale = std::pow(static_cast<double>(q.cols()), -0.25);
  return {random_features(scale * q, omega, kind),
          random_features(scale * k, omega, kind)};
}

std::vector<double> column(const Matrix& m) {
  return {m.data(), m.data() + m.size()};
}

std::vector<bool> zero_places(const Matrix& m) {
  std::vector<bool> out;
  for (Index i = 0; i < m.size(); ++i) out.push_back(m.data()[i] == 0);
  return out;
}

}  // namespace

Matrix random_features(const Matrix& x, const Matrix& omega, FeatureKind kind) {
  require_valid("x", x);
  require_valid("omega", omega);
  require_same_cols("x", x, "omega", omega);
  require_size("features", x.rows(), width(omega, kind));
  Matrix out(x.rows(), width(omega, kind));
  for (Index i = 0; i < x.rows(); ++i) feature_row(x, i, omega, kind, out);
  require_no_overflow("a feature", out);
  return out;
}

Matrix gaussian_omega(Index features, Index d, std::uint32_t seed) {
  require_omega(features, d);
  Rng rng(seed);
  return draw_omega(rng, features, d, false);
}

Matrix orthogonal_omega(Index features, Index d, std::uint32_t seed) {
  require_omega(features, d);
  Rng rng(seed);
  return draw_omega(rng, features, d, true);
}

// #region gram_schmidt
Matrix gram_schmidt(const Matrix& vectors) {
  require_valid("vectors", vectors);
  Matrix u = vectors;
  for (Index row = 0; row < u.rows(); ++row)
    if (!orthonormalise_row(u, row))
      throw Error(
          ErrorCode::kInvalidArgument,
          "row " + std::to_string(row + 1) + " depends on the rows above it");
  return u;
}
// #endregion gram_schmidt

KernelEstimate kernel_estimate(const Matrix& x, const Matrix& y,
                               const Matrix& omega, FeatureKind kind) {
  require_pair(x, y);
  const Matrix of_x = random_features(x, omega, kind);
  const Matrix of_y = random_features(y, omega, kind);
  KernelEstimate e;
  e.exact = exact_kernel(x, y);
  e.estimate = dot(of_x, 0, of_y, 0);
  e.relative_error = (e.estimate - e.exact) / e.exact;
  require_no_overflow("an estimate", e.relative_error);
  return e;
}

double kernel_expectation(const Matrix& x, const Matrix& y, FeatureKind kind) {
  // 1. ω at every point of the grid, in the plane that x and y see.
  require_pair(x, y);
  const Matrix u = plane(x, y);
  const Hermite h = gauss_hermite();
  constexpr auto kGrid = static_cast<Index>(kPoints * kPoints);
  require_size("the grid", kGrid, x.cols());
  Matrix omega = Matrix::Zero(kGrid, x.cols());
  for (Index g = 0; g < kGrid; ++g) {
    const std::array<double, 2> z{h.at[static_cast<std::size_t>(g) / kPoints],
                                  h.at[static_cast<std::size_t>(g) % kPoints]};
    for (Index axis = 0; axis < u.rows(); ++axis)
      for (Index c = 0; c < x.cols(); ++c)
        omega(g, c) += std::numbers::sqrt2 * z[static_cast<std::size_t>(axis)] *
                       u(axis, c);
  }
  // 2. The features of each point, weighted; 1/√r is taken out again.
  const Matrix of_x = random_features(x, omega, kind);
  const Matrix of_y = random_features(y, omega, kind);
  double sum = 0;
  for (Index f = 0; f < of_x.cols(); ++f) {
    const auto g = static_cast<std::size_t>(f % kGrid);
    sum += h.weight[g / kPoints] * h.weight[g % kPoints] / std::numbers::pi *
           of_x(0, f) * of_y(0, f);
  }
  sum *= static_cast<double>(kGrid);
  require_no_overflow("the expectation", sum);
  return sum;
}

// #region kernel_mse
KernelMse kernel_mse(const Matrix& x, const Matrix& y, Index features) {
  require_pair(x, y);
  require_count("features", features, 1, kReferenceLimit);
  const Matrix sum = x + y;
  const Matrix difference = x - y;
  const auto r = static_cast<double>(features);
  KernelMse m;
  m.exact = exact_kernel(x, y);
  m.norm2_sum = dot(sum, 0, sum, 0);
  m.norm2_difference = dot(difference, 0, difference, 0);
  const double grown = std::exp(m.norm2_sum);
  const double near = -std::expm1(-m.norm2_sum);
  const double apart = -std::expm1(-m.norm2_difference);
  m.positive = grown * m.exact * m.exact * near / r;
  m.hyperbolic = near / 2 * m.positive;
  m.trigonometric = grown / (m.exact * m.exact) * apart * apart / (2 * r);
  require_no_overflow("the positive error", m.positive);
  require_no_overflow("the trigonometric error", m.trigonometric);
  return m;
}
// #endregion kernel_mse

double kernel_deviation(const Matrix& x, const Matrix& y, Index features,
                        FeatureKind kind) {
  const KernelMse mse = kernel_mse(x, y, features);
  if (kind == FeatureKind::kPositive) return std::sqrt(mse.positive);
  return std::sqrt(kind == FeatureKind::kHyperbolic ? mse.hyperbolic
                                                    : mse.trigonometric);
}

double relative_deviation(double norm2_sum, Index features) {
  require_finite_number("norm2_sum", norm2_sum);
  require_count("features", features, 1, kReferenceLimit);
  if (norm2_sum < 0)
    throw Error(ErrorCode::kInvalidArgument, "norm2_sum is below 0");
  const double relative =
      std::sqrt(std::expm1(norm2_sum) / static_cast<double>(features));
  require_no_overflow("the deviation", relative);
  return relative;
}

double features_needed(double norm2_sum, double relative_error) {
  require_finite_number("norm2_sum", norm2_sum);
  require_finite_number("relative_error", relative_error);
  if (norm2_sum < 0 || relative_error <= 0)
    throw Error(ErrorCode::kInvalidArgument,
                "norm2_sum is below 0 or relative_error not above it");
  const double needed =
      std::expm1(norm2_sum) / (relative_error * relative_error);
  require_no_overflow("the number of features", needed);
  return needed;
}

KernelMeasurement measure_kernel(const Matrix& x, const Matrix& y,
                                 Index features, FeatureKind kind,
                                 bool orthogonal, Index draws,
                                 std::uint32_t seed) {
  require_pair(x, y);
  require_omega(features, x.cols());
  require_count("draws", draws, 1, kMostNormals);
  require_size("all directions", draws, features * x.cols(), kMostNormals);
  KernelMeasurement m;
  m.exact = exact_kernel(x, y);
  // Welford's running mean: no difference of large sums.
  double squares = 0;
  for (Index i = 0; i < draws; ++i) {
    Rng rng(seed + static_cast<std::uint32_t>(i));
    const Matrix omega = draw_omega(rng, features, x.cols(), orthogonal);
    const double estimate = kernel_estimate(x, y, omega, kind).estimate;
    const double step = estimate - m.mean;
    m.mean += step / static_cast<double>(i + 1);
    squares += step * (estimate - m.mean);
  }
  m.bias = m.mean - m.exact;
  m.variance = squares / static_cast<double>(draws);
  m.mse = m.bias * m.bias + m.variance;
  m.standard_error = std::sqrt(m.variance / static_cast<double>(draws));
  require_no_overflow("the measured error", m.mse);
  return m;
}

PerformerTrace performer_attention(const Matrix& q, const Matrix& k,
                                   const Matrix& v, const Matrix& omega,
                                   FeatureKind kind, bool causal) {
  Features f = scaled_features(q, k, v, omega, kind, causal);
  require_size("key_values", f.k.cols(), v.cols());
  KernelAttention<double> t = linear_order(f.q, f.k, v, causal);
  require_no_overflow("key_values", t.key_values);
  require_no_overflow("a normaliser", t.normaliser);
  require_no_overflow("output", t.output);
  return {std::move(f.q),           std::move(f.k),
          std::move(t.key_values),  std::move(t.key_sum),
          column(t.normaliser),     std::move(t.output),
          zero_places(t.normaliser)};
}

// #region performer_errors
Spread performer_errors(const Matrix& q, const Matrix& k, const Matrix& v,
                        Index features, FeatureKind kind, bool orthogonal,
                        Index draws, std::uint32_t seed) {
  require_omega(features, q.cols());
  require_count("draws", draws, 1, kMostNormals);
  require_size("all directions", draws, features * q.cols(), kMostNormals);
  const Matrix exact = attention(q, k, v).output;
  std::vector<double> errors;
  for (Index i = 0; i < draws; ++i) {
    Rng rng(seed + static_cast<std::uint32_t>(i));
    const Matrix omega = draw_omega(rng, features, q.cols(), orthogonal);
    errors.push_back(
        max_gap(performer_attention(q, k, v, omega, kind).output, exact));
  }
  return spread_of(errors);
}
// #endregion performer_errors

PerformerQuadraticTrace performer_quadratic(const Matrix& q, const Matrix& k,
                                            const Matrix& v,
                                            const Matrix& omega,
                                            FeatureKind kind, bool causal) {
  const Features f = scaled_features(q, k, v, omega, kind, causal);
  require_size("kernel", q.rows(), k.rows());
  KernelAttention<double> t = quadratic_order(f.q, f.k, v, causal);
  require_no_overflow("a normaliser", t.normaliser);
  require_no_overflow("output", t.output);
  return {std::move(t.kernel), column(t.normaliser), std::move(t.output),
          zero_places(t.normaliser)};
}

PerformerOperations performer_operations(Index n, Index features, Index d_v,
                                         bool causal) {
  require_count("n", n, 1, kCountingLimit);
  require_count("features", features, 1, kCountingLimit);
  require_count("d_v", d_v, 1, kCountingLimit);
  require_size("n times n + features", n, n + features, kCountingLimit);
  require_size("the work", n * (n + features), features + d_v, kCountingLimit);
  PerformerOperations operations;
  const auto ones = [&](Index rows, Index cols, Tally& tally) {
    return MatrixOf<Counted>::Constant(rows, cols, Counted(1, tally)).eval();
  };
  const auto run = [&](const auto& order, Tally& tally) {
    order(ones(n, features, tally), ones(n, features, tally),
          ones(n, d_v, tally), causal);
  };
  run(linear_order<Counted>, operations.linear);
  run(quadratic_order<Counted>, operations.quadratic);
  return operations;
}

}  // namespace attn
