#include <attn/flash.hpp>

#include "parity.hpp"

namespace {

struct Operands {
  attn::Matrix q, k, v;
  attn::FlashOptions options;
};

Operands operands(attn::Rng& rng) {
  Operands o;
  o.q = parity::any_matrix(rng, 1, 9, 1, 5);
  o.k = parity::matrix(rng, 7, o.q.cols());
  o.v = parity::matrix(rng, 7, o.q.cols());
  o.options.sram = 40;
  o.options.order = static_cast<attn::FlashOrder>(rng.below(2));
  o.options.mask.causal = rng.below(2) == 0;
  return o;
}

struct Size {
  int n, d;
};

/// Drawn one by one, since compilers differ in the order in which they
/// evaluate the arguments of a call.
Size size(attn::Rng& rng) {
  const int n = 1 + rng.below(300);
  return {n, 1 + rng.below(20)};
}

parity::Numbers numbers(const attn::Traffic& t) {
  return {static_cast<double>(t.reads), static_cast<double>(t.writes),
          static_cast<double>(t.extra), static_cast<double>(t.peak_tiles),
          static_cast<double>(t.peak_scratch)};
}

parity::Numbers numbers(const attn::Tally& t) {
  return {static_cast<double>(t.multiplications),
          static_cast<double>(t.additions), static_cast<double>(t.divisions),
          static_cast<double>(t.exponentials)};
}

parity::Numbers numbers(const attn::FlashBlocks& b) {
  return {static_cast<double>(b.keys), static_cast<double>(b.queries)};
}

}  // namespace

PARITY(flash_blocks, kBits) {
  const int sram = 800 + rng.below(100000);
  return numbers(attn::flash_blocks(sram, 1 + rng.below(200)));
}
PARITY(flash_backward_blocks, kBits) {
  const int sram = 1400 + rng.below(100000);
  return numbers(attn::flash_backward_blocks(sram, 1 + rng.below(200)));
}
PARITY(flash_attention, kStack) {
  const auto o = operands(rng);
  const auto t = attn::flash_attention(o.q, o.k, o.v, o.options);
  return {t.output, t.log_sum_exp};
}
PARITY(flash_attention_backward, kStack) {
  const auto o = operands(rng);
  const auto t = attn::flash_attention(o.q, o.k, o.v, o.options);
  const auto g = attn::flash_attention_backward(
      o.q, o.k, o.v, t.output, t.log_sum_exp,
      parity::matrix(rng, o.q.rows(), o.q.cols()), o.options);
  return {g.d_q, g.d_k, g.d_v};
}
PARITY(standard_attention, kStack) {
  const auto o = operands(rng);
  const auto t =
      attn::standard_attention(o.q, o.k, o.v, o.options.mask, rng.below(4));
  return {t.weights, t.output};
}
PARITY(standard_attention_backward, kStack) {
  const auto o = operands(rng);
  const auto t = attn::standard_attention(o.q, o.k, o.v, o.options.mask);
  const auto g = attn::standard_attention_backward(
      o.q, o.k, o.v, t.weights, parity::matrix(rng, o.q.rows(), o.q.cols()));
  return {g.d_q, g.d_k, g.d_v};
}
PARITY(flash_traffic, kBits) {
  const auto s = size(rng);
  const auto order = static_cast<attn::FlashOrder>(rng.below(2));
  const bool causal = rng.below(2) == 0;
  // Beyond 2^31, where an Index of WebAssembly would have wrapped.
  return {numbers(attn::flash_traffic(s.n, s.d, 200, order, causal)),
          numbers(attn::flash_traffic(1 << 16, 64, 49152,
                                      attn::FlashOrder::kKeysOutside))};
}
PARITY(flash_backward_traffic, kBits) {
  const auto s = size(rng);
  const bool causal = rng.below(2) == 0;
  return numbers(attn::flash_backward_traffic(s.n, s.d, 200, causal));
}
PARITY(standard_traffic, kBits) {
  const auto s = size(rng);
  const int passes = rng.below(4);
  return {numbers(attn::standard_traffic(s.n, s.d, passes)),
          numbers(attn::standard_traffic(100000, 64))};
}
PARITY(standard_backward_traffic, kBits) {
  const auto s = size(rng);
  return numbers(attn::standard_backward_traffic(s.n, s.d));
}
PARITY(flash_operations, kBits) {
  const auto s = size(rng);
  const auto order = static_cast<attn::FlashOrder>(rng.below(2));
  // Beyond 2^31, as above.
  return {numbers(attn::flash_operations(s.n, s.d, 200, order)),
          numbers(attn::flash_operations(1 << 14, 64, 49152, order))};
}
PARITY(flash_backward_operations, kBits) {
  const auto s = size(rng);
  return {numbers(attn::flash_backward_operations(s.n, s.d, 200)),
          numbers(attn::flash_backward_operations(1 << 14, 64, 49152))};
}
PARITY(standard_operations, kBits) {
  const auto s = size(rng);
  return {numbers(attn::standard_operations(s.n, s.d, rng.below(4))),
          numbers(attn::standard_operations(1 << 14, 64))};
}
PARITY(standard_backward_operations, kBits) {
  const auto s = size(rng);
  return {numbers(attn::standard_backward_operations(s.n, s.d)),
          numbers(attn::standard_backward_operations(1 << 14, 64))};
}
PARITY(flash_traffic_order, kBits) {
  const auto s = size(rng);
  return {attn::flash_traffic_order(s.n, s.d, 1 + rng.below(90000))};
}
