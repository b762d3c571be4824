#pragma once

#include <attn/error.hpp>
#include <attn/fast/matrix.hpp>
#include <initializer_list>
#include <vector>

namespace attn::fast {

/// A part of a message: a text or a number.
struct Piece {
  // NOLINTBEGIN(google-explicit-constructor)
  Piece(const char* t) : text(t) {}
  Piece(Index n) : number(n) {}
  // NOLINTEND(google-explicit-constructor)
  const char* text = nullptr;
  Index number = 0;
};

/// The one place that puts a message together: this is most of the code of a
/// check, and the fast module has a budget.
/// @throws Error
[[noreturn]] void refuse(ErrorCode code, std::initializer_list<Piece> pieces);

/// @throws Error kTooLarge when rows · cols is over `kFastLimit`
void require_size(const char* name, Index rows, Index cols);
/// Shape, size and limit.
/// @throws Error kEmptyInput, kTooLarge; kShapeMismatch when `data` is not
/// rows · cols long
void require_shape(const char* name, const Matrix& m);
/// The same, and every number finite: what each matrix argument goes through.
/// @throws Error also kNotFinite
void require_valid(const char* name, const Matrix& m);
/// @throws Error kShapeMismatch unless `m` is rows × cols
void require_like(const char* name, const Matrix& m, Index rows, Index cols);
/// An optional row of numbers: empty, or `cols` finite ones.
/// @throws Error kShapeMismatch, kNotFinite
void require_row(const char* name, const std::vector<float>& row, Index cols);
/// @throws Error with this code unless every number is finite
void require_finite(ErrorCode code, const char* name,
                    const std::vector<float>& x);
/// @throws Error kDiverged: a result left the range of float32
void require_no_overflow(const char* name, const std::vector<float>& result);

}  // namespace attn::fast
