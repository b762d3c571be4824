#pragma once

#include "simd.hpp"

namespace attn::fast {

/// Defined elsewhere so that the compiler must load them: newer V8 builds a
/// vector constant anew at each use, also inside a loop, at twice the price.
// NOLINTNEXTLINE(modernize-avoid-c-arrays)
extern const float kExp2Table[8][kWidth];

/// Loaded once before a loop, so that they stay in registers.
struct Exp2 {
  Lanes lowest = load(kExp2Table[0]);
  Lanes rounder = load(kExp2Table[1]);
  Lanes c5 = load(kExp2Table[2]);
  Lanes c4 = load(kExp2Table[3]);
  Lanes c3 = load(kExp2Table[4]);
  Lanes c2 = load(kExp2Table[5]);
  Lanes c1 = load(kExp2Table[6]);
  Lanes c0 = load(kExp2Table[7]);

  /// 2^x for x up to about 0, to 2e-7 of itself; exactly 0 below −125, −∞
  /// included, so that what is hidden has no weight at all. NaN stays NaN.
  [[nodiscard, gnu::always_inline]] Lanes operator()(Lanes x) const {
    const Ints vanishes = x < lowest;
    // The sum holds round(x) in its lowest bits; what is left is in [−½, ½].
    const Lanes whole = x + rounder;
    const Lanes part = x - (whole - rounder);
    Lanes p = multiply_add(part, c5, c4);
    p = multiply_add(p, part, c3);
    p = multiply_add(p, part, c2);
    p = multiply_add(p, part, c1);
    p = multiply_add(p, part, c0);
    const Bits power = (Bits)p + ((Bits)whole << 23);
    return (Lanes)(power & ~(Bits)vanishes);
  }
};

}  // namespace attn::fast
