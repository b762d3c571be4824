#include <attn/probe.hpp>

#include "parity.hpp"

namespace {

std::vector<int> labels(attn::Rng& rng, attn::Index n) {
  std::vector<int> out;
  for (attn::Index i = 0; i < n; ++i) out.push_back(rng.below(3));
  return out;
}

}  // namespace

PARITY(probe_gradient, kStack) {
  const auto x = parity::any_matrix(rng, 1, 6, 2, 2);
  const attn::LinearProbe p{parity::matrix(rng, 2, 3), {0, 0.5, 1}};
  const auto g = attn::probe_gradient(p, x, labels(rng, x.rows()));
  return {g.loss, g.accuracy, g.d_w, g.d_b};
}
PARITY(train_linear_probe, kStack) {
  const auto x = parity::any_matrix(rng, 2, 6, 2, 4);
  const auto run =
      attn::train_linear_probe(x, labels(rng, x.rows()), 3, 5, 0.2);
  return {run.probe.w, run.probe.b, run.history.loss};
}
PARITY(train_mlp_probe, kStack) {
  const auto x = parity::any_matrix(rng, 2, 6, 2, 4);
  const auto run =
      attn::train_mlp_probe(x, labels(rng, x.rows()), 3, 4, 7, 5, 0.1);
  return {run.probe.w1, run.probe.w2, run.history.loss};
}
PARITY(control_labels, kBits) {
  const auto types = labels(rng, 20);
  const auto seed = static_cast<unsigned>(rng.below(1000));
  return {attn::control_labels(types, 4, seed)};
}
PARITY(selectivity, kBits) {
  return {
      parity::InOrder{attn::selectivity, rng.uniform(), rng.uniform()}.result};
}
PARITY(scalar_mix, kStack) {
  const auto layers = parity::any_matrix(rng, 4, 4, 1, 6);
  const auto m = attn::scalar_mix(layers, {0, 1, rng.uniform(), 2}, 1.5);
  return {m.weights, m.mixed, m.center_of_gravity};
}
PARITY(expected_layer, kBits) {
  const auto e = attn::expected_layer({0.5, 0.5 + rng.uniform(), 1.75});
  return {e.gains, e.layer};
}
