#pragma once

#include <attn/error.hpp>
#include <attn/fast/matrix.hpp>
#include <string>
#include <vector>

namespace attn::fast {

/// True when no number is infinite or NaN.
bool all_finite(const float* x, Index count);

/// @throws Error kInvalidArgument
[[noreturn]] void refuse(const std::string& detail);

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
/// @throws Error kDiverged unless every number is finite
void require_no_overflow(const char* name, const Matrix& m);

}  // namespace attn::fast
