#include <attn/error.hpp>
#include <attn/learned_position.hpp>
#include <cstdint>
#include <string>

#include "arguments.hpp"

namespace attn {

// #region learned_lookup
Matrix learned_lookup(const Matrix& table, const std::vector<int>& positions) {
  require_valid("table", table);
  if (positions.empty())
    throw Error(ErrorCode::kEmptyInput, "positions is empty");
  const auto n = static_cast<Index>(positions.size());
  require_size("the rows", n, table.cols());
  Matrix rows(n, table.cols());
  for (Index i = 0; i < n; ++i) {
    const Index place = positions[static_cast<size_t>(i)];
    require_between("a position", place, 0, table.rows() - 1);
    rows.row(i) = table.row(place);
  }
  return rows;
}
// #endregion learned_lookup

// #region interpolate_positions
Matrix interpolate_positions(const Matrix& table, Index length) {
  require_valid("table", table);
  require_count("length", length, 1, kReferenceLimit);
  require_size("the rows", length, table.cols());
  Matrix rows(length, table.cols());
  const std::int64_t gaps = length > 1 ? length - 1 : 1;
  for (Index i = 0; i < length; ++i) {
    const std::int64_t reached = std::int64_t{i} * (table.rows() - 1);
    const auto below = static_cast<Index>(reached / gaps);
    const Index above = below + (reached % gaps != 0 ? 1 : 0);
    const double share =
        static_cast<double>(reached % gaps) / static_cast<double>(gaps);
    for (Index j = 0; j < table.cols(); ++j)
      rows(i, j) = (1 - share) * table(below, j) + share * table(above, j);
  }
  return rows;
}
// #endregion interpolate_positions

Matrix learned_positions(const Matrix& table, Index length,
                         BeyondTable beyond) {
  require_valid("table", table);
  require_count("length", length, 1, kReferenceLimit);
  if (length <= table.rows()) return table.topRows(length);
  if (beyond == BeyondTable::kInterpolate)
    return interpolate_positions(table, length);
  throw Error(ErrorCode::kInvalidArgument,
              "the table ends at place " + std::to_string(table.rows() - 1) +
                  ", before place " + std::to_string(length - 1));
}

}  // namespace attn
