#pragma once

#include <attn/fast/attention.hpp>

#include "rows.hpp"

namespace attn::fast {

inline constexpr Index kWidest = 256;

/// n queries, m keys, h heads, width d of queries and keys, d_v of values.
struct AttentionSizes {
  Index n, m, h, d, d_v;
  HeadLayout layout = HeadLayout::kSideBySide;

  /// What belongs to one head of an operand, which may be const.
  template <class M>
  [[nodiscard]] auto rows_of(M& operand, Index head) const {
    const bool stacked = layout == HeadLayout::kStacked;
    const Index first =
        stacked ? operand.rows / h * operand.cols : operand.cols / h;
    return RowsOf<decltype(operand.row(0))>{operand.row(0) + head * first,
                                            operand.cols};
  }
};

/// @throws Error kInvalidArgument for what a head of `name` cannot be
void require_width(const char* name, Index width);

/// Checks all that `attention` refuses before it begins.
AttentionSizes checked_sizes(const Matrix& q, const Matrix& k, const Matrix& v,
                             const AttentionOptions& options);

}  // namespace attn::fast
