#include <attn/error.hpp>
#include <attn/feed_forward.hpp>
#include <cmath>
#include <string>

namespace attn {
namespace {

constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kSqrt2OverPi = 0.7978845608028654;  // √(2/π)
constexpr double kInvSqrt2Pi = 0.3989422804014327;   // 1/√(2π)
constexpr double kGeluCubic = 0.044715;

void check_bias(const char* name, const std::vector<double>& bias, Index cols) {
  if (!bias.empty() && static_cast<Index>(bias.size()) != cols)
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " has " + std::to_string(bias.size()) +
                    " numbers but its matrix has " + std::to_string(cols) +
                    " columns");
  for (const double b : bias)
    if (!std::isfinite(b))
      throw Error(ErrorCode::kNotFinite, std::string(name) + " is not finite");
}

void check(const Matrix& x, const FeedForward& f) {
  require_valid("x", x);
  require_valid("w1", f.w1);
  require_valid("w2", f.w2);
  require_product("x", x, "w1", f.w1);
  require_product("w1", f.w1, "w2", f.w2);
  check_bias("b1", f.b1, f.w1.cols());
  check_bias("b2", f.b2, f.w2.cols());
}

Matrix plus_bias(Matrix m, const std::vector<double>& bias) {
  if (bias.empty()) return m;
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) += bias[static_cast<size_t>(j)];
  return m;
}

}  // namespace

// #region activation_value
double activation_value(Activation activation, double x) {
  switch (activation) {
    case Activation::kRelu:
      return x > 0 ? x : 0;
    case Activation::kGelu:
      return x * 0.5 * std::erfc(-x / kSqrt2);
    case Activation::kGeluTanh:
      return 0.5 * x *
             (1 + std::tanh(kSqrt2OverPi * (x + kGeluCubic * x * x * x)));
  }
  throw Error(ErrorCode::kInvalidArgument, "unknown activation");
}
// #endregion activation_value

double activation_slope(Activation activation, double x) {
  switch (activation) {
    case Activation::kRelu:
      return x > 0 ? 1 : 0;
    case Activation::kGelu:
      return 0.5 * std::erfc(-x / kSqrt2) +
             x * kInvSqrt2Pi * std::exp(-0.5 * x * x);
    case Activation::kGeluTanh: {
      const double t = std::tanh(kSqrt2OverPi * (x + kGeluCubic * x * x * x));
      const double inner = kSqrt2OverPi * (1 + 3 * kGeluCubic * x * x);
      return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner;
    }
  }
  throw Error(ErrorCode::kInvalidArgument, "unknown activation");
}

Matrix activate(Activation activation, const Matrix& x) {
  require_valid("x", x);
  Matrix y(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      y(i, j) = activation_value(activation, x(i, j));
  return y;
}

// #region feed_forward
FeedForwardTrace feed_forward(const Matrix& x, const FeedForward& weights) {
  check(x, weights);
  FeedForwardTrace t;
  t.before = plus_bias(product(x, weights.w1), weights.b1);
  t.hidden = activate(weights.activation, t.before);
  t.output = plus_bias(product(t.hidden, weights.w2), weights.b2);
  return t;
}
// #endregion feed_forward

Matrix feed_forward_backward(const Matrix& x, const FeedForward& weights,
                             const Matrix& d_output) {
  const FeedForwardTrace t = feed_forward(x, weights);
  require_same_rows("d_output", d_output, "output", t.output);
  require_same_cols("d_output", d_output, "output", t.output);
  require_finite("d_output", d_output);
  Matrix d_hidden = product(d_output, weights.w2.transpose());
  for (Index i = 0; i < d_hidden.rows(); ++i)
    for (Index j = 0; j < d_hidden.cols(); ++j)
      d_hidden(i, j) *= activation_slope(weights.activation, t.before(i, j));
  return product(d_hidden, weights.w1.transpose());
}

double feed_forward_parameters(double d, double d_ff, bool biases) {
  if (!(d >= 1) || !(d_ff >= 1) || d != std::floor(d) ||
      d_ff != std::floor(d_ff))
    throw Error(ErrorCode::kInvalidArgument,
                "widths must be whole numbers from 1");
  const double count = 2 * d * d_ff + (biases ? d + d_ff : 0);
  if (count > 9007199254740992.0)
    throw Error(ErrorCode::kTooLarge, "the count is over 2^53");
  return count;
}

}  // namespace attn
