#pragma once

#include <attn/matrix.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

/// The one source of chance: mulberry32, a 32-bit generator small enough to be
/// written in any language, so that every platform draws the same numbers from
/// the same seed. A value: copying it copies the place in the sequence.
class Rng {
 public:
  explicit Rng(std::uint32_t seed) : state_(seed) {}

  /// The next of 2^32 equally spaced numbers in [0, 1).
  double uniform();
  /// A standard normal by Box–Muller: the cosine of a pair first, its sine on
  /// the following call.
  double normal();
  /// An integer in 0 … n − 1.
  /// @throws Error kInvalidArgument unless n ≥ 1
  int below(int n);

 private:
  std::uint32_t state_;
  std::optional<double> spare_;
};

/// `count` uniforms from a fresh generator.
/// @throws Error kInvalidArgument when count < 0, kTooLarge
std::vector<double> uniforms(std::uint32_t seed, int count);
/// `count` standard normals from a fresh generator.
/// @throws Error kInvalidArgument when count < 0, kTooLarge
std::vector<double> normals(std::uint32_t seed, int count);

/// rows × cols standard normals, drawn row by row.
/// @throws Error kEmptyInput, kTooLarge
Matrix normal_matrix(Rng& rng, Index rows, Index cols);

}  // namespace attn
