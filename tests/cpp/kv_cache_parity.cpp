#include <attn/kv_cache.hpp>

#include "parity.hpp"

PARITY(cache_step, kStack) {
  const auto keys = parity::matrix(rng, 5, 3);
  const auto values = parity::matrix(rng, 5, 2);
  const auto q = parity::matrix(rng, 2, 3);
  const auto k = parity::matrix(rng, 2, 3);
  const auto step =
      attn::cache_step(keys, values, q, k, parity::matrix(rng, 2, 2));
  return {step.keys, step.values, step.trace.weights, step.trace.output};
}
