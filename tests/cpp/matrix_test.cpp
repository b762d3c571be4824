// matrix: the checks that every function starts with, and the plain product.
#include <attn/error.hpp>
#include <attn/matrix.hpp>
#include <catch.hpp>
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
