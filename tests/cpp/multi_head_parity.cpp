#include <attn/multi_head.hpp>

#include "parity.hpp"

PARITY(multi_head, kStack) {
  const auto x = parity::matrix(rng, 5, 6);
  const auto w_q = parity::matrix(rng, 6, 6);
  const auto w_k = parity::matrix(rng, 6, 6);
  const auto w_v = parity::matrix(rng, 6, 9);
  const auto w_o = parity::matrix(rng, 9, 4);
  const auto t = attn::multi_head(x, {w_q, w_k, w_v, w_o}, 3);
  return {t.heads[2].weights, t.entropy, t.concat, t.output};
}
PARITY(multi_head_cost, kBits) {
  const int heads = 1 + rng.below(16);
  const auto c =
      attn::multi_head_cost(1 + rng.below(100000), heads * 64, heads);
  return {static_cast<double>(c.head_width), static_cast<double>(c.parameters),
          static_cast<double>(c.parameters_with_bias),
          static_cast<double>(c.score_entries),
          static_cast<double>(c.score_multiply_adds)};
}
