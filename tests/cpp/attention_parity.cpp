#include <attn/attention.hpp>

#include "parity.hpp"

namespace {

struct Operands {
  attn::Matrix q, k, v;
  attn::AttentionOptions options;
};

Operands operands(attn::Rng& rng) {
  Operands o;
  o.q = parity::any_matrix(rng, 2, 6, 1, 8);
  o.k = parity::matrix(rng, 7, o.q.cols());
  o.v = parity::matrix(rng, 7, 3);
  o.options.causal = rng.below(2) == 0;
  o.options.bias = parity::matrix(rng, o.q.rows(), 7);
  return o;
}

}  // namespace

// The output is a sum of terms of both signs.
PARITY(attention, kStack) {
  const auto o = operands(rng);
  const auto t = attn::attention(o.q, o.k, o.v, o.options);
  return {t.scores, t.weights, t.output, t.fully_masked};
}
PARITY(attention_rows, kStack) {
  const auto o = operands(rng);
  const auto t = attn::attention_rows(o.q, o.k, o.v, 1, 1, o.options);
  return {t.scores, t.weights, t.output, t.fully_masked};
}
PARITY(attention_gradients, kStack) {
  const auto o = operands(rng);
  const auto g = attn::attention_gradients(
      o.q, o.k, o.v, parity::matrix(rng, o.q.rows(), 3), o.options);
  return {g.d_weights, g.d_scores, g.d_q, g.d_k, g.d_v};
}
PARITY(attention_operations, kBits) {
  const int n = 1 + rng.below(9);
  const int m = 1 + rng.below(9);
  const int d = 1 + rng.below(9);
  const auto t = attn::attention_operations(n, m, d, 1 + rng.below(9));
  return {static_cast<double>(t.multiplications),
          static_cast<double>(t.additions), static_cast<double>(t.divisions),
          static_cast<double>(t.exponentials)};
}
