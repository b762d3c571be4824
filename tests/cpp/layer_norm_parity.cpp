#include <attn/layer_norm.hpp>

#include "parity.hpp"

PARITY(layer_norm, kBits) {
  const auto t = attn::layer_norm(parity::any_matrix(rng, 1, 6, 1, 9));
  return {t.mean, t.variance, t.output};
}
PARITY(rms_norm, kBits) {
  const auto t = attn::rms_norm(parity::any_matrix(rng, 1, 6, 1, 9));
  return {t.mean, t.variance, t.output};
}
PARITY(norm_backward, kBits) {
  const auto x = parity::any_matrix(rng, 1, 6, 1, 9);
  const auto norm = static_cast<attn::Norm>(rng.below(3));
  return {attn::norm_backward(norm, x, parity::matrix_like(rng, x), {}, 1e-5)};
}
