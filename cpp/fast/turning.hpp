#pragma once

#include <attn/fast/attention.hpp>
#include <vector>

namespace attn::fast {

/// Complex numbers of length 1, one a pair.
struct Units {
  std::vector<double> cos, sin;
};

/// Turns one row after another, each at the next place (rotary positions). The
/// angles advance by a product of unit complex numbers in double, so that no
/// table grows with the places: after 2^24 of them the error is under 1e-8, at
/// a position_scale up to 1.
class Turning {
 public:
  Turning(const Rotary& rotary, Index d);

  /// The next row is the one at `place`.
  void go_to(Index place) noexcept;
  [[nodiscard]] static std::size_t bytes(Index d) {
    return static_cast<std::size_t>(d / 2 * 4) * sizeof(double);
  }
  /// `y` gets the row in the half-split order, whatever the layout of `x`:
  /// a product of two rows does not depend on the order of their columns.
  void turn(const float* x, float* __restrict y) noexcept;
  /// The other way: `y`, in half-split order, turned back into `x`.
  void turn_back(const float* y, float* __restrict x) noexcept;

 private:
  template <Index kStep>
  void turn_pairs(const float* x, float* __restrict y) const noexcept;
  void advance() noexcept;

  Index pairs_;
  // The pair i of a row is at i·step_ and i·step_ + second_.
  Index step_;
  Index second_;
  Units at_;       // the current place
  Units step_by_;  // from one place to the next
};

}  // namespace attn::fast
