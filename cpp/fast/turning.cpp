#include "turning.hpp"

#include <cmath>

namespace attn::fast {
namespace {

struct Unit {
  double cos, sin;
};

/// e^{i·angle} by its series, to 3e-16 for angles of the size of 1: std::cos
/// and std::sin would bring 4 KiB, most of it for vast angles.
Unit unit(double angle) {
  constexpr double kQuarter = 1.5707963267948966;
  const double within = std::fmod(angle, 4 * kQuarter);
  const double quarters = std::nearbyint(within / kQuarter);
  const double rest = within - quarters * kQuarter;
  Unit z{1, 0};
  double term = 1;
  for (int j = 1; j < 20; ++j) {
    term *= (j % 2 == 0 ? -rest : rest) / j;
    (j % 2 == 0 ? z.cos : z.sin) += term;
  }
  for (int left = static_cast<int>(quarters) & 3; left > 0; --left)
    z = {-z.sin, z.cos};
  return z;
}

Unit product(Unit a, Unit b) {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin};
}

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
    const Unit step = unit(angle);
    step_by_.cos.push_back(step.cos);
    step_by_.sin.push_back(step.sin);
  }
  at_.cos.assign(step_by_.cos.size(), 1);
  at_.sin.assign(step_by_.sin.size(), 0);
}

void Turning::go_to(Index place) noexcept {
  for (std::size_t i = 0; i < at_.cos.size(); ++i) {
    Unit z{1, 0};
    Unit square{step_by_.cos[i], step_by_.sin[i]};
    for (Index rest = place; rest != 0; rest /= 2) {
      if (rest % 2 != 0) z = product(z, square);
      square = product(square, square);
    }
    at_.cos[i] = z.cos;
    at_.sin[i] = z.sin;
  }
}

// The loops below are written for four pairs at a time: no vector among what is
// read may be one that is written.
void Turning::advance() noexcept {
  double* __restrict const cosines = at_.cos.data();
  double* __restrict const sines = at_.sin.data();
  const double* const cos_step = step_by_.cos.data();
  const double* const sin_step = step_by_.sin.data();
  for (Index i = 0; i < pairs_; ++i) {
    const double c = cosines[i];
    const double s = sines[i];
    cosines[i] = c * cos_step[i] - s * sin_step[i];
    sines[i] = s * cos_step[i] + c * sin_step[i];
  }
}

void Turning::turn(const float* x, float* __restrict y) noexcept {
  if (step_ == 1)
    turn_pairs<1>(x, y);
  else
    turn_pairs<2>(x, y);
  advance();
}

template <Index kStep>
void Turning::turn_pairs(const float* x, float* __restrict y) const noexcept {
  const double* const cosines = at_.cos.data();
  const double* const sines = at_.sin.data();
  for (Index i = 0; i < pairs_; ++i) {
    const auto c = static_cast<float>(cosines[i]);
    const auto s = static_cast<float>(sines[i]);
    const float a = x[i * kStep];
    const float b = x[i * kStep + second_];
    y[i] = a * c - b * s;
    y[i + pairs_] = a * s + b * c;
  }
}

void Turning::turn_back(const float* y, float* __restrict x) noexcept {
  for (Index i = 0; i < pairs_; ++i) {
    const auto c = static_cast<float>(at_.cos[static_cast<std::size_t>(i)]);
    const auto s = static_cast<float>(at_.sin[static_cast<std::size_t>(i)]);
    x[i * step_] = y[i] * c + y[i + pairs_] * s;
    x[i * step_ + second_] = y[i + pairs_] * c - y[i] * s;
  }
  advance();
}

}  // namespace attn::fast
