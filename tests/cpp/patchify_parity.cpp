#include <attn/patchify.hpp>

#include "parity.hpp"

namespace {

attn::Image image(attn::Rng& rng) {
  attn::Image i{4, 6, 3, {}};
  for (int k = 0; k < 72; ++k) i.data.push_back(rng.uniform());
  return i;
}

}  // namespace

PARITY(patchify, kBits) { return {attn::patchify(image(rng), 2)}; }
PARITY(unpatchify, kBits) {
  return {attn::unpatchify(attn::patchify(image(rng), 2), 4, 6, 3, 2).data};
}
PARITY(patch_means, kBits) { return {attn::patch_means(image(rng), 2)}; }
PARITY(grid_positions, kStack) {
  return {parity::InOrder{attn::grid_positions, 1 + rng.below(5),
                          1 + rng.below(5), 8}
              .result};
}
PARITY(patch_counts, kBits) {
  const int patch = 1 + rng.below(16);
  const auto c = attn::patch_counts(patch * (1 + rng.below(20)), patch, 3);
  return {c.tokens, c.width, c.with_class, c.attention_entries};
}
