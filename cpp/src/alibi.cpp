#include <attn/alibi.hpp>
#include <attn/error.hpp>
#include <cmath>
#include <limits>

#include "arguments.hpp"

namespace attn {
namespace {

void require_slope(double slope) {
  require_finite_number("slope", slope);
  if (slope < 0) throw Error(ErrorCode::kInvalidArgument, "slope is below 0");
}

double slope_of(Index head, Index heads) {
  const double exponent = -8.0 * static_cast<double>(head);
  return std::exp2(exponent / static_cast<double>(heads));
}

}  // namespace

// #region alibi_slopes
std::vector<double> alibi_slopes(Index heads, AlibiSlopes rule) {
  require_count("heads", heads, 1, Index{1} << 16);
  Index below = heads;
  if (rule == AlibiSlopes::kReleased) {
    below = 1;
    while (2 * below <= heads) below *= 2;
  }
  std::vector<double> slopes;
  for (Index h = 1; h <= below; ++h) slopes.push_back(slope_of(h, below));
  for (Index h = 1; static_cast<Index>(slopes.size()) < heads; h += 2)
    slopes.push_back(slope_of(h, 2 * below));
  return slopes;
}
// #endregion alibi_slopes

// #region alibi_bias
Matrix alibi_bias(double slope, Index n, AlibiForm form) {
  require_slope(slope);
  require_count("n", n, 1, kReferenceLimit);
  require_size("the bias", n, n);
  require_no_overflow("the bias", slope * static_cast<double>(n));
  const double hidden = -std::numeric_limits<double>::infinity();
  Matrix bias = Matrix::Constant(n, n, hidden);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      bias(i, j) = form == AlibiForm::kDistance
                       ? slope * static_cast<double>(j - i)
                       : slope * static_cast<double>(j);
  return bias;
}
// #endregion alibi_bias

// #region alibi_weights
Matrix alibi_weights(double slope, Index i) {
  require_slope(slope);
  require_count("i", i, 0, kReferenceLimit - 1);
  Matrix weights(1, i + 1);
  double sum = 0;
  for (Index j = 0; j <= i; ++j) {
    weights(0, j) = std::exp(-slope * static_cast<double>(i - j));
    sum += weights(0, j);
  }
  for (Index j = 0; j <= i; ++j) weights(0, j) /= sum;
  return weights;
}
// #endregion alibi_weights

// #region alibi_reach
double alibi_reach(double slope, double share) {
  require_positive("slope", slope);
  require_positive("share", share);
  if (share > 1) throw Error(ErrorCode::kInvalidArgument, "share is over 1");
  const double reach = -std::log(share) / slope;
  require_no_overflow("the reach", reach);
  return reach;
}
// #endregion alibi_reach

}  // namespace attn
