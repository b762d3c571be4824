#include <attn/fast/layer_norm.hpp>
#include <cmath>

#include "checks.hpp"
#include "simd.hpp"

namespace attn::fast {
namespace {

/// Σ f(x) over a row.
template <class F>
float sum_over(const float* x, Index count, F&& f) {
  Lanes sum = all(0);
  Index i = 0;
  for (; i + kWidth <= count; i += kWidth) sum += f(load(x + i));
  float total = sum_of(sum);
  for (; i < count; ++i) total += f(all(x[i]))[0];
  return total;
}

struct Moments {
  float mean;   // to the precision of x
  float rest;   // what the true mean has beyond it
  float scale;  // 1 / √(variance + ε)
};

/// The mean in two parts: a row far from 0 has no room in one float for the
/// fraction of its mean that its deviations need.
Moments moments(const float* x, Index d, float epsilon) {
  const auto count = static_cast<float>(d);
  const float mean = sum_over(x, d, [](Lanes v) { return v; }) / count;
  const float rest = sum_over(x, d, [=](Lanes v) { return v - mean; }) / count;
  const float variance = sum_over(x, d,
                                  [=](Lanes v) {
                                    const Lanes gap = v - mean - rest;
                                    return gap * gap;
                                  }) /
                         count;
  return {mean, rest, 1 / std::sqrt(variance + epsilon)};
}

Lanes part_or(const std::vector<float>& row, Index i, float otherwise) {
  if (row.empty()) return all(otherwise);
  const Index left = static_cast<Index>(row.size()) - i;
  return left >= kWidth ? load(row.data() + i)
                        : load_part(row.data() + i, left, 0);
}

}  // namespace

Matrix layer_norm(const Matrix& x, const std::vector<float>& gamma,
                  const std::vector<float>& beta, double epsilon) {
  require_valid("x", x);
  require_row("gamma", gamma, x.cols);
  require_row("beta", beta, x.cols);
  const auto small = static_cast<float>(epsilon);
  if (!(small > 0) || !std::isfinite(small))
    refuse(ErrorCode::kInvalidArgument, {"epsilon is not above 0"});
  Matrix y(x.rows, x.cols);
  for (Index i = 0; i < x.rows; ++i) {
    const Moments m = moments(x.row(i), x.cols, small);
    // An infinite variance would pass for rows of zeros.
    if (!(m.scale > 0))
      refuse(ErrorCode::kDiverged, {"the squares of x leave float32"});
    transform(x.row(i), y.row(i), x.cols, [&](Index j, Lanes v) {
      return (v - m.mean - m.rest) * m.scale * part_or(gamma, j, 1) +
             part_or(beta, j, 0);
    });
  }
  require_no_overflow("the output", y.data);
  return y;
}

}  // namespace attn::fast
