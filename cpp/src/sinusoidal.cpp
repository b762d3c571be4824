#include <attn/sinusoidal.hpp>
#include <cmath>

#include "arguments.hpp"
#include "positions.hpp"

namespace attn {
namespace {

constexpr double kTwoPi = 6.283185307179586;

}  // namespace

// #region sinusoidal_frequencies
std::vector<double> sinusoidal_frequencies(Index d, double base) {
  require_pairs(d, base);
  std::vector<double> out;
  for (Index i = 0; i < d / 2; ++i) {
    const double exponent = -2.0 * static_cast<double>(i);
    out.push_back(std::pow(base, exponent / static_cast<double>(d)));
  }
  return out;
}
// #endregion sinusoidal_frequencies

std::vector<double> sinusoidal_wavelengths(Index d, double base) {
  std::vector<double> out = sinusoidal_frequencies(d, base);
  for (double& w : out) w = kTwoPi / w;
  return out;
}

// #region sinusoidal_positions
Matrix sinusoidal_positions(const std::vector<double>& positions, Index d,
                            double base) {
  const std::vector<double> omega = sinusoidal_frequencies(d, base);
  const Index n = require_positions(positions, d);
  Matrix table(n, d);
  for (Index p = 0; p < n; ++p)
    for (Index i = 0; i < d / 2; ++i) {
      const double angle =
          positions[static_cast<size_t>(p)] * omega[static_cast<size_t>(i)];
      table(p, 2 * i) = std::sin(angle);
      table(p, 2 * i + 1) = std::cos(angle);
    }
  return table;
}
// #endregion sinusoidal_positions

Matrix sinusoidal_table(Index n, Index d, double base) {
  require_pairs(d, base);
  require_count("n", n, 1, kReferenceLimit);
  std::vector<double> positions;
  for (Index p = 0; p < n; ++p) positions.push_back(static_cast<double>(p));
  return sinusoidal_positions(positions, d, base);
}

// #region sinusoidal_shift
Matrix sinusoidal_shift(double offset, Index d, double base) {
  const std::vector<double> omega = sinusoidal_frequencies(d, base);
  require_position("offset", offset);
  require_size("the shift matrix", d, d);
  Matrix shift = Matrix::Zero(d, d);
  for (Index i = 0; i < d / 2; ++i) {
    const double angle = offset * omega[static_cast<size_t>(i)];
    shift(2 * i, 2 * i) = std::cos(angle);
    shift(2 * i, 2 * i + 1) = std::sin(angle);
    shift(2 * i + 1, 2 * i) = -std::sin(angle);
    shift(2 * i + 1, 2 * i + 1) = std::cos(angle);
  }
  return shift;
}
// #endregion sinusoidal_shift

// #region sinusoidal_dot
double sinusoidal_dot(double offset, Index d, double base) {
  require_position("offset", offset);
  double sum = 0;
  for (const double omega : sinusoidal_frequencies(d, base))
    sum += std::cos(offset * omega);
  return sum;
}
// #endregion sinusoidal_dot

// √(d − 2·dot) would lose every digit where two codes nearly agree.
// #region sinusoidal_distance
double sinusoidal_distance(double offset, Index d, double base) {
  require_position("offset", offset);
  double sum = 0;
  for (const double omega : sinusoidal_frequencies(d, base)) {
    const double half_chord = std::sin(offset * omega / 2);
    sum += half_chord * half_chord;
  }
  return 2 * std::sqrt(sum);
}
// #endregion sinusoidal_distance

NearCollision sinusoidal_near_collision(Index max_offset, Index d,
                                        double base) {
  require_pairs(d, base);
  require_count("max_offset", max_offset, 1, kReferenceLimit);
  require_size("the search", max_offset, d / 2);
  NearCollision nearest{1, sinusoidal_distance(1, d, base)};
  for (Index k = 2; k <= max_offset; ++k) {
    const double gap = sinusoidal_distance(static_cast<double>(k), d, base);
    if (gap < nearest.distance) nearest = {k, gap};
  }
  return nearest;
}

}  // namespace attn
