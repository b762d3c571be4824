#include <attn/performer.hpp>

#include "parity.hpp"

namespace {

struct Operands {
  attn::Matrix x, y, omega;
  attn::FeatureKind kind;
};

/// Rows of x and y of length 1 or so, where features neither vanish nor soar.
Operands operands(attn::Rng& rng, int rows) {
  Operands o;
  o.x = parity::any_matrix(rng, rows, rows, 1, 4) * 0.5;
  o.y = parity::matrix(rng, rows, o.x.cols()) * 0.5;
  o.omega = parity::matrix(rng, 5, o.x.cols());
  o.kind = static_cast<attn::FeatureKind>(rng.below(3));
  return o;
}

}  // namespace

PARITY(random_features, kStack) {
  const auto o = operands(rng, 3);
  return {attn::random_features(o.x, o.omega, o.kind)};
}
PARITY(gaussian_omega, kFourUlp) {
  const int features = 1 + rng.below(9);
  return {attn::gaussian_omega(features, 1 + rng.below(5), 3)};
}
PARITY(orthogonal_omega, kStack) {
  const int features = 1 + rng.below(9);
  return {attn::orthogonal_omega(features, 1 + rng.below(5), 3)};
}
PARITY(gram_schmidt, kBits) {
  return {attn::gram_schmidt(parity::any_matrix(rng, 2, 2, 4, 6))};
}
PARITY(kernel_estimate, kStack) {
  const auto o = operands(rng, 1);
  const auto e = attn::kernel_estimate(o.x, o.y, o.omega, o.kind);
  return {e.exact, e.estimate};
}
PARITY(kernel_expectation, kStack) {
  const auto o = operands(rng, 1);
  return {attn::kernel_expectation(o.x, o.y, o.kind)};
}
PARITY(kernel_deviation, kStack) {
  const auto o = operands(rng, 1);
  return {attn::kernel_deviation(o.x, o.y, 1 + rng.below(64), o.kind)};
}
PARITY(kernel_mse, kStack) {
  const auto o = operands(rng, 1);
  const auto m = attn::kernel_mse(o.x, o.y, 4);
  return {m.exact,    m.norm2_sum,  m.norm2_difference,
          m.positive, m.hyperbolic, m.trigonometric};
}
PARITY(relative_deviation, kFourUlp) {
  const double norm2 = 20 * rng.uniform();
  return {attn::relative_deviation(norm2, 1 + rng.below(512))};
}
PARITY(features_needed, kFourUlp) {
  const double norm2 = rng.uniform() * 9;
  return {attn::features_needed(norm2, 0.01 + rng.uniform())};
}
PARITY(measure_kernel, kStack) {
  const auto o = operands(rng, 1);
  const auto m =
      attn::measure_kernel(o.x, o.y, 6, o.kind, rng.below(2) == 0, 20, 1);
  return {m.exact, m.mean, m.bias, m.variance, m.mse, m.standard_error};
}
PARITY(performer_attention, kStack) {
  auto o = operands(rng, 4);
  // Trigonometric normalisers come near 0, where no accuracy is left.
  if (o.kind == attn::FeatureKind::kTrigonometric)
    o.kind = attn::FeatureKind::kHyperbolic;
  const auto t = parity::InOrder{attn::performer_attention, o.x,     o.y,
                                 parity::matrix(rng, 4, 2), o.omega, o.kind,
                                 rng.below(2) == 0}
                     .result;
  return {t.normaliser, t.output, t.key_values, t.key_sum};
}
PARITY(performer_errors, kStack) {
  auto o = operands(rng, 4);
  if (o.kind == attn::FeatureKind::kTrigonometric)
    o.kind = attn::FeatureKind::kHyperbolic;
  const auto v = parity::matrix(rng, 4, 2);
  const bool orthogonal = rng.below(2) == 0;
  const auto s =
      attn::performer_errors(o.x, o.y, v, 6, o.kind, orthogonal, 5,
                             1 + static_cast<unsigned>(rng.below(9)));
  return {s.mean, s.deviation, s.smallest, s.largest};
}
PARITY(performer_quadratic, kStack) {
  auto o = operands(rng, 4);
  if (o.kind == attn::FeatureKind::kTrigonometric)
    o.kind = attn::FeatureKind::kPositive;
  const auto t = parity::InOrder{attn::performer_quadratic, o.x,     o.y,
                                 parity::matrix(rng, 4, 2), o.omega, o.kind,
                                 rng.below(2) == 0}
                     .result;
  return {t.kernel, t.normaliser, t.output};
}
PARITY(performer_operations, kBits) {
  const int n = 1 + rng.below(20);
  const int features = 1 + rng.below(9);
  const int d_v = 1 + rng.below(5);
  const auto t =
      attn::performer_operations(n, features, d_v, rng.below(2) == 0);
  return {static_cast<double>(t.linear.multiplications),
          static_cast<double>(t.linear.additions),
          static_cast<double>(t.quadratic.multiplications),
          static_cast<double>(t.quadratic.additions)};
}
