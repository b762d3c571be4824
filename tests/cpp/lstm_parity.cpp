#include <attn/lstm.hpp>

#include "parity.hpp"

namespace {

struct Run {
  attn::LstmWeights weights;
  attn::LstmTrace trace;
};

Run run(attn::Rng& rng) {
  constexpr int kWidth = 3;
  const attn::Matrix x = parity::any_matrix(rng, 1, 5, 1, 4);
  Run r;
  r.weights.input = parity::matrix(rng, 4 * kWidth, x.cols());
  r.weights.state = parity::matrix(rng, 4 * kWidth, kWidth);
  r.weights.bias = parity::matrix(rng, 1, 4 * kWidth);
  const attn::Matrix state = parity::matrix(rng, 1, kWidth) / 2;
  const attn::Matrix cell = parity::matrix(rng, 1, kWidth);
  r.trace = attn::lstm_forward(x, r.weights, state, cell);
  return r;
}

}  // namespace

PARITY(lstm_forward, kStack) {
  const auto t = run(rng).trace;
  return {t.input_gate,  t.forget_gate, t.candidate,
          t.output_gate, t.cells,       t.states};
}
PARITY(lstm_jacobian, kStack) {
  const auto r = run(rng);
  const auto tokens = static_cast<int>(r.trace.input_gate.rows());
  return {attn::lstm_jacobian(r.trace, r.weights.state, rng.below(tokens))};
}
PARITY(lstm_paths, kStack) {
  const auto r = run(rng);
  const auto p = attn::lstm_paths(r.trace, r.weights.state);
  return {p.forget_path, p.full, p.norms};
}
PARITY(forget_path, kBits) {
  const attn::Matrix m = parity::any_matrix(rng, 1, 9, 1, 4);
  return {attn::forget_path(m.cwiseAbs() / 2)};
}
