#include <attn/error.hpp>
#include <attn/layer_norm.hpp>
#include <cmath>
#include <string>

namespace attn {
namespace {

using Numbers = std::vector<double>;

void require_length(const char* name, const Numbers& v, Index d) {
  if (!v.empty() && static_cast<Index>(v.size()) != d)
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " has " + std::to_string(v.size()) +
                    " numbers but x has " + std::to_string(d) + " columns");
  for (const double value : v)
    if (!std::isfinite(value))
      throw Error(ErrorCode::kNotFinite, std::string(name) + " is not finite");
}

void check(const Matrix& x, const Affine& affine, double epsilon) {
  require_valid("x", x);
  require_length("gamma", affine.gamma, x.cols());
  require_length("beta", affine.beta, x.cols());
  if (!(epsilon > 0) || !std::isfinite(epsilon))
    throw Error(ErrorCode::kInvalidArgument, "epsilon must be positive");
}

double gamma_at(const Affine& affine, Index j) {
  return affine.gamma.empty() ? 1.0 : affine.gamma[static_cast<size_t>(j)];
}

double beta_at(const Affine& affine, Index j) {
  return affine.beta.empty() ? 0.0 : affine.beta[static_cast<size_t>(j)];
}

void require_no_overflow(double variance) {
  if (!std::isfinite(variance))
    throw Error(ErrorCode::kDiverged, "the squares of x overflow");
}

NormTrace empty_trace(const Matrix& x) {
  const auto n = static_cast<size_t>(x.rows());
  return {Numbers(n, 0.0), Numbers(n, 0.0), Matrix(x.rows(), x.cols())};
}

}  // namespace

// #region layer_norm
NormTrace layer_norm(const Matrix& x, const Affine& affine, double epsilon) {
  check(x, affine, epsilon);
  NormTrace t = empty_trace(x);
  const auto d = static_cast<double>(x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    double& mean = t.mean[static_cast<size_t>(i)];
    for (Index j = 0; j < x.cols(); ++j) mean += x(i, j);
    mean /= d;

    double& variance = t.variance[static_cast<size_t>(i)];
    for (Index j = 0; j < x.cols(); ++j)
      variance += (x(i, j) - mean) * (x(i, j) - mean) / d;
    require_no_overflow(variance);

    const double scale = 1 / std::sqrt(variance + epsilon);
    for (Index j = 0; j < x.cols(); ++j)
      t.output(i, j) =
          gamma_at(affine, j) * (x(i, j) - mean) * scale + beta_at(affine, j);
  }
  return t;
}
// #endregion layer_norm

// #region rms_norm
NormTrace rms_norm(const Matrix& x, const Affine& affine, double epsilon) {
  check(x, affine, epsilon);
  if (!affine.beta.empty())
    throw Error(ErrorCode::kInvalidArgument, "RMSNorm has no beta");
  NormTrace t = empty_trace(x);
  const auto d = static_cast<double>(x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    double& mean_square = t.variance[static_cast<size_t>(i)];
    for (Index j = 0; j < x.cols(); ++j) mean_square += x(i, j) * x(i, j) / d;
    require_no_overflow(mean_square);

    const double scale = 1 / std::sqrt(mean_square + epsilon);
    for (Index j = 0; j < x.cols(); ++j)
      t.output(i, j) = gamma_at(affine, j) * x(i, j) * scale;
  }
  return t;
}
// #endregion rms_norm

// With x̂ the normalised row and g = γ · dy, LayerNorm's input gradient is
// (g − mean(g) − x̂ · mean(g · x̂)) / √(variance + ε); RMSNorm lacks mean(g).
Matrix norm_backward(Norm norm, const Matrix& x, const Matrix& d_output,
                     const Affine& affine, double epsilon) {
  require_same_rows("d_output", d_output, "x", x);
  require_same_cols("d_output", d_output, "x", x);
  require_valid("d_output", d_output);
  if (norm == Norm::kNone) return d_output;
  const bool centred = norm == Norm::kLayerNorm;
  const NormTrace t =
      centred ? layer_norm(x, affine, epsilon) : rms_norm(x, affine, epsilon);
  const auto d = static_cast<double>(x.cols());
  Matrix d_x(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    const double mean = t.mean[static_cast<size_t>(i)];
    const double scale =
        1 / std::sqrt(t.variance[static_cast<size_t>(i)] + epsilon);
    double mean_g = 0;
    double mean_g_hat = 0;
    for (Index j = 0; j < x.cols(); ++j) {
      const double g = gamma_at(affine, j) * d_output(i, j);
      if (centred) mean_g += g / d;
      mean_g_hat += g * (x(i, j) - mean) * scale / d;
    }
    for (Index j = 0; j < x.cols(); ++j) {
      const double g = gamma_at(affine, j) * d_output(i, j);
      const double hat = (x(i, j) - mean) * scale;
      d_x(i, j) = (g - mean_g - hat * mean_g_hat) * scale;
    }
  }
  return d_x;
}

Matrix normalize(Norm norm, const Matrix& x, const Affine& affine,
                 double epsilon) {
  switch (norm) {
    case Norm::kLayerNorm:
      return layer_norm(x, affine, epsilon).output;
    case Norm::kRmsNorm:
      return rms_norm(x, affine, epsilon).output;
    case Norm::kNone:
      break;
  }
  return x;
}

}  // namespace attn
