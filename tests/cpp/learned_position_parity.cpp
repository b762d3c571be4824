#include <attn/learned_position.hpp>

#include "parity.hpp"

PARITY(learned_lookup, kBits) {
  const attn::Matrix table = parity::any_matrix(rng, 1, 8, 1, 4);
  std::vector<int> positions;
  for (int i = 0; i < 5; ++i)
    positions.push_back(rng.below(static_cast<int>(table.rows())));
  return {attn::learned_lookup(table, positions)};
}
PARITY(interpolate_positions, kBits) {
  const attn::Matrix table = parity::any_matrix(rng, 1, 8, 1, 4);
  return {attn::interpolate_positions(table, 1 + rng.below(20))};
}
PARITY(learned_positions, kBits) {
  const attn::Matrix table = parity::any_matrix(rng, 1, 8, 1, 4);
  return {attn::learned_positions(table, 1 + rng.below(20),
                                  attn::BeyondTable::kInterpolate)};
}
