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

/// erfc(z) for z ≥ 0 to 1.2e-7 of itself, also where it is tiny (Press et al.,
/// Numerical Recipes, "erfcc"): t · exp(−z² + polynomial in t), t = 1/(1 + z/2).
class Erfc {
 public:
  Lanes operator()(Lanes z) const {
    const Lanes t = 1 / (1 + 0.5F * z);
    Lanes p = all(0.17087277F);
    for (const float c : {-0.82215223F, 1.48851587F, -1.13520398F, 0.27886807F,
                          -0.18628806F, 0.09678418F, 0.37409196F, 1.00002368F,
                          -1.26551223F})
      p = multiply_add(p, t, all(c));
    return t * exp2_((p - z * z) * kLog2E);
  }

 private:
  Exp2 exp2_;
};

}  // namespace

Matrix gelu(const Matrix& x) {
  const Erfc erfc;
  return mapped(x, [&](Lanes v) {
    const Lanes half = 0.5F * erfc(magnitude(v) * 0.70710678F);
    return v * chosen(v < 0, half, 1 - half);
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
