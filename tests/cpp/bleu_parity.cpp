#include <attn/bleu.hpp>

#include "parity.hpp"

namespace {

attn::Tokens sentence(attn::Rng& rng) {
  attn::Tokens t;
  const int n = 4 + rng.below(9);
  for (int i = 0; i < n; ++i) t.push_back(std::to_string(rng.below(3)));
  return t;
}

std::vector<attn::Link> links(attn::Rng& rng) {
  std::vector<attn::Link> out;
  for (int i = 0; i < 5; ++i) out.push_back({rng.below(3), rng.below(3)});
  return out;
}

parity::Numbers flat(const attn::Bleu& b) {
  parity::Numbers out;
  for (const auto& p : b.precisions) {
    out.add(static_cast<double>(p.clipped));
    out.add(static_cast<double>(p.total));
  }
  out.add(b.brevity_penalty);
  out.add(b.score);
  return out;
}

}  // namespace

PARITY(bleu, kStack) {
  const auto candidate = sentence(rng);
  return flat(attn::bleu(candidate, {sentence(rng), sentence(rng)}, 2));
}
PARITY(corpus_bleu, kStack) {
  const auto a = sentence(rng);
  const auto b = sentence(rng);
  return flat(attn::corpus_bleu({a, b}, {{sentence(rng)}, {sentence(rng)}}, 2));
}
PARITY(argmax_links, kBits) {
  parity::Numbers out;
  for (const auto& l : attn::argmax_links(parity::any_matrix(rng, 1, 6, 1, 6)))
    out.add(static_cast<double>(l.source));
  return out;
}
PARITY(alignment_error_rate, kBits) {
  const auto a = links(rng);
  const auto sure = links(rng);
  return {attn::alignment_error_rate(a, sure, links(rng))};
}
