#include <attn/recurrent.hpp>

#include "parity.hpp"

namespace {

struct Chain {
  attn::Matrix states, w;
};

/// States inside −1 … 1.
Chain chain(attn::Rng& rng) {
  const attn::Matrix states = parity::any_matrix(rng, 1, 5, 1, 4) / 2;
  return {states, parity::matrix(rng, states.cols(), states.cols())};
}

}  // namespace

PARITY(powers, kBits) {
  const double factor = 4 * rng.uniform() - 2;
  return {attn::powers(factor, rng.below(40))};
}
PARITY(half_life, kFourUlp) {
  return {attn::half_life((1 + rng.uniform()) / 2.5)};
}
PARITY(doubling_time, kFourUlp) {
  return {attn::doubling_time(1.1 + rng.uniform())};
}
PARITY(rnn_forward, kStack) {
  const attn::Matrix x = parity::any_matrix(rng, 1, 6, 1, 3);
  const attn::Matrix w = parity::matrix(rng, 4, 4);
  const attn::Matrix u = parity::matrix(rng, 4, x.cols());
  const attn::Matrix bias = parity::matrix(rng, 1, 4);
  const attn::Matrix start = parity::matrix(rng, 1, 4);
  const auto t = attn::rnn_forward(x, w, u, bias, start);
  return {t.before, t.states};
}
PARITY(step_jacobian, kBits) {
  const int d = 1 + rng.below(6);
  const attn::Matrix w = parity::matrix(rng, d, d);
  return {attn::step_jacobian(w, parity::matrix(rng, 1, d))};
}
PARITY(matrix_powers, kBits) {
  const int d = 1 + rng.below(4);
  const attn::Matrix m = parity::matrix(rng, d, d);
  return {attn::matrix_powers(m, 1 + rng.below(9))};
}
PARITY(rnn_jacobians, kBits) {
  const auto c = chain(rng);
  const auto t = attn::rnn_jacobians(c.states, c.w);
  return {t.products, t.norms};
}
PARITY(rnn_gradient, kBits) {
  const auto c = chain(rng);
  const auto t =
      attn::rnn_gradient(c.states, c.w, parity::matrix(rng, 1, c.w.rows()));
  return {t.gradients, t.norms};
}
PARITY(spectral_norm, kBits) {
  return {attn::spectral_norm(parity::any_matrix(rng, 1, 6, 1, 6))};
}
PARITY(spectral_radius, kStack) {
  const int d = 1 + rng.below(6);
  return {attn::spectral_radius(parity::matrix(rng, d, d))};
}
PARITY(eigenvalues_2x2, kBits) {
  const auto e = attn::eigenvalues_2x2(parity::matrix(rng, 2, 2));
  return {e.real, e.imaginary};
}
PARITY(power_iteration, kBits) {
  const int d = 1 + rng.below(5);
  const attn::Matrix m = parity::matrix(rng, d, d);
  const auto t = attn::power_iteration(m, 1 + rng.below(50));
  return {t.value, t.vector, t.residual, static_cast<double>(t.steps),
          t.converged ? 1.0 : 0.0};
}
