#include <attn/encoder.hpp>

#include "parity.hpp"

namespace {

attn::EncoderWeights weights(unsigned seed) {
  return attn::random_encoder_weights(seed, 4, 6, 2);
}

attn::LayerOptions options(attn::Rng& rng) {
  attn::LayerOptions o;
  o.heads = 2;
  o.norm_first = rng.below(2) == 0;
  o.causal = rng.below(2) == 0;
  return o;
}

}  // namespace

PARITY(encoder_layer, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  const auto t = attn::encoder_layer(x, weights(1), options(rng));
  return {t.after_attention, t.network.output, t.output};
}
PARITY(encoder_layer_backward, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  const auto g = parity::matrix_like(rng, x);
  return {attn::encoder_layer_backward(x, weights(2), g, options(rng))};
}
PARITY(encoder_stack, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  return {
      attn::encoder_stack(x, {weights(3), weights(4)}, options(rng)).back()};
}
PARITY(encoder_gradient_norms, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  const auto g = parity::matrix_like(rng, x);
  return {attn::encoder_gradient_norms(x, {weights(5), weights(6)}, g,
                                       options(rng))};
}
PARITY(random_encoder_weights, kStack) {
  const auto w = attn::random_encoder_weights(
      static_cast<unsigned>(rng.below(1000)), 4, 6, 2);
  return {w.attention.w_q, w.attention.w_o, w.network.w1, w.network.w2};
}
PARITY(row_spread, kBits) {
  return {attn::row_spread(parity::any_matrix(rng, 1, 6, 1, 9))};
}
