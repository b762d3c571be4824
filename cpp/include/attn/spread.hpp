#pragma once

#include <vector>

namespace attn {

/// What the same measurement gave for several seeds.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< standard deviation about the mean, over all seeds
  double smallest = 0;
  double largest = 0;
};

/// @throws Error kEmptyInput, kNotFinite
Spread spread_of(const std::vector<double>& values);

}  // namespace attn
