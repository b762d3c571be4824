// rng: the same numbers from the same seed as every other implementation.
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::Rng;

TEST_CASE("the uniforms of seed 42 are mulberry32's, bit for bit", "[rng]") {
  const auto c = attn::vectors::load("00_rng", "mulberry32_seed42");
  const auto expected = attn::vectors::numbers(c.expected.at("uniform"));
  CHECK(attn::uniforms(42, static_cast<int>(expected.size())) == expected);
}

TEST_CASE("the normals of seed 42 are Box and Muller's", "[rng]") {
  const auto c = attn::vectors::load("00_rng", "normals_seed42");
  attn::vectors::check_close(attn::normals(42, 8), c.expected.at("normal"),
                             c.tolerance);
}

TEST_CASE("a copied generator repeats what the original goes on to draw",
          "[rng]") {
  Rng a(7);
  a.normal();
  Rng b = a;
  for (int i = 0; i < 5; ++i) CHECK(a.normal() == b.normal());
}

TEST_CASE("ten thousand normals have mean 0 and variance 1", "[rng]") {
  double sum = 0;
  double squares = 0;
  for (const double x : attn::normals(1, 10000)) {
    sum += x;
    squares += x * x;
  }
  CHECK(std::abs(sum / 10000) < 0.03);
  CHECK(std::abs(squares / 10000 - 1) < 0.05);
}

TEST_CASE("below(n) reaches every integer under n and no other", "[rng]") {
  Rng rng(3);
  std::vector<int> seen(5, 0);
  for (int i = 0; i < 500; ++i) ++seen.at(static_cast<size_t>(rng.below(5)));
  for (const int count : seen) CHECK(count > 60);
  CHECK(Rng(3).below(1) == 0);
  CHECK(Rng(9).below(2147483647) < 2147483647);
}

TEST_CASE("a matrix of normals is drawn row by row", "[rng]") {
  Rng rng(42);
  const attn::Matrix m = attn::normal_matrix(rng, 2, 3);
  const auto list = attn::normals(42, 6);
  for (int i = 0; i < 6; ++i) CHECK(m(i / 3, i % 3) == list[size_t(i)]);
}

TEST_CASE("impossible counts are refused with a code", "[rng][error]") {
  using attn::ErrorCode;
  CHECK(refuses(ErrorCode::kInvalidArgument, [] { attn::uniforms(1, -1); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] { attn::normals(1, 1 << 23); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] { Rng(1).below(0); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] {
    Rng rng(1);
    attn::normal_matrix(rng, 0, 3);
  }));
}
