#include <attn/online_softmax.hpp>

#include "parity.hpp"

namespace {

struct Row {
  std::vector<double> scores;
  attn::Matrix v;
};

Row row(attn::Rng& rng) {
  const auto s = parity::any_matrix(rng, 1, 1, 2, 16);
  return {{s.data(), s.data() + s.size()}, parity::matrix(rng, s.cols(), 3)};
}

parity::Numbers numbers(const attn::SoftmaxState& s) {
  return {s.max, s.sum, s.output};
}

}  // namespace

PARITY(online_scan, kStack) {
  const auto t = attn::online_scan(row(rng).scores);
  return {t.max, t.sum, t.log_sum_exp};
}
PARITY(block_state, kStack) {
  const auto r = row(rng);
  return numbers(attn::block_state(r.scores, r.v));
}
PARITY(merge_states, kStack) {
  const auto a = row(rng);
  const auto b = row(rng);
  return numbers(attn::merge_states(attn::block_state(a.scores, a.v),
                                    attn::block_state(b.scores, b.v)));
}
PARITY(blockwise_softmax, kStack) {
  const auto r = row(rng);
  const auto order = static_cast<attn::MergeOrder>(rng.below(3));
  const auto t =
      attn::blockwise_softmax(r.scores, r.v, 1 + rng.below(5), order);
  return {numbers(t.merged), numbers(t.whole), t.weights, t.averaged_weights,
          t.averaged_output};
}
