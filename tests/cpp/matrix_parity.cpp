#include <attn/matrix.hpp>

#include "parity.hpp"

PARITY(product, kBits) {
  const auto a = parity::any_matrix(rng, 1, 6, 1, 40);
  return {attn::product(a, parity::matrix(rng, a.cols(), 3))};
}
PARITY(transpose, kBits) {
  return {attn::transpose(parity::any_matrix(rng, 1, 6, 1, 6))};
}
PARITY(max_gap, kBits) {
  const auto a = parity::any_matrix(rng, 1, 6, 1, 6);
  return {attn::max_gap(a, parity::matrix_like(rng, a))};
}
PARITY(symmetry_gap, kBits) {
  return {attn::symmetry_gap(parity::matrix(rng, 5, 5))};
}
PARITY(frobenius_norm, kBits) {
  return {attn::frobenius_norm(parity::any_matrix(rng, 1, 6, 1, 6))};
}
PARITY(mean_row, kBits) {
  return {attn::mean_row(parity::any_matrix(rng, 1, 9, 1, 6))};
}
PARITY(permuted_rows, kBits) {
  return {attn::permuted_rows(parity::matrix(rng, 3, 4), {2, 0, 1})};
}
