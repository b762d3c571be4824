#include "checks.hpp"

#include <string>

#include "simd.hpp"

namespace attn::fast {

void require_finite(ErrorCode code, const char* name,
                    const std::vector<float>& x) {
  const auto count = static_cast<Index>(x.size());
  // x − x is 0 for a number and NaN for all else, and NaN stays in a sum.
  Lanes gap = all(0);
  Index i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Lanes v = load(x.data() + i);
    gap += v - v;
  }
  const Lanes rest = load_part(x.data() + i, count - i, 0);
  gap += rest - rest;
  if (sum_of(gap) != 0) refuse(code, {name, " holds NaN or an infinity"});
}

void refuse(ErrorCode code, std::initializer_list<Piece> pieces) {
  std::string detail;
  for (const Piece& piece : pieces)
    detail += piece.text != nullptr ? piece.text : std::to_string(piece.number);
  throw Error(code, detail);
}

void require_size(const char* name, Index rows, Index cols) {
  if (rows > kFastLimit || cols > kFastLimit ||
      (cols > 0 && rows > kFastLimit / cols))
    refuse(ErrorCode::kTooLarge,
           {name, " is ", rows, "x", cols, ", over 2^24 numbers"});
}

void require_shape(const char* name, const Matrix& m) {
  if (m.rows < 1 || m.cols < 1)
    refuse(ErrorCode::kEmptyInput, {name, " is empty"});
  require_size(name, m.rows, m.cols);
  const auto held = static_cast<Index>(m.data.size());
  if (held != m.rows * m.cols)
    refuse(ErrorCode::kShapeMismatch, {name, " is ", m.rows, "x", m.cols,
                                       " but holds ", held, " numbers"});
}

void require_valid(const char* name, const Matrix& m) {
  require_shape(name, m);
  require_finite(ErrorCode::kNotFinite, name, m.data);
}

void require_like(const char* name, const Matrix& m, Index rows, Index cols) {
  if (m.rows != rows || m.cols != cols)
    refuse(ErrorCode::kShapeMismatch,
           {name, " is ", m.rows, "x", m.cols, " where ", rows, "x", cols,
            " is needed"});
}

void require_row(const char* name, const std::vector<float>& row, Index cols) {
  if (row.empty()) return;
  const auto count = static_cast<Index>(row.size());
  if (count != cols)
    refuse(ErrorCode::kShapeMismatch,
           {name, " has ", count, " numbers where ", cols, " are needed"});
  require_finite(ErrorCode::kNotFinite, name, row);
}

void require_no_overflow(const char* name, const std::vector<float>& result) {
  require_finite(ErrorCode::kDiverged, name, result);
}

}  // namespace attn::fast
