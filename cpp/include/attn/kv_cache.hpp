#pragma once

#include <attn/attention.hpp>
#include <attn/matrix.hpp>

namespace attn {

/// The cache after one step, and what the new tokens saw.
struct CacheStep {
  Matrix keys;    ///< (t + n) × d, the earlier keys and then the new ones
  Matrix values;  ///< (t + n) × d_v
  AttentionTrace trace;  ///< n × (t + n): the new rows alone
};

/// Causal attention of n new tokens over t remembered ones. What comes out is,
/// bit for bit, the last n rows of causal attention over all t + n tokens: the
/// earlier keys and values never change, so they need not be made again. The
/// cache is a pair of values that the caller keeps; it starts as 0 × 0.
///
/// @param keys    t × d, @param values  t × d_v: the cache so far
/// @param q  n × d, @param k  n × d, @param v  n × d_v: the new tokens
/// @throws Error as attention
CacheStep cache_step(const Matrix& keys, const Matrix& values, const Matrix& q,
                     const Matrix& k, const Matrix& v);

}  // namespace attn
