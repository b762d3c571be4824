#include <attn/alibi.hpp>
#include <attn/error.hpp>
#include <attn/sinusoidal.hpp>
#include <cmath>
#include <museum/positions.hpp>
#include <string>

namespace attn::museum {

// #region sinusoidal_by_parity
Matrix sinusoidal_by_parity(const std::vector<double>& positions, Index d,
                            double base) {
  Matrix table = sinusoidal_positions(positions, d, base);
  for (Index p = 0; p < table.rows(); ++p) {
    const double place = positions[static_cast<size_t>(p)];
    if (place != std::floor(place))
      throw Error(ErrorCode::kInvalidArgument,
                  "place " + std::to_string(p + 1) + " is no whole number");
    const Index kept = std::fmod(place, 2) == 0 ? 0 : 1;
    for (Index i = 0; i < d; i += 2)
      table(p, i + 1 - kept) = table(p, i + kept);
  }
  return table;
}
// #endregion sinusoidal_by_parity

// #region rotate_across_heads
Matrix rotate_across_heads(const Matrix& x,
                           const std::vector<double>& positions,
                           const Rotary& rotary) {
  return rotate(x, positions, rotary);
}
// #endregion rotate_across_heads

// #region alibi_slopes_one_formula
std::vector<double> alibi_slopes_one_formula(Index heads) {
  return alibi_slopes(heads, AlibiSlopes::kPaper);
}
// #endregion alibi_slopes_one_formula

}  // namespace attn::museum
