#include <attn/kv_cache.hpp>

#include "parity.hpp"
#include "random.hpp"

PARITY(cache_step, kStack) {
  const auto keys = attn::normal_matrix(rng, 5, 3);
  const auto values = attn::normal_matrix(rng, 5, 2);
  const auto q = attn::normal_matrix(rng, 2, 3);
  const auto k = attn::normal_matrix(rng, 2, 3);
  const auto step =
      attn::cache_step(keys, values, q, k, attn::normal_matrix(rng, 2, 2));
  return {step.keys, step.values, step.trace.weights, step.trace.output};
}
