#include <attn/scaling.hpp>

#include "parity.hpp"

PARITY(dot_product_std, kBits) {
  return {attn::dot_product_std(1 + rng.below(2000), attn::Scale::kNone)};
}
// Twenty thousand terms, each through exp.
PARITY(expected_larger_weight, kStack) {
  return {parity::InOrder{attn::expected_larger_weight, 1 + rng.below(600),
                          static_cast<attn::Scale>(rng.below(2))}
              .result};
}
PARITY(score_statistics, kStack) {
  const auto s = parity::InOrder{attn::score_statistics,
                                 1 + rng.below(9),
                                 1 + rng.below(9),
                                 5,
                                 static_cast<unsigned>(rng.below(1000)),
                                 static_cast<attn::Scale>(rng.below(2))}
                     .result;
  return {s.max_weight, s.entropy, s.jacobian_frobenius, s.score_std};
}
