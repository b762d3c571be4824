#include <attn/convolution.hpp>

#include "parity.hpp"

namespace {

attn::Padding padding(attn::Rng& rng) {
  return static_cast<attn::Padding>(rng.below(2));
}

/// Up to 2^50, far beyond an Index of WebAssembly.
std::int64_t distance(attn::Rng& rng) {
  const std::int64_t scale = std::int64_t{1} << rng.below(45);
  return scale * rng.below(32);
}

parity::Numbers numbers(const std::vector<std::int64_t>& list) {
  parity::Numbers out;
  for (const auto x : list) out.add(static_cast<double>(x));
  return out;
}

}  // namespace

PARITY(convolution, kBits) {
  const attn::Matrix x = parity::any_matrix(rng, 1, 9, 1, 4);
  const int taps = 1 + 2 * rng.below(3);
  const attn::Matrix kernel = parity::matrix(rng, taps * x.cols(), 3);
  const int dilation = 1 + rng.below(4);
  return {attn::convolution(x, kernel, taps, dilation, padding(rng))};
}
PARITY(receptive_field, kBits) {
  const int taps = 1 + rng.below(9);
  std::vector<std::int64_t> dilations;
  for (int layer = 0; layer < 5; ++layer)
    dilations.push_back(1 + distance(rng) / 64);
  return {static_cast<double>(attn::receptive_field(taps, dilations))};
}
PARITY(full_dilations, kBits) {
  const int taps = 2 + rng.below(6);
  return numbers(attn::full_dilations(taps, 1 + rng.below(18)));
}
PARITY(contiguous_layers, kBits) {
  const std::int64_t gap = distance(rng);
  const int taps = 3 + 2 * rng.below(4);
  return {
      static_cast<double>(attn::contiguous_layers(gap, taps, padding(rng)))};
}
PARITY(dilated_layers, kBits) {
  const std::int64_t gap = distance(rng);
  const int taps = 3 + 2 * rng.below(4);
  return {static_cast<double>(attn::dilated_layers(gap, taps, padding(rng)))};
}
