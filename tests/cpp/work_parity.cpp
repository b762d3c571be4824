#include <attn/work.hpp>

#include "parity.hpp"

namespace {

/// Up to 2^15, so that a product of three passes 2^31 and stays under 2^53.
std::int64_t size(attn::Rng& rng) {
  const std::int64_t scale = std::int64_t{1} << rng.below(12);
  return scale * (1 + rng.below(16));
}

parity::Numbers numbers(const attn::LayerCost& c) {
  return {c.madds, c.sequential_operations, c.longest_path};
}

}  // namespace

PARITY(path_lengths, kBits) {
  const std::int64_t from = size(rng);
  const std::int64_t to = size(rng);
  const int kernel = 3 + 2 * rng.below(6);
  const auto p = attn::path_lengths(from, to, kernel, 3 + 2 * rng.below(60));
  return {static_cast<double>(p.recurrent),
          static_cast<double>(p.convolution_causal),
          static_cast<double>(p.convolution_centred),
          static_cast<double>(p.convolution_dilated),
          static_cast<double>(p.attention),
          static_cast<double>(p.restricted_attention)};
}
PARITY(compare_layers, kBits) {
  const std::int64_t n = size(rng);
  const std::int64_t d = size(rng);
  const int kernel = 3 + 2 * rng.below(6);
  const auto c = attn::compare_layers(n, d, kernel, 3 + 2 * rng.below(60));
  return {numbers(c.attention), numbers(c.recurrent), numbers(c.convolution),
          numbers(c.dilated_convolution), numbers(c.restricted_attention)};
}
PARITY(sequential_work, kBits) {
  const std::int64_t n = size(rng);
  const auto w = attn::sequential_work(n, size(rng));
  return {w.rnn_steps, w.rnn_flops, w.attention_stages, w.attention_flops,
          w.projection_flops};
}
PARITY(matvec_bound, kBits) {
  const std::int64_t batch = size(rng);
  const double peak = 1 + 1e14 * rng.uniform();
  const double bandwidth = 1 + 1e12 * rng.uniform();
  const auto b = attn::matvec_bound(batch, peak, bandwidth, 1 + rng.below(8));
  return {b.flop_per_byte, b.fraction_of_peak,
          b.limited_by_arithmetic ? 1.0 : 0.0};
}
