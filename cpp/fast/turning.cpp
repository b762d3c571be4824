#include "turning.hpp"

#include <cmath>

namespace attn::fast {
namespace {

double power(double x, Index n) {
  double y = 1;
  for (Index i = 0; i < n; ++i) y *= x;
  return y;
}

/// base^(−1/n) for base ≥ 1, by halving an interval until no double is left
/// between its ends: std::pow would bring 6 KiB of tables into the module.
double inverse_root(double base, Index n) {
  double low = 0;
  double high = 1;
  for (int step = 0; step < 64; ++step) {
    const double middle = 0.5 * (low + high);
    (power(middle, n) * base < 1 ? low : high) = middle;
  }
  return high;
}

}  // namespace

Turning::Turning(const Rotary& rotary, Index d)
    : pairs_(d / 2),
      step_(rotary.layout == RotaryLayout::kInterleaved ? 2 : 1),
      second_(rotary.layout == RotaryLayout::kInterleaved ? 1 : d / 2) {
  const double ratio = inverse_root(rotary.base, pairs_);
  double angle = rotary.position_scale;
  for (Index i = 0; i < pairs_; ++i, angle *= ratio) {
    angle_.push_back(angle);
    cos_step_.push_back(std::cos(angle));
    sin_step_.push_back(std::sin(angle));
  }
  cos_.assign(angle_.size(), 1);
  sin_.assign(angle_.size(), 0);
}

void Turning::go_to(Index place) noexcept {
  for (std::size_t i = 0; i < angle_.size(); ++i) {
    const double angle = angle_[i] * static_cast<double>(place);
    cos_[i] = place == 0 ? 1 : std::cos(angle);
    sin_[i] = place == 0 ? 0 : std::sin(angle);
  }
}

void Turning::advance() noexcept {
  for (std::size_t i = 0; i < cos_.size(); ++i) {
    const double turned = cos_[i] * cos_step_[i] - sin_[i] * sin_step_[i];
    sin_[i] = sin_[i] * cos_step_[i] + cos_[i] * sin_step_[i];
    cos_[i] = turned;
  }
}

void Turning::turn(const float* x, float* y) noexcept {
  if (step_ == 1)
    turn_pairs<1>(x, y);
  else
    turn_pairs<2>(x, y);
  advance();
}

// The distance within a pair's stride is a constant, so that the compiler can
// load four pairs at a time.
template <Index kStep>
void Turning::turn_pairs(const float* x, float* __restrict y) const noexcept {
  const double* const cosines = cos_.data();
  const double* const sines = sin_.data();
  for (Index i = 0; i < pairs_; ++i) {
    const auto c = static_cast<float>(cosines[i]);
    const auto s = static_cast<float>(sines[i]);
    const float a = x[i * kStep];
    const float b = x[i * kStep + second_];
    y[i] = a * c - b * s;
    y[i + pairs_] = a * s + b * c;
  }
}

void Turning::turn_back(const float* y, float* x) noexcept {
  for (Index i = 0; i < pairs_; ++i) {
    const auto c = static_cast<float>(cos_[static_cast<std::size_t>(i)]);
    const auto s = static_cast<float>(sin_[static_cast<std::size_t>(i)]);
    x[i * step_] = y[i] * c + y[i + pairs_] * s;
    x[i * step_ + second_] = y[i + pairs_] * c - y[i] * s;
  }
  advance();
}

}  // namespace attn::fast
