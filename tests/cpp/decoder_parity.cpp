#include <attn/decoder.hpp>

#include "parity.hpp"

namespace {

attn::DecoderWeights weights() {
  return attn::random_decoder_weights(1, 4, 3, 6, 2);
}

attn::DecoderOptions options(attn::Rng& rng) {
  attn::DecoderOptions o;
  o.heads = 2;
  o.norm_first = rng.below(2) == 0;
  return o;
}

}  // namespace

PARITY(decoder_layer, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  const auto memory = parity::any_matrix(rng, 1, 5, 3, 3);
  const auto t = attn::decoder_layer(x, memory, weights(), options(rng));
  return {t.after_attention, t.after_cross, t.output};
}
PARITY(decoder_layer_backward, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  const auto memory = parity::any_matrix(rng, 1, 5, 3, 3);
  const auto g =
      parity::InOrder{
          attn::decoder_layer_backward, x,           memory, weights(),
          parity::matrix_like(rng, x),  options(rng)}
          .result;
  return {g.d_x, g.d_memory};
}
PARITY(decoder_stack, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 4, 4);
  const auto memory = parity::any_matrix(rng, 1, 5, 3, 3);
  return {attn::decoder_stack(x, memory, {weights(), weights()}, options(rng))
              .back()};
}
PARITY(random_decoder_weights, kStack) {
  const auto w = attn::random_decoder_weights(
      static_cast<unsigned>(rng.below(1000)), 4, 3, 6, 2);
  return {w.attention.w_q, w.cross.w_k, w.network.w2};
}
