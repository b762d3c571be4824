#include "turning.hpp"

#include <cmath>

namespace attn::fast {
namespace {

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
  for (Index i = 0; i < pairs_; ++i, angle *= ratio)
    step_by_.push_back(unit(angle));
  at_.assign(step_by_.size(), Unit{1, 0});
}

void Turning::go_to(Index place) noexcept {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    Unit z{1, 0};
    Unit square = step_by_[i];
    for (Index rest = place; rest != 0; rest /= 2) {
      if (rest % 2 != 0) z = product(z, square);
      square = product(square, square);
    }
    at_[i] = z;
  }
}

std::pair<float, float> Turning::at(Index i) const noexcept {
  const Unit& z = at_[static_cast<std::size_t>(i)];
  return {static_cast<float>(z.cos), static_cast<float>(z.sin)};
}

void Turning::advance() noexcept {
  for (std::size_t i = 0; i < at_.size(); ++i)
    at_[i] = product(at_[i], step_by_[i]);
}

void Turning::turn(const float* x, float* __restrict y) noexcept {
  for (Index i = 0; i < pairs_; ++i) {
    const auto [c, s] = at(i);
    const float a = x[i * step_];
    const float b = x[i * step_ + second_];
    y[i] = a * c - b * s;
    y[i + pairs_] = a * s + b * c;
  }
  advance();
}

void Turning::turn_back(const float* y, float* __restrict x) noexcept {
  for (Index i = 0; i < pairs_; ++i) {
    const auto [c, s] = at(i);
    x[i * step_] = y[i] * c + y[i + pairs_] * s;
    x[i * step_ + second_] = y[i + pairs_] * c - y[i] * s;
  }
  advance();
}

}  // namespace attn::fast
