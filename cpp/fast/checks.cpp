#include "checks.hpp"

#include "simd.hpp"

namespace attn::fast {
namespace {

std::string shape(Index rows, Index cols) {
  return std::to_string(rows) + "x" + std::to_string(cols);
}

}  // namespace

bool all_finite(const float* x, Index count) {
  // x − x is 0 for a number and NaN for all else, and NaN stays in a sum.
  Lanes gap = all(0);
  Index i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Lanes v = load(x + i);
    gap += v - v;
  }
  const Lanes rest = load_part(x + i, count - i, 0);
  gap += rest - rest;
  return sum_of(gap) == 0;
}

void refuse(const std::string& detail) {
  throw Error(ErrorCode::kInvalidArgument, detail);
}

void require_size(const char* name, Index rows, Index cols) {
  if (rows > kFastLimit || cols > kFastLimit ||
      (cols > 0 && rows > kFastLimit / cols))
    throw Error(ErrorCode::kTooLarge, std::string(name) + " is " +
                                          shape(rows, cols) +
                                          ", over 2^24 numbers");
}

void require_shape(const char* name, const Matrix& m) {
  if (m.rows < 1 || m.cols < 1)
    throw Error(ErrorCode::kEmptyInput, std::string(name) + " is empty");
  require_size(name, m.rows, m.cols);
  if (static_cast<Index>(m.data.size()) != m.rows * m.cols)
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " is " + shape(m.rows, m.cols) +
                    " but holds " + std::to_string(m.data.size()) +
                    " numbers");
}

void require_valid(const char* name, const Matrix& m) {
  require_shape(name, m);
  if (!all_finite(m.data.data(), m.rows * m.cols))
    throw Error(ErrorCode::kNotFinite,
                std::string(name) + " holds NaN or an infinity");
}

void require_like(const char* name, const Matrix& m, Index rows, Index cols) {
  if (m.rows != rows || m.cols != cols)
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " is " + shape(m.rows, m.cols) +
                    " where " + shape(rows, cols) + " is needed");
}

void require_row(const char* name, const std::vector<float>& row, Index cols) {
  if (row.empty()) return;
  const auto count = static_cast<Index>(row.size());
  if (count != cols)
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " has " + std::to_string(count) +
                    " numbers where " + std::to_string(cols) + " are needed");
  if (!all_finite(row.data(), count))
    throw Error(ErrorCode::kNotFinite,
                std::string(name) + " holds NaN or an infinity");
}

void require_no_overflow(const char* name, const Matrix& m) {
  if (!all_finite(m.data.data(), m.rows * m.cols))
    throw Error(ErrorCode::kDiverged,
                std::string(name) + " leaves the range of float32");
}

}  // namespace attn::fast
