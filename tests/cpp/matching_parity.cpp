#include <attn/matching.hpp>

#include "parity.hpp"

namespace {

parity::Numbers flat(const attn::Assignment& a) {
  parity::Numbers out;
  for (const auto& p : a.pairs) {
    out.add(static_cast<double>(p.row));
    out.add(static_cast<double>(p.col));
  }
  out.add(a.cost);
  return out;
}

/// Centres anywhere, sides of 0.1 to 1.1.
attn::Matrix boxes(attn::Rng& rng, int n) {
  attn::Matrix m(n, 4);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j) m(i, j) = 0.1 + rng.uniform();
  return m;
}

}  // namespace

PARITY(match_pairs, kBits) {
  return flat(attn::match_pairs(parity::any_matrix(rng, 1, 6, 1, 6)));
}
PARITY(match_greedily, kBits) {
  return flat(attn::match_greedily(parity::any_matrix(rng, 1, 6, 1, 6)));
}
PARITY(detr_cost, kBits) {
  attn::Matrix p(5, 3);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) p(i, j) = rng.uniform();
  const auto queries = boxes(rng, 5);
  const auto c = attn::detr_cost(queries, p, boxes(rng, 2), {0, 1});
  return {c.l1, c.iou, c.giou, c.cost};
}
