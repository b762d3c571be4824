#include <algorithm>
#include <attn/error.hpp>
#include <attn/spread.hpp>
#include <cmath>

namespace attn {

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) throw Error(ErrorCode::kEmptyInput, "no measurement");
  Spread s;
  s.smallest = s.largest = values.front();
  double squares = 0;
  double seen = 0;
  for (const double value : values) {
    if (!std::isfinite(value))
      throw Error(ErrorCode::kNotFinite, "a measurement is not finite");
    // Welford's running mean: no difference of large sums.
    const double step = value - s.mean;
    seen += 1;
    s.mean += step / seen;
    squares += step * (value - s.mean);
    s.smallest = std::min(s.smallest, value);
    s.largest = std::max(s.largest, value);
  }
  s.deviation = std::sqrt(squares / seen);
  return s;
}

}  // namespace attn
