#pragma once

#include <attn/error.hpp>
#include <attn/matrix.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

// Checks of arguments that are single numbers or lists: private to the library.
namespace attn {

/// Up to here every whole number is a double, so JavaScript counts exactly.
inline constexpr std::int64_t kCountLimit = std::int64_t{1} << 53;

inline void require_finite_number(const char* name, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::kNotFinite, std::string(name) + " is not finite");
}

inline void require_positive(const char* name, double value) {
  require_finite_number(name, value);
  if (value <= 0)
    throw Error(ErrorCode::kInvalidArgument,
                std::string(name) + " is not above 0");
}

/// @throws Error kInvalidArgument unless low ≤ value ≤ high
inline void require_between(const char* name, std::int64_t value,
                            std::int64_t low, std::int64_t high) {
  if (value < low || value > high)
    throw Error(ErrorCode::kInvalidArgument,
                std::string(name) + " is " + std::to_string(value) +
                    ", outside " + std::to_string(low) + " to " +
                    std::to_string(high));
}

/// A count: below `low` is a mistake, over `high` is too large.
inline void require_count(const char* name, std::int64_t value,
                          std::int64_t low, std::int64_t high) {
  if (value < low)
    throw Error(ErrorCode::kInvalidArgument,
                std::string(name) + " is " + std::to_string(value) +
                    ", below " + std::to_string(low));
  if (value > high)
    throw Error(ErrorCode::kTooLarge, std::string(name) + " is " +
                                          std::to_string(value) + ", over " +
                                          std::to_string(high));
}

/// @throws Error kTooLarge unless a · b ≤ kCountLimit, for a ≥ 0, b ≥ 1; the
/// product otherwise
inline std::int64_t checked_product(const char* name, std::int64_t a,
                                    std::int64_t b) {
  if (a > kCountLimit / b)
    throw Error(ErrorCode::kTooLarge, std::string(name) + " is over 2^53");
  return a * b;
}

inline void require_finite_list(const char* name,
                                const std::vector<double>& list) {
  if (list.empty())
    throw Error(ErrorCode::kEmptyInput, std::string(name) + " is empty");
  require_size(name, static_cast<Index>(list.size()), 1);
  for (size_t i = 0; i < list.size(); ++i)
    if (!std::isfinite(list[i]))
      throw Error(ErrorCode::kNotFinite, std::string(name) +
                                             " is not finite at place " +
                                             std::to_string(i + 1));
}

inline void require_shape(const char* name, const Matrix& m, Index rows,
                          Index cols) {
  require_valid(name, m);
  if (m.rows() != rows || m.cols() != cols)
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " is " + shape(m) + ", not " +
                    std::to_string(rows) + "x" + std::to_string(cols));
}

/// For results: a finite input whose result is not finite has overflowed.
inline void require_no_overflow(const char* name, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::kDiverged,
                std::string(name) + " left the finite numbers");
}

inline void require_no_overflow(const char* name, const Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) require_no_overflow(name, m(i, j));
}

}  // namespace attn
