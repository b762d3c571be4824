#include <attn/linformer.hpp>

#include "parity.hpp"

namespace {

struct Operands {
  attn::Matrix q, k, v, e, f;
};

Operands operands(attn::Rng& rng) {
  Operands o;
  o.q = parity::any_matrix(rng, 1, 6, 1, 5);
  o.k = parity::matrix(rng, 7, o.q.cols());
  o.v = parity::matrix(rng, 7, 2);
  o.e = parity::matrix(rng, 3, 7);
  o.f = attn::mean_pool_projection(3, 7);
  return o;
}

}  // namespace

PARITY(linformer_attention, kStack) {
  const auto o = operands(rng);
  const auto t = attn::linformer_attention(o.q, o.k, o.v, o.e, o.f);
  return {t.projected_keys, t.projected_values, t.scores, t.weights, t.output};
}
PARITY(mean_pool_projection, kBits) {
  const int slots = 1 + rng.below(9);
  return {attn::mean_pool_projection(slots, slots + rng.below(20))};
}
PARITY(identity_projection, kBits) {
  return {attn::identity_projection(1 + rng.below(9))};
}
PARITY(random_projection, kFourUlp) {
  const int slots = 1 + rng.below(9);
  return {attn::random_projection(slots, 1 + rng.below(9), 11)};
}
PARITY(linformer_errors, kStack) {
  const auto o = operands(rng);
  const auto s = attn::linformer_errors(o.q, o.k, o.v, 1 + rng.below(7), 5, 3);
  return {s.mean, s.deviation, s.smallest, s.largest};
}
PARITY(linformer_leak, kStack) {
  const auto o = operands(rng);
  const int token = rng.below(7);
  const auto k_row = parity::matrix(rng, 1, o.k.cols());
  const auto v_row = parity::matrix(rng, 1, 2);
  const auto t =
      attn::linformer_leak(o.q, o.k, o.v, o.e, o.f, token, k_row, v_row);
  return {t.before, t.after, t.change};
}
PARITY(linformer_operations, kBits) {
  const int n = 1 + rng.below(20);
  const int slots = 1 + rng.below(9);
  const auto t = attn::linformer_operations(n, slots, 1 + rng.below(9));
  return {static_cast<double>(t.multiplications),
          static_cast<double>(t.additions), static_cast<double>(t.divisions),
          static_cast<double>(t.exponentials)};
}
PARITY(linformer_cost, kBits) {
  const int n = 1 + rng.below(1 << 20);
  const auto c = attn::linformer_cost(n, 1 + rng.below(512));
  return {c.exact_entries, c.linformer_entries, c.ratio,
          c.projection_parameters};
}
PARITY(linformer_theorem_slots, kFourUlp) {
  const int n = 2 + rng.below(1 << 20);
  return {attn::linformer_theorem_slots(n, 0.01 + 0.98 * rng.uniform())};
}
