#pragma once

#include <attn/fast/attention.hpp>

namespace attn::fast {

inline constexpr Index kWidest = 256;

/// n queries, m keys, h heads, width d of queries and keys, d_v of values.
struct AttentionSizes {
  Index n, m, h, d, d_v;
};

/// Checks all that `attention` refuses before it begins.
AttentionSizes checked_sizes(const Matrix& q, const Matrix& k, const Matrix& v,
                             const AttentionOptions& options);

}  // namespace attn::fast
