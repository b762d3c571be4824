#include <attn/sinusoidal.hpp>

#include "parity.hpp"

namespace {

struct Code {
  int d;
  double base, offset;
};

Code code(attn::Rng& rng) {
  const int d = 2 + 2 * rng.below(8);
  const double base = 1 + 10000 * rng.uniform();
  return {d, base, 100 * rng.uniform()};
}

}  // namespace

PARITY(sinusoidal_frequencies, kFourUlp) {
  const auto c = code(rng);
  return {attn::sinusoidal_frequencies(c.d, c.base)};
}
PARITY(sinusoidal_wavelengths, kFourUlp) {
  const auto c = code(rng);
  return {attn::sinusoidal_wavelengths(c.d, c.base)};
}
// A place multiplies the last digit of its frequency.
PARITY(sinusoidal_positions, kStack) {
  const auto c = code(rng);
  return {attn::sinusoidal_positions({0, c.offset, 500}, c.d, c.base)};
}
PARITY(sinusoidal_table, kStack) {
  const auto c = code(rng);
  return {attn::sinusoidal_table(1 + rng.below(30), c.d, c.base)};
}
PARITY(sinusoidal_shift, kStack) {
  const auto c = code(rng);
  return {attn::sinusoidal_shift(c.offset, c.d, c.base)};
}
PARITY(sinusoidal_dot, kStack) {
  const auto c = code(rng);
  // Beside the dot at distance 0, of which a small one is a difference.
  return {attn::sinusoidal_dot(c.offset, c.d, c.base),
          attn::sinusoidal_dot(0, c.d, c.base)};
}
PARITY(sinusoidal_distance, kStack) {
  const auto c = code(rng);
  return {attn::sinusoidal_distance(c.offset, c.d, c.base)};
}
PARITY(sinusoidal_near_collision, kStack) {
  const auto c = code(rng);
  const auto n =
      attn::sinusoidal_near_collision(1 + rng.below(60), c.d, c.base);
  return {static_cast<double>(n.offset), n.distance};
}
