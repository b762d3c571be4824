#include <algorithm>
#include <attn/error.hpp>
#include <attn/softmax.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "attention_passes.hpp"

namespace attn {
namespace {

Matrix as_row(const std::vector<double>& list) {
  Matrix row(1, static_cast<Index>(list.size()));
  std::copy(list.begin(), list.end(), row.data());
  return row;
}

void require_temperature(double temperature) {
  if (!std::isfinite(temperature) || temperature <= 0)
    throw Error(ErrorCode::kInvalidArgument,
                "temperature is not a finite number above 0");
}

// The distance to the row's maximum, divided: x / T alone could overflow.
// #region tempered
Matrix tempered(const Matrix& scores, double temperature) {
  Matrix out = scores;
  for (Index i = 0; i < out.rows(); ++i) {
    const double max = scores.row(i).maxCoeff();
    for (Index j = 0; j < out.cols(); ++j)
      if (scores(i, j) > -std::numeric_limits<double>::infinity())
        out(i, j) = (scores(i, j) - max) / temperature;
  }
  return out;
}
// #endregion tempered

void require_distribution(const double* weights, Index count) {
  double sum = 0;
  for (Index j = 0; j < count; ++j) {
    if (weights[j] < 0 || weights[j] > 1)
      throw Error(ErrorCode::kInvalidArgument, "a weight is outside 0 to 1");
    sum += weights[j];
  }
  if (sum != 0 && std::abs(sum - 1) > 1e-9)
    throw Error(ErrorCode::kInvalidArgument, "weights do not sum to 1");
}

double entropy_of(const double* weights, Index count) {
  require_distribution(weights, count);
  double sum = 0;
  for (Index j = 0; j < count; ++j)
    if (weights[j] > 0) sum -= weights[j] * std::log(weights[j]);
  return sum;
}

}  // namespace

void require_logits(std::string_view name, const Matrix& scores) {
  require_not_empty(name, scores);
  require_size(name, scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index j = 0; j < scores.cols(); ++j)
      if (!(scores(i, j) <= std::numeric_limits<double>::max()))
        throw Error(
            ErrorCode::kNotFinite,
            std::string(name) + " is neither finite nor -infinity at row " +
                std::to_string(i + 1) + ", column " + std::to_string(j + 1));
}

std::vector<double> softmax(const std::vector<double>& logits,
                            double temperature) {
  const Matrix weights = softmax_rows(as_row(logits), temperature);
  return {weights.data(), weights.data() + weights.size()};
}

Matrix softmax_rows(const Matrix& scores, double temperature) {
  require_logits("scores", scores);
  require_temperature(temperature);
  return softmax_of_rows(tempered(scores, temperature));
}

std::vector<bool> fully_masked_rows(const Matrix& scores) {
  require_logits("scores", scores);
  std::vector<bool> flags;
  for (Index i = 0; i < scores.rows(); ++i)
    flags.push_back(scores.row(i).maxCoeff() ==
                    -std::numeric_limits<double>::infinity());
  return flags;
}

double entropy(const std::vector<double>& weights) {
  const Matrix row = as_row(weights);
  require_valid("weights", row);
  return entropy_of(row.data(), row.cols());
}

std::vector<double> entropy_rows(const Matrix& weights) {
  require_valid("weights", weights);
  std::vector<double> out;
  for (Index i = 0; i < weights.rows(); ++i)
    out.push_back(entropy_of(&weights(i, 0), weights.cols()));
  return out;
}

// #region softmax_jacobian
Matrix softmax_jacobian(const std::vector<double>& weights) {
  const Matrix p = as_row(weights);
  require_valid("weights", p);
  require_distribution(p.data(), p.cols());
  require_size("the Jacobian", p.cols(), p.cols());
  Matrix jacobian(p.cols(), p.cols());
  for (Index i = 0; i < p.cols(); ++i)
    for (Index j = 0; j < p.cols(); ++j)
      jacobian(i, j) = (i == j ? p(0, i) : 0) - p(0, i) * p(0, j);
  return jacobian;
}
// #endregion softmax_jacobian

// #region required_gap
double required_gap(double p) {
  if (!(p > 0 && p < 1))
    throw Error(ErrorCode::kInvalidArgument, "p is not between 0 and 1");
  return std::log(p / (1 - p));
}
// #endregion required_gap

}  // namespace attn
