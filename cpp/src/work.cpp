#include <algorithm>
#include <attn/convolution.hpp>
#include <attn/error.hpp>
#include <attn/work.hpp>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "arguments.hpp"

namespace attn {
namespace {

void require_odd_width(const char* name, std::int64_t width) {
  require_count(name, width, 3, kCountLimit);
  if (width % 2 == 0)
    throw Error(ErrorCode::kInvalidArgument, std::string(name) + " is " +
                                                 std::to_string(width) +
                                                 ": it has no middle");
}

// The product of whole numbers, exact or refused.
double count(std::initializer_list<std::int64_t> factors) {
  std::int64_t product = 1;
  for (const std::int64_t f : factors)
    product = checked_product("the count", product, f);
  return static_cast<double>(product);
}

}  // namespace

// #region path_lengths
PathLengths path_lengths(std::int64_t from, std::int64_t to,
                         std::int64_t kernel, std::int64_t window) {
  require_count("from", from, 0, kCountLimit / 2);
  require_count("to", to, 0, kCountLimit / 2);
  require_odd_width("kernel", kernel);
  require_odd_width("window", window);
  const std::int64_t distance = std::abs(from - to);
  return {distance,
          contiguous_layers(distance, kernel, Padding::kCausal),
          contiguous_layers(distance, kernel, Padding::kCentred),
          dilated_layers(distance, kernel, Padding::kCausal),
          std::min<std::int64_t>(distance, 1),
          contiguous_layers(distance, window, Padding::kCentred)};
}
// #endregion path_lengths

LayerComparison compare_layers(std::int64_t n, std::int64_t d,
                               std::int64_t kernel, std::int64_t window) {
  require_count("n", n, 1, kCountLimit / 2);
  require_count("d", d, 1, kCountLimit);
  const PathLengths path = path_lengths(0, n - 1, kernel, window);
  const auto longest = [](std::int64_t p) { return static_cast<double>(p); };
  const double taps = count({std::min(kernel, n), n, d, d});
  return {{count({n, n, d}), 1, longest(path.attention)},
          {count({n, d, d}), longest(n), longest(path.recurrent)},
          {taps, 1, longest(path.convolution_causal)},
          {taps, 1, longest(path.convolution_dilated)},
          {count({std::min(window, n), n, d}), 1,
           longest(path.restricted_attention)}};
}

// #region sequential_work
SequentialWork sequential_work(std::int64_t n, std::int64_t d) {
  require_count("n", n, 1, kCountLimit);
  require_count("d", d, 1, kCountLimit);
  return {count({n}), count({4, n, d, d}), 3, count({4, n, n, d}),
          count({8, n, d, d})};
}
// #endregion sequential_work

// #region matvec_bound
MatvecBound matvec_bound(std::int64_t batch, double peak, double bandwidth,
                         double bytes_per_weight) {
  require_count("batch", batch, 1, std::int64_t{1} << 31);
  require_positive("peak", peak);
  require_positive("bandwidth", bandwidth);
  require_positive("bytes_per_weight", bytes_per_weight);
  const double intensity = 2 * static_cast<double>(batch) / bytes_per_weight;
  const double reach = intensity * bandwidth / peak;
  require_no_overflow("the bound", reach);
  return {intensity, std::min(1.0, reach), reach >= 1};
}
// #endregion matvec_bound

}  // namespace attn
