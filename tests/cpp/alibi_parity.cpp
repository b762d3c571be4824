#include <attn/alibi.hpp>

#include "parity.hpp"

PARITY(alibi_slopes, kFourUlp) {
  const int heads = 1 + rng.below(40);
  return {
      attn::alibi_slopes(heads, static_cast<attn::AlibiSlopes>(rng.below(2)))};
}
PARITY(alibi_bias, kBits) {
  const double slope = rng.uniform();
  const int n = 1 + rng.below(12);
  return {
      attn::alibi_bias(slope, n, static_cast<attn::AlibiForm>(rng.below(2)))};
}
// Shares of a sum of exponentials.
PARITY(alibi_weights, kStack) {
  const double slope = rng.uniform();
  return {attn::alibi_weights(slope, rng.below(60))};
}
PARITY(alibi_reach, kFourUlp) {
  const double slope = 0.01 + rng.uniform();
  return {attn::alibi_reach(slope, 0.001 + 0.9 * rng.uniform())};
}
