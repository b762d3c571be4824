#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Row-major, so that one row is one token and is contiguous in memory: the
/// same order in which JavaScript's Float64Array and the lessons' tables run.
template <class T>
using MatrixOf =
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = MatrixOf<double>;
using Eigen::Index;

/// The reference layer refuses an intermediate of more doubles than this
/// (32 MiB): it is there to be read, the fast layer is there for size.
inline constexpr Index kReferenceLimit = Index{1} << 22;

/// "4x3", for messages.
std::string shape(const Matrix& m);

/// @throws Error kEmptyInput when `m` has no element
void require_not_empty(std::string_view name, const Matrix& m);
/// @throws Error kNotFinite, naming the first place that is NaN or infinite
void require_finite(std::string_view name, const Matrix& m);
/// Both of the above and the limit: what every matrix argument goes through.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge
void require_valid(std::string_view name, const Matrix& m);
/// @throws Error kShapeMismatch unless `a.cols() == b.cols()`
void require_same_cols(std::string_view a_name, const Matrix& a,
                       std::string_view b_name, const Matrix& b);
/// @throws Error kShapeMismatch unless `a.rows() == b.rows()`
void require_same_rows(std::string_view a_name, const Matrix& a,
                       std::string_view b_name, const Matrix& b);
/// @throws Error kShapeMismatch unless `a.cols() == b.rows()`
void require_product(std::string_view a_name, const Matrix& a,
                     std::string_view b_name, const Matrix& b);
/// @throws Error kTooLarge when rows · cols doubles exceed `limit`; the product
/// is formed without overflow
void require_size(std::string_view name, Index rows, Index cols,
                  Index limit = kReferenceLimit);

/// A plain product, `a  n × k` times `b  k × m`, in the one order of additions
/// that a learner would use (k upwards): Eigen's blocked product depends on the
/// cache of the machine.
/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kTooLarge; kDiverged
/// on overflow
Matrix product(const Matrix& a, const Matrix& b);

/// @throws Error kEmptyInput, kNotFinite, kTooLarge
Matrix transpose(const Matrix& m);

/// Largest |a − b| over all places, where two equal infinities are 0 apart; 0
/// for two empty matrices, ∞ when a place holds NaN.
/// @throws Error kShapeMismatch
double max_gap(const Matrix& a, const Matrix& b);

/// Largest |m − mᵀ|: 0 exactly when row i looks at column j as j looks at i.
/// @throws Error kShapeMismatch unless m is square
double symmetry_gap(const Matrix& m);

/// √Σ mᵢⱼ².
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kDiverged on overflow
double frobenius_norm(const Matrix& m);

/// The mean of all rows, 1 × cols: a summary that no order of rows changes.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kDiverged on overflow
Matrix mean_row(const Matrix& m);

/// Row i of the result is row order[i] of `m`.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch;
/// kInvalidArgument unless `order` names each row once
Matrix permuted_rows(const Matrix& m, const std::vector<int>& order);

}  // namespace attn
