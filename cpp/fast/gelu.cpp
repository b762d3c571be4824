#include <attn/fast/gelu.hpp>

#include "checks.hpp"
#include "exp2.hpp"

namespace attn::fast {
namespace {

template <class F>
Matrix mapped(const Matrix& x, F&& f) {
  require_valid("x", x);
  Matrix y(x.rows, x.cols);
  transform(x.row(0), y.row(0), x.rows * x.cols,
            [&](Index, Lanes v) { return f(v); });
  return y;
}

/// 1 − Φ(x) for x ≥ 0, to 1e-5 of itself also where it is tiny: ½ erfc(x/√2)
/// by t · exp(−x²/2 + polynomial in t), t = 1/(1 + x/√8), whose own error is
/// 1.2e-7 (Press et al., Numerical Recipes, "erfcc").
class NormalTail {
 public:
  Lanes operator()(Lanes x) const {
    // Beyond 32 all is 0, and squares stay finite.
    x = -larger(-x, all(-32));
    const Lanes t = 1 / (1 + 0.35355339F * x);
    Lanes p = all(0.17087277F);
    for (const float c :
         {-0.82215223F, 1.48851587F, -1.13520398F, 0.27886807F, -0.18628806F,
          0.09678418F, 0.37409196F, 1.00002368F, -1.26551223F})
      p = multiply_add(p, t, all(c));
    // x to 1/16, whose square is exact, and the rest: an error in a large
    // exponent is a relative error of the result.
    const Lanes coarse = (x + kSixteenths) - kSixteenths;
    const Lanes fine = (x - coarse) * (x + coarse);
    constexpr float kHalf = 0.5F * kLog2E;
    return 0.5F * t *
           exp2_(p * kLog2E - fine * kHalf - coarse * coarse * kHalf);
  }

 private:
  static constexpr float kSixteenths = 786432;  // 1.5 · 2^19
  Exp2 exp2_;
};

}  // namespace

Matrix gelu(const Matrix& x) {
  const NormalTail tail;
  return mapped(x, [&](Lanes v) {
    const Lanes beyond = tail(magnitude(v));
    return v * chosen(v < 0, beyond, 1 - beyond);
  });
}

// ½ (1 + tanh u) = 1 / (1 + e^(−2u)), from e^(−2|u|), which cannot overflow.
Matrix gelu_tanh(const Matrix& x) {
  const Exp2 exp2;
  return mapped(x, [&](Lanes v) {
    const Lanes u = 0.79788456F * (v + 0.044715F * v * v * v);
    const Lanes e = exp2(magnitude(u) * (-2 * kLog2E));
    return v * chosen(v < 0, e, all(1)) / (1 + e);
  });
}

}  // namespace attn::fast
