#pragma once

#include <attn/error.hpp>
#include <attn/matrix.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "arguments.hpp"

// Checks that sinusoidal and rotary positions share: private to the library.
namespace attn {

/// Beyond this, pos·ω has fewer than seven correct digits after the point.
inline constexpr double kFarthestPosition = 2147483648.0;

inline void require_pairs(Index d, double base) {
  require_count("d", d, 2, kReferenceLimit);
  if (d % 2 != 0)
    throw Error(ErrorCode::kInvalidArgument,
                "d is " + std::to_string(d) + ", which is odd");
  require_finite_number("base", base);
  if (base < 1) throw Error(ErrorCode::kInvalidArgument, "base is below 1");
}

inline void require_position(const char* name, double position) {
  require_finite_number(name, position);
  if (std::abs(position) > kFarthestPosition)
    throw Error(ErrorCode::kInvalidArgument,
                std::string(name) + " is beyond 2^31");
}

/// Returns n, the number of positions, when an n × d matrix is allowed.
inline Index require_positions(const std::vector<double>& positions, Index d) {
  require_finite_list("positions", positions);
  for (const double p : positions) require_position("a position", p);
  const auto n = static_cast<Index>(positions.size());
  require_size("the table", n, d);
  return n;
}

}  // namespace attn
