// learned_position: rows by place, nothing beyond the table, and stretching.
#include <attn/error.hpp>
#include <attn/learned_position.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"

using attn::BeyondTable;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;

TEST_CASE("a table of 512 rows has none for token 513", "[learned]") {
  const Matrix table = Matrix::Ones(512, 4);
  CHECK(attn::learned_positions(table, 512, BeyondTable::kRefuse) == table);
  CHECK(refusal([&] {
          attn::learned_positions(table, 513, BeyondTable::kRefuse);
        }) ==
        "invalid-argument: the table ends at place 511, before place 512");
  CHECK(attn::learned_positions(table, 513, BeyondTable::kInterpolate).rows() ==
        513);
}

TEST_CASE("three rows stretched to five gain the means between them",
          "[learned]") {
  Matrix table(3, 2);
  table << 0, 10, 2, 20, 8, 40;
  Matrix five(5, 2);
  five << 0, 10, 1, 15, 2, 20, 5, 30, 8, 40;
  CHECK(attn::interpolate_positions(table, 5) == five);
  CHECK(attn::interpolate_positions(table, 2) ==
        attn::learned_lookup(table, {0, 2}));
}

TEST_CASE("for 1000 random tables a row is found by its place",
          "[learned][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix table = random_matrix(rng, 1, 12, 1, 5);
    const auto rows = static_cast<int>(table.rows());
    std::vector<int> places;
    for (int i = 0; i < 6; ++i) places.push_back(rng.below(rows));
    const Matrix found = attn::learned_lookup(table, places);
    for (Index i = 0; i < found.rows(); ++i)
      REQUIRE(found.row(i) == table.row(places[static_cast<size_t>(i)]));
    const Index length = 1 + rng.below(rows);
    for (const auto beyond : {BeyondTable::kRefuse, BeyondTable::kInterpolate})
      REQUIRE(attn::learned_positions(table, length, beyond) ==
              table.topRows(length));
    REQUIRE(refuses(ErrorCode::kInvalidArgument, [&] {
      attn::learned_positions(table, rows + 1, BeyondTable::kRefuse);
    }));
  }
}

TEST_CASE("for 1000 random tables stretching keeps ends, range and lines",
          "[learned][property]") {
  double undone = 0;
  double straight = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix table = random_matrix(rng, 2, 12, 1, 4);
    const Index length = table.rows() + rng.below(20);
    const Matrix rows =
        attn::learned_positions(table, length + 1, BeyondTable::kInterpolate);
    REQUIRE(rows.row(0) == table.row(0));
    REQUIRE(rows.row(length) == table.row(table.rows() - 1));
    REQUIRE(rows.maxCoeff() <= table.maxCoeff() + 1e-15);
    REQUIRE(rows.minCoeff() >= table.minCoeff() - 1e-15);
    REQUIRE(attn::interpolate_positions(table, table.rows()) == table);

    const Index whole = 1 + rng.below(4);
    const Matrix finer =
        attn::interpolate_positions(table, whole * (table.rows() - 1) + 1);
    undone = std::max(
        undone,
        attn::max_gap(attn::interpolate_positions(finer, table.rows()), table));

    Matrix line(table.rows(), 1);
    for (Index i = 0; i < line.rows(); ++i)
      line(i, 0) =
          static_cast<double>(i) / static_cast<double>(line.rows() - 1);
    const Matrix longer = attn::interpolate_positions(line, length + 1);
    for (Index i = 0; i <= length; ++i)
      straight = std::max(
          straight, std::abs(longer(i, 0) - static_cast<double>(i) /
                                                static_cast<double>(length)));
  }
  CHECK(undone < 1e-14);
  CHECK(straight < 1e-14);
}

TEST_CASE("learned positions refuse by code", "[learned][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix table = Matrix::Ones(3, 2);
  CHECK(refuses(invalid, [&] { attn::learned_lookup(table, {3}); }));
  CHECK(refuses(invalid, [&] { attn::learned_lookup(table, {-1}); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::learned_lookup(table, {}); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::learned_lookup(Matrix(), {0}); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::learned_lookup(table * nan, {0}); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::learned_lookup(Matrix::Ones(1, 4096), std::vector<int>(4096, 0));
  }));
  CHECK(refuses(invalid, [&] { attn::interpolate_positions(table, 0); }));
  CHECK(refuses(ErrorCode::kTooLarge, [&] {
    attn::interpolate_positions(table, attn::kReferenceLimit);
  }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::interpolate_positions(table * nan, 2); }));
  CHECK(refuses(invalid, [&] {
    attn::learned_positions(table, 0, BeyondTable::kRefuse);
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] {
    attn::learned_positions(Matrix(), 1, BeyondTable::kInterpolate);
  }));
}
