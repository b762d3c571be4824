#pragma once

#include <attn/fast/matrix.hpp>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/// Four floats at a time by the compilers' vector extensions: one source for
/// SSE, NEON and WebAssembly. All are inlined by force, since compilers that
/// look at size would call them. The few operations that WebAssembly names
/// better than the extensions do are the only branches on the platform.
namespace attn::fast {

inline constexpr Index kWidth = 4;
using Lanes __attribute__((vector_size(16))) = float;
using Ints __attribute__((vector_size(16))) = std::int32_t;   // of a comparison
using Bits __attribute__((vector_size(16))) = std::uint32_t;  // may wrap around

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kLog2E = 1.44269504F;
#if defined(__wasm_relaxed_simd__)
inline constexpr bool kFused = true;  // multiply_add is one instruction
#else
inline constexpr bool kFused = false;
#endif

[[gnu::always_inline]] inline Lanes load(const float* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

[[gnu::always_inline]] inline void store(float* p, Lanes v) {
  std::memcpy(p, &v, sizeof v);
}

[[gnu::always_inline]] inline Lanes all(float x) { return Lanes{x, x, x, x}; }

[[gnu::always_inline]] inline Lanes splat(const float* p) {
#if defined(__wasm_simd128__)
  return (Lanes)wasm_v128_load32_splat(p);
#else
  return all(*p);
#endif
}

/// `a` where `b` is NaN: one instruction everywhere, unlike a max that must
/// pass NaN on.
[[gnu::always_inline]] inline Lanes larger(Lanes a, Lanes b) {
#if defined(__wasm_simd128__)
  return (Lanes)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
#else
  return a < b ? b : a;
#endif
}

/// a·b + c, rounded once where the machine has such an instruction.
[[gnu::always_inline]] inline Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#if !defined(__wasm_relaxed_simd__)
  return a * b + c;
#elif __clang_major__ < 16
  // The opcode of an early draft, which tools/relax.mts replaces.
  return (Lanes)__builtin_wasm_fma_f32x4(a, b, c);
#else
  return (Lanes)__builtin_wasm_relaxed_madd_f32x4(a, b, c);
#endif
}

[[gnu::always_inline]] inline Lanes chosen(Ints where, Lanes yes, Lanes no) {
  return (Lanes)(((Ints)yes & where) | ((Ints)no & ~where));
}

[[gnu::always_inline]] inline Lanes magnitude(Lanes v) { return larger(v, -v); }

/// Four rows become four columns, in place.
[[gnu::always_inline]] inline void transpose(Lanes (&at)[4]) {
  const Lanes ab_low = __builtin_shufflevector(at[0], at[1], 0, 4, 1, 5);
  const Lanes ab_high = __builtin_shufflevector(at[0], at[1], 2, 6, 3, 7);
  const Lanes cd_low = __builtin_shufflevector(at[2], at[3], 0, 4, 1, 5);
  const Lanes cd_high = __builtin_shufflevector(at[2], at[3], 2, 6, 3, 7);
  at[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  at[1] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  at[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  at[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline float sum_of(Lanes v) {
  return (v[0] + v[1]) + (v[2] + v[3]);
}

[[gnu::always_inline]] inline float largest_of(Lanes v) {
  const float a = v[0] < v[1] ? v[1] : v[0];
  const float b = v[2] < v[3] ? v[3] : v[2];
  return a < b ? b : a;
}

/// `count` < 4 floats, the other lanes `rest`.
[[gnu::always_inline]] inline Lanes load_part(const float* p, Index count,
                                              float rest) {
  Lanes v = all(rest);
  std::memcpy(&v, p, static_cast<std::size_t>(count) * sizeof(float));
  return v;
}

[[gnu::always_inline]] inline void store_part(float* p, Index count, Lanes v) {
  std::memcpy(p, &v, static_cast<std::size_t>(count) * sizeof(float));
}

/// Calls f(p, lanes) for each four of `count` floats and once for what is left,
/// padded with `rest`; `f` returns what to put in their place.
template <class F>
void transform(const float* from, float* to, Index count, F&& f) {
  Index i = 0;
  for (; i + kWidth <= count; i += kWidth) store(to + i, f(i, load(from + i)));
  if (i < count)
    store_part(to + i, count - i, f(i, load_part(from + i, count - i, 0)));
}

}  // namespace attn::fast
