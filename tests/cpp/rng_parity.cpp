#include <attn/rng.hpp>

#include "parity.hpp"

namespace {

std::uint32_t seed_from(attn::Rng& rng) {
  return static_cast<std::uint32_t>(rng.uniform() * 4294967296.0);
}

}  // namespace

PARITY(uniforms, kBits) { return {attn::uniforms(seed_from(rng), 100)}; }
PARITY(normals, kFourUlp) { return {attn::normals(seed_from(rng), 100)}; }
