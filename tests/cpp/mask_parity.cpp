#include <attn/mask.hpp>

#include "parity.hpp"

namespace {

attn::Mask random_mask(attn::Rng& rng) {
  return (parity::matrix(rng, 4, 5).array() > 0).matrix();
}

double number(std::int64_t x) { return static_cast<double>(x); }

}  // namespace

PARITY(causal_mask, kBits) {
  const int queries = 1 + rng.below(6);
  return {attn::causal_mask(queries, 6, rng.below(3))};
}
PARITY(padding_mask, kBits) {
  return {attn::padding_mask(3, {true, rng.below(2) == 0, false})};
}
PARITY(combined_mask, kBits) {
  const auto a = random_mask(rng);
  return {attn::combined_mask(a, random_mask(rng))};
}
PARITY(visible_pairs, kBits) {
  return {number(attn::visible_pairs(random_mask(rng)))};
}
PARITY(causal_pairs, kBits) {
  return {number(attn::causal_pairs(1 + rng.below(100000000)))};
}
PARITY(masked_scores, kBits) {
  const auto mask = random_mask(rng);
  return {attn::masked_scores(parity::matrix(rng, 4, 5), mask)};
}
PARITY(zeroed_weights, kBits) {
  const auto mask = random_mask(rng);
  return {attn::zeroed_weights(parity::matrix(rng, 4, 5), mask)};
}
