// kv_cache: step by step is the same as all at once, bit for bit.
#include <attn/error.hpp>
#include <attn/kv_cache.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>

#include "refuses.hpp"

using attn::ErrorCode;
using attn::Index;
using attn::Matrix;

TEST_CASE("for 1000 seeds: cached steps are the rows of full causal attention",
          "[kv_cache][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const Index n = 1 + rng.below(8);
    const Index d = 1 + rng.below(4);
    const Matrix q = attn::normal_matrix(rng, n, d);
    const Matrix k = attn::normal_matrix(rng, n, d);
    const Matrix v = attn::normal_matrix(rng, n, 1 + rng.below(3));
    attn::AttentionOptions causal;
    causal.causal = true;
    const auto full = attn::attention(q, k, v, causal);
    Matrix keys;
    Matrix values;
    bool holds = true;
    for (Index t = 0; t < n;) {
      const Index count = 1 + rng.below(static_cast<int>(n - t));
      const auto step =
          attn::cache_step(keys, values, q.middleRows(t, count),
                           k.middleRows(t, count), v.middleRows(t, count));
      holds = holds && step.trace.output == full.output.middleRows(t, count);
      holds = holds &&
              step.trace.weights == full.weights.block(t, 0, count, t + count);
      keys = step.keys;
      values = step.values;
      t += count;
    }
    CHECK((holds && keys == k && values == v));
  }
}

TEST_CASE("a cache that does not fit the new token is refused",
          "[kv_cache][error]") {
  const Matrix row = Matrix::Ones(1, 2);
  const auto step = [&](const Matrix& keys, const Matrix& values,
                        const Matrix& k) {
    return [=] { attn::cache_step(keys, values, row, k, row); };
  };
  CHECK(refuses(ErrorCode::kShapeMismatch, step(row, Matrix(), row)));
  CHECK(refuses(ErrorCode::kShapeMismatch, step(Matrix::Ones(1, 3), row, row)));
  CHECK(refuses(ErrorCode::kShapeMismatch, step(row, row, Matrix::Ones(2, 2))));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::cache_step({}, {}, {}, {}, {}); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    const Matrix long_cache = Matrix::Zero(1 << 21, 2);
    const Matrix token = Matrix::Zero(1, 2);
    attn::cache_step(long_cache, long_cache, token, token, token);
  }));
}
