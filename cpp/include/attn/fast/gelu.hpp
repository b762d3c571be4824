#pragma once

#include <attn/fast/matrix.hpp>

namespace attn::fast {

/// x · Φ(x) of each number, Φ the normal distribution (the exact GELU).
/// @throws Error kEmptyInput, kNotFinite, kTooLarge (2^24)
Matrix gelu(const Matrix& x);

/// ½x (1 + tanh(√(2/π) (x + 0.044715 x³))), the usual approximation of it.
/// @throws Error as gelu
Matrix gelu_tanh(const Matrix& x);

}  // namespace attn::fast
