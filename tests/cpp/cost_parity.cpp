#include <attn/cost.hpp>

#include "parity.hpp"

namespace {

double size(attn::Rng& rng) { return 1 + rng.below(2000); }

attn::Precision precision(attn::Rng& rng) {
  return static_cast<attn::Precision>(rng.below(4));
}

}  // namespace

PARITY(bytes_of, kBits) { return {attn::bytes_of(precision(rng))}; }
PARITY(attention_matrix_cost, kBits) {
  const auto c = parity::InOrder{attn::attention_matrix_cost, size(rng), 8, 6,
                                 precision(rng)}
                     .result;
  return {c.elements, c.total_elements, c.bytes, c.total_bytes};
}
PARITY(attention_pairs, kBits) {
  return {attn::attention_pairs(size(rng), true),
          attn::attention_pairs(size(rng), false)};
}
PARITY(layer_flops, kBits) {
  const auto f =
      parity::InOrder{attn::layer_flops, size(rng), size(rng), size(rng), true}
          .result;
  return {f.projections, f.attention_products, f.feed_forward, f.total};
}
PARITY(attention_crossover, kBits) {
  return {
      parity::InOrder{attn::attention_crossover, size(rng), size(rng)}.result};
}
PARITY(square_costs, kBits) {
  const auto s =
      parity::InOrder{attn::square_costs, size(rng), size(rng), 6}.result;
  return {s.elements, s.score_madds, s.model_madds, s.model_flops};
}
PARITY(transformer_parameters, kBits) {
  attn::TransformerShape s;
  s.vocabulary = size(rng);
  return {attn::transformer_parameters(s)};
}
PARITY(stack_layer_parameters, kBits) {
  return {attn::stack_layer_parameters({12, size(rng), size(rng)})};
}
PARITY(bert_parameters, kBits) {
  return {attn::bert_parameters({}, size(rng), 512, 2)};
}
PARITY(gpt_parameters, kBits) {
  return {attn::gpt_parameters({}, size(rng), 1024)};
}
PARITY(vision_parameters, kBits) {
  const double width = 16.0 * (1 + rng.below(30));
  const auto p = attn::vision_parameters({}, width, 16, 3, size(rng));
  return {p.patch_embedding, p.class_token, p.position_embedding, p.per_layer,
          p.final_norm,      p.head,        p.total_without_head};
}
PARITY(kv_cache_bytes, kBits) {
  return {parity::InOrder{attn::kv_cache_bytes, 6, size(rng), size(rng),
                          precision(rng)}
              .result};
}
PARITY(activation_bytes, kBits) {
  return {parity::InOrder{attn::activation_bytes, size(rng), 2, size(rng), 8}
              .result};
}
PARITY(growth_audit, kStack) {
  const auto a = parity::InOrder{attn::growth_audit, 2 + rng.uniform(),
                                 2 + 20 * rng.uniform()}
                     .result;
  return {a.if_linear, a.if_quadratic, a.exponent, a.quadratic_share};
}
