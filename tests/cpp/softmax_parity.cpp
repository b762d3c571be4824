#include <attn/softmax.hpp>

#include "parity.hpp"

namespace {

std::vector<double> row(attn::Rng& rng) {
  const auto m = parity::any_matrix(rng, 1, 1, 1, 20);
  return {m.data(), m.data() + m.size()};
}

}  // namespace

PARITY(softmax, kFourUlp) { return {attn::softmax(row(rng), 0.7)}; }
PARITY(softmax_rows, kFourUlp) {
  return {attn::softmax_rows(parity::any_matrix(rng, 1, 6, 1, 20))};
}
PARITY(fully_masked_rows, kBits) {
  return {attn::fully_masked_rows(parity::any_matrix(rng, 1, 6, 1, 6))};
}
PARITY(entropy, kFourUlp) { return {attn::entropy(attn::softmax(row(rng)))}; }
PARITY(entropy_rows, kFourUlp) {
  return {attn::entropy_rows(
      attn::softmax_rows(parity::any_matrix(rng, 1, 6, 1, 20)))};
}
PARITY(softmax_jacobian, kStack) {
  return {attn::softmax_jacobian(attn::softmax(row(rng)))};
}
PARITY(required_gap, kStack) {
  return {attn::required_gap(0.001 + 0.998 * rng.uniform())};
}
