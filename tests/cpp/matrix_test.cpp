// matrix: the checks that every function starts with, and the plain product.
#include <attn/error.hpp>
#include <attn/matrix.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "refuses.hpp"

using attn::Matrix;

TEST_CASE("a refusal names the argument and both shapes", "[matrix][error]") {
  const Matrix a = Matrix::Ones(2, 3);
  const Matrix b = Matrix::Ones(2, 4);
  CHECK(refusal([&] { attn::product(a, b); }) ==
        "shape-mismatch: a is 2x3 but b is 2x4");
}

TEST_CASE("a number that is not finite is found by row and column",
          "[matrix][error]") {
  Matrix a = Matrix::Zero(2, 2);
  a(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal([&] { attn::require_finite("k", a); }) ==
        "not-finite: k is not finite at row 2, column 1");
}

TEST_CASE("a size that would overflow is refused before it is multiplied",
          "[matrix][error]") {
  const auto huge = std::numeric_limits<attn::Index>::max();
  CHECK(refuses(attn::ErrorCode::kTooLarge,
                [&] { attn::require_size("scores", huge, huge); }));
  CHECK_NOTHROW(attn::require_size("scores", 2048, 2048));
  CHECK(refuses(attn::ErrorCode::kTooLarge,
                [&] { attn::require_size("scores", 2048, 2049); }));
}

TEST_CASE("the product of 2x3 and 3x2 is what one gets by hand", "[matrix]") {
  Matrix a(2, 3);
  a << 1, 2, 3, 4, 5, 6;
  Matrix b(3, 2);
  b << 7, 8, 9, 10, 11, 12;
  Matrix c(2, 2);
  c << 58, 64, 139, 154;
  CHECK(attn::product(a, b) == c);
}

TEST_CASE("gaps: equal infinities are 0 apart and NaN is never near",
          "[matrix]") {
  const double infinity = std::numeric_limits<double>::infinity();
  Matrix a(1, 2);
  a << -infinity, 1;
  Matrix b(1, 2);
  b << -infinity, 1.5;
  CHECK(attn::max_gap(a, b) == 0.5);
  b(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(attn::max_gap(a, b) == infinity);
  CHECK(attn::max_gap(Matrix(0, 0), Matrix(0, 0)) == 0);
  CHECK(refuses(attn::ErrorCode::kShapeMismatch,
                [&] { attn::max_gap(a, Matrix(2, 1)); }));
}

TEST_CASE("symmetry is measured on square matrices only", "[matrix]") {
  Matrix m(2, 2);
  m << 1, 2, 5, 1;
  CHECK(attn::symmetry_gap(m) == 3);
  CHECK(attn::symmetry_gap(m + attn::transpose(m)) == 0);
  CHECK(refuses(attn::ErrorCode::kShapeMismatch,
                [] { attn::symmetry_gap(Matrix::Ones(2, 3)); }));
}

TEST_CASE("norm, mean and permutation of a 3x2 by hand", "[matrix]") {
  Matrix m(3, 2);
  m << 3, 4, 0, 0, 0, 2;
  CHECK(attn::frobenius_norm(m) == std::sqrt(29.0));
  CHECK(attn::mean_row(m) == (Matrix(1, 2) << 1, 2).finished());
  const Matrix moved = attn::permuted_rows(m, {2, 0, 1});
  CHECK(moved == (Matrix(3, 2) << 0, 2, 3, 4, 0, 0).finished());
  CHECK(attn::mean_row(moved) == attn::mean_row(m));
}

TEST_CASE("sums that leave the numbers and orders that are none are refused",
          "[matrix][error]") {
  using attn::ErrorCode;
  const Matrix huge = Matrix::Constant(2, 2, 1e308);
  CHECK(refuses(ErrorCode::kDiverged, [&] { attn::product(huge, huge); }));
  CHECK(refuses(ErrorCode::kDiverged, [&] { attn::frobenius_norm(huge); }));
  CHECK(refuses(ErrorCode::kDiverged, [&] { attn::mean_row(huge); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::transpose(Matrix()); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::permuted_rows(huge, {0}); }));
  for (const auto& order : {std::vector<int>{0, 0}, {0, 2}, {-1, 0}})
    CHECK(refuses(ErrorCode::kInvalidArgument,
                  [&] { attn::permuted_rows(huge, order); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::product(Matrix::Ones(2049, 1), Matrix::Ones(1, 2048));
  }));
}
