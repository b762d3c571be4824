#include <attn/matrix.hpp>

#include "parity.hpp"
#include "random.hpp"

PARITY(product, kBits) {
  const auto a = random_matrix(rng, 1, 6, 1, 40);
  return {attn::product(a, attn::normal_matrix(rng, a.cols(), 3))};
}
PARITY(transpose, kBits) {
  return {attn::transpose(random_matrix(rng, 1, 6, 1, 6))};
}
PARITY(max_gap, kBits) {
  const auto a = random_matrix(rng, 1, 6, 1, 6);
  return {attn::max_gap(a, random_like(rng, a))};
}
PARITY(symmetry_gap, kBits) {
  return {attn::symmetry_gap(attn::normal_matrix(rng, 5, 5))};
}
PARITY(frobenius_norm, kBits) {
  return {attn::frobenius_norm(random_matrix(rng, 1, 6, 1, 6))};
}
PARITY(mean_row, kBits) {
  return {attn::mean_row(random_matrix(rng, 1, 9, 1, 6))};
}
PARITY(permuted_rows, kBits) {
  return {attn::permuted_rows(attn::normal_matrix(rng, 3, 4), {2, 0, 1})};
}
