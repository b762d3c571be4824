#include <attn/projection.hpp>

#include "parity.hpp"

PARITY(project, kBits) {
  const auto x = parity::any_matrix(rng, 1, 6, 1, 20);
  return {attn::project(x, parity::matrix(rng, x.cols(), 4))};
}
PARITY(project_qkv, kBits) {
  const auto x = parity::matrix(rng, 4, 3);
  const auto w_q = parity::matrix(rng, 3, 2);
  const auto w_k = parity::matrix(rng, 3, 2);
  const auto p = attn::project_qkv(x, w_q, w_k, parity::matrix(rng, 3, 5));
  return {p.q, p.k, p.v};
}
PARITY(query_key_product, kBits) {
  const auto w_q = parity::matrix(rng, 3, 2);
  return {attn::query_key_product(w_q, parity::matrix(rng, 3, 2))};
}
