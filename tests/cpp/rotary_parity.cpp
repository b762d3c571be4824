#include <attn/rotary.hpp>

#include "parity.hpp"

namespace {

std::vector<double> places(attn::Rng& rng, attn::Index count) {
  std::vector<double> out;
  for (attn::Index i = 0; i < count; ++i) out.push_back(100 * rng.uniform());
  return out;
}

attn::Rotary rotary(attn::Rng& rng) {
  attn::Rotary r;
  r.layout = static_cast<attn::RotaryLayout>(rng.below(2));
  r.position_scale = 0.25 + rng.uniform();
  return r;
}

}  // namespace

PARITY(rotary_frequencies, kFourUlp) {
  const int d = 2 + 2 * rng.below(8);
  return {attn::rotary_frequencies(d, 1 + 10000 * rng.uniform())};
}
PARITY(rotate, kStack) {
  const attn::Matrix x = parity::matrix(rng, 1 + rng.below(5), 6);
  const auto at = places(rng, x.rows());
  return {attn::rotate(x, at, rotary(rng))};
}
PARITY(rotary_scores, kStack) {
  const attn::Matrix q = parity::matrix(rng, 1 + rng.below(5), 6);
  const attn::Matrix k = parity::matrix(rng, 4, 6);
  const auto q_places = places(rng, q.rows());
  const auto k_places = places(rng, k.rows());
  return {attn::rotary_scores(q, k, q_places, k_places, rotary(rng))};
}
PARITY(to_half_split, kBits) {
  return {attn::to_half_split(parity::matrix(rng, 1 + rng.below(5), 8))};
}
PARITY(to_interleaved, kBits) {
  return {attn::to_interleaved(parity::matrix(rng, 1 + rng.below(5), 8))};
}
PARITY(rotary_decay, kStack) {
  auto distances = places(rng, 6);
  // The share of 1 beside which a small one is a difference.
  distances.push_back(0);
  return {attn::rotary_decay(distances, 2 + 2 * rng.below(8), 10000)};
}
// Counts: a frequency that differs in its last place does not move them unless
// a length lies that close to it.
PARITY(unseen_pairs, kBits) {
  const double length = 1 + 5000 * rng.uniform();
  const int d = 2 + 2 * rng.below(64);
  return {static_cast<double>(attn::unseen_pairs(length, d, 10000))};
}
PARITY(pairs_at_new_angles, kBits) {
  const double trained = 1 + 5000 * rng.uniform();
  const double tested = 1 + 20000 * rng.uniform();
  const int d = 2 + 2 * rng.below(64);
  return {static_cast<double>(
      attn::pairs_at_new_angles(trained, tested, d, 10000, 1))};
}
