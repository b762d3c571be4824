#include <algorithm>
#include <attn/error.hpp>
#include <attn/matrix.hpp>
#include <cmath>
#include <limits>

#include "arguments.hpp"

namespace attn {
namespace {

std::string both(std::string_view a_name, const Matrix& a,
                 std::string_view b_name, const Matrix& b) {
  return std::string(a_name) + " is " + shape(a) + " but " +
         std::string(b_name) + " is " + shape(b);
}

}  // namespace

std::string shape(const Matrix& m) {
  return std::to_string(m.rows()) + "x" + std::to_string(m.cols());
}

void require_not_empty(std::string_view name, const Matrix& m) {
  if (m.size() == 0)
    throw Error(ErrorCode::kEmptyInput, std::string(name) + " is empty");
}

void require_finite(std::string_view name, const Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      if (!std::isfinite(m(i, j)))
        throw Error(ErrorCode::kNotFinite,
                    std::string(name) + " is not finite at row " +
                        std::to_string(i + 1) + ", column " +
                        std::to_string(j + 1));
}

void require_valid(std::string_view name, const Matrix& m) {
  require_not_empty(name, m);
  require_size(name, m.rows(), m.cols());
  require_finite(name, m);
}

void require_same_cols(std::string_view a_name, const Matrix& a,
                       std::string_view b_name, const Matrix& b) {
  if (a.cols() != b.cols())
    throw Error(ErrorCode::kShapeMismatch, both(a_name, a, b_name, b));
}

void require_same_rows(std::string_view a_name, const Matrix& a,
                       std::string_view b_name, const Matrix& b) {
  if (a.rows() != b.rows())
    throw Error(ErrorCode::kShapeMismatch, both(a_name, a, b_name, b));
}

void require_product(std::string_view a_name, const Matrix& a,
                     std::string_view b_name, const Matrix& b) {
  if (a.cols() != b.rows())
    throw Error(ErrorCode::kShapeMismatch, both(a_name, a, b_name, b));
}

void require_size(std::string_view name, Index rows, Index cols, Index limit) {
  if (rows > 0 && cols > 0 && rows > limit / cols)
    throw Error(ErrorCode::kTooLarge,
                std::string(name) + " would be " + std::to_string(rows) + "x" +
                    std::to_string(cols) + ", over the limit of " +
                    std::to_string(limit) + " numbers");
}

// #region product
Matrix product(const Matrix& a, const Matrix& b) {
  require_valid("a", a);
  require_valid("b", b);
  require_product("a", a, "b", b);
  require_size("a times b", a.rows(), b.cols());
  Matrix c = Matrix::Zero(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k)
      for (Index j = 0; j < b.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
  require_no_overflow("a times b", c);
  return c;
}
// #endregion product

Matrix transpose(const Matrix& m) {
  require_valid("m", m);
  return m.transpose();
}

double max_gap(const Matrix& a, const Matrix& b) {
  require_same_rows("a", a, "b", b);
  require_same_cols("a", a, "b", b);
  double gap = 0;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) {
      if (a(i, j) == b(i, j)) continue;
      const double here = std::abs(a(i, j) - b(i, j));
      if (std::isnan(here)) return std::numeric_limits<double>::infinity();
      gap = std::max(gap, here);
    }
  return gap;
}

double symmetry_gap(const Matrix& m) {
  if (m.rows() != m.cols())
    throw Error(ErrorCode::kShapeMismatch,
                "m is " + shape(m) + ", which is not square");
  return max_gap(m, m.transpose());
}

double frobenius_norm(const Matrix& m) {
  require_valid("m", m);
  double squares = 0;
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) squares += m(i, j) * m(i, j);
  require_no_overflow("the norm", squares);
  return std::sqrt(squares);
}

Matrix mean_row(const Matrix& m) {
  require_valid("m", m);
  Matrix mean = Matrix::Zero(1, m.cols());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) mean(0, j) += m(i, j);
  for (Index j = 0; j < m.cols(); ++j)
    mean(0, j) /= static_cast<double>(m.rows());
  require_no_overflow("the mean", mean);
  return mean;
}

Matrix permuted_rows(const Matrix& m, const std::vector<int>& order) {
  require_valid("m", m);
  if (static_cast<Index>(order.size()) != m.rows())
    throw Error(ErrorCode::kShapeMismatch, "order names " +
                                               std::to_string(order.size()) +
                                               " rows but m is " + shape(m));
  std::vector<bool> seen(order.size());
  Matrix out(m.rows(), m.cols());
  for (Index i = 0; i < m.rows(); ++i) {
    const int from = order[static_cast<size_t>(i)];
    if (from < 0 || from >= m.rows() || seen[static_cast<size_t>(from)])
      throw Error(ErrorCode::kInvalidArgument,
                  "order does not name each row once");
    seen[static_cast<size_t>(from)] = true;
    out.row(i) = m.row(from);
  }
  return out;
}

}  // namespace attn
