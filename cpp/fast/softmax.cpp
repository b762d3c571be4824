#include <attn/fast/softmax.hpp>
#include <cmath>

#include "checks.hpp"
#include "exp2.hpp"

namespace attn::fast {
namespace {

/// @throws Error kNotFinite for NaN and +∞; −∞ is a hidden place
void require_scores(const Matrix& m) {
  require_shape("scores", m);
  Ints bad{};
  const auto look = [&](Lanes v) { bad |= ~(v < kInfinity); };
  const Index count = m.rows * m.cols;
  Index i = 0;
  for (; i + kWidth <= count; i += kWidth) look(load(m.row(0) + i));
  look(load_part(m.row(0) + i, count - i, 0));
  if ((bad[0] | bad[1] | bad[2] | bad[3]) != 0)
    refuse(ErrorCode::kNotFinite, {"scores holds NaN or +infinity"});
}

float largest_in(const float* x, Index count) {
  Lanes top = all(std::numeric_limits<float>::lowest());
  Index i = 0;
  for (; i + kWidth <= count; i += kWidth) top = larger(top, load(x + i));
  return largest_of(larger(top, load_part(x + i, count - i, -kInfinity)));
}

}  // namespace

Matrix softmax_rows(const Matrix& scores, double temperature) {
  require_scores(scores);
  const auto scale = static_cast<float>(1.4426950408889634 / temperature);
  if (!(temperature > 0) || !std::isfinite(temperature))
    refuse(ErrorCode::kInvalidArgument, {"temperature is not above 0"});
  const Exp2 exp2;
  Matrix weights(scores.rows, scores.cols);
  for (Index i = 0; i < scores.rows; ++i) {
    const float* const x = scores.row(i);
    float* const w = weights.row(i);
    const float top = largest_in(x, scores.cols);
    Lanes sum = all(0);
    Index j = 0;
    for (; j + kWidth <= scores.cols; j += kWidth) {
      const Lanes e = exp2((load(x + j) - top) * scale);
      store(w + j, e);
      sum += e;
    }
    const Index left = scores.cols - j;
    const Lanes e = exp2((load_part(x + j, left, -kInfinity) - top) * scale);
    store_part(w + j, left, e);
    const float total = sum_of(sum + e);
    const float share = total == 0 ? 0 : 1 / total;
    transform(w, w, scores.cols, [=](Index, Lanes v) { return v * share; });
  }
  return weights;
}

}  // namespace attn::fast
