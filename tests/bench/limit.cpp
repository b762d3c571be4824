// What SIMD allows in the engine at hand: the micro-kernel of the fast layer,
// in several shapes, on operands that stay in the first-level cache. `npm run
// bench` gives the kernels' speed as a share of the best of these.
#include <array>

#include "../../cpp/fast/block.hpp"

namespace {

using attn::fast::Index;
using attn::fast::kWidth;

constexpr Index kSteps = 64;

template <Index kR, Index kV>
double run(double times) {
  alignas(64) static std::array<float, kR * kSteps> a;
  alignas(64) static std::array<float, kV * kWidth * kSteps> b;
  alignas(64) static std::array<float, kR * kV * kWidth> c;
  // Pages that were never written are all one page of zeros.
  a.fill(1e-3F);
  b.fill(1e-3F);
  c.fill(0);
  for (double i = 0; i < times; ++i)
    attn::fast::accumulate_blocks<1, kR, kV>(a.data(), kR, b.data(),
                                             kV * kWidth, c.data(), kV * kWidth,
                                             kR, kV * kWidth, kSteps);
  return 2.0 * kR * kV * kWidth * kSteps * times;
}

}  // namespace

/// Each returns how many additions and multiplications it did.
extern "C" {
[[gnu::used, gnu::visibility("default")]] double limit_4x2(double times) {
  return run<4, 2>(times);
}
[[gnu::used, gnu::visibility("default")]] double limit_5x2(double times) {
  return run<5, 2>(times);
}
[[gnu::used, gnu::visibility("default")]] double limit_6x2(double times) {
  return run<6, 2>(times);
}
[[gnu::used, gnu::visibility("default")]] double limit_3x3(double times) {
  return run<3, 3>(times);
}
[[gnu::used, gnu::visibility("default")]] double limit_2x4(double times) {
  return run<2, 4>(times);
}
}
