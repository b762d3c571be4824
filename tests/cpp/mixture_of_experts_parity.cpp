#include <attn/mixture_of_experts.hpp>

#include "parity.hpp"

PARITY(route_tokens, kStack) {
  const auto r = attn::route_tokens(parity::any_matrix(rng, 1, 6, 2, 6), 2,
                                    attn::Gating::kRenormalised);
  return {r.probabilities, r.experts, r.gates};
}
PARITY(balance_loss, kStack) {
  const auto p = attn::route_tokens(parity::any_matrix(rng, 1, 6, 2, 6), 1,
                                    attn::Gating::kRaw)
                     .probabilities;
  const auto b = attn::balance_loss(p, 0.01);
  return {b.fraction,    b.probability, b.switch_loss,
          b.gshard_loss, b.importance,  b.importance_cv2};
}
PARITY(dispatch_tokens, kBits) {
  std::vector<int> choice;
  for (int i = 0; i < 20; ++i) choice.push_back(rng.below(4));
  const auto d = attn::dispatch_tokens(choice, 4, 0.5 + rng.uniform());
  return {static_cast<double>(d.capacity), d.kept, d.load};
}
PARITY(mixture_of_experts, kStack) {
  const auto x = parity::any_matrix(rng, 1, 5, 3, 3);
  const attn::FeedForward one{
      parity::matrix(rng, 3, 5), {}, parity::matrix(rng, 5, 3), {}};
  return {attn::mixture_of_experts(x, parity::matrix(rng, 3, 2), {one, one}, 1,
                                   attn::Gating::kRaw)
              .output};
}
PARITY(mixture_counts, kBits) {
  const auto c = parity::InOrder{attn::mixture_counts, 1 + rng.below(999),
                                 1 + rng.below(999), 2 + rng.below(9), 2}
                     .result;
  return {c.dense_parameters, c.expert_parameters, c.router_parameters,
          c.flops_per_token};
}
