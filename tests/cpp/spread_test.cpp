// spread: mean, deviation and extremes of a measurement over several seeds.
#include <attn/rng.hpp>
#include <attn/spread.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "refuses.hpp"

using attn::ErrorCode;
using attn::spread_of;

TEST_CASE("a spread by hand", "[spread]") {
  const auto s = spread_of({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(s.mean == Approx(5).epsilon(1e-15));
  CHECK(s.deviation == Approx(2).epsilon(1e-15));
  CHECK(s.smallest == 2);
  CHECK(s.largest == 9);
  CHECK(spread_of({-3}).deviation == 0);
  CHECK(spread_of({-3}).largest == -3);
}

TEST_CASE("a shift moves the mean and nothing else", "[spread][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    std::vector<double> values;
    std::vector<double> shifted;
    const int count = 1 + rng.below(30);
    for (int i = 0; i < count; ++i) {
      values.push_back(rng.normal());
      shifted.push_back(values.back() + 1000);
    }
    const auto a = spread_of(values);
    const auto b = spread_of(shifted);
    REQUIRE(b.mean == Approx(a.mean + 1000).epsilon(1e-13));
    REQUIRE(b.deviation == Approx(a.deviation).margin(1e-10));
    REQUIRE(a.smallest <= a.mean + 1e-12);
    REQUIRE(a.mean <= a.largest + 1e-12);
  }
}

TEST_CASE("a spread needs finite measurements", "[spread][error]") {
  CHECK(refuses(ErrorCode::kEmptyInput, [] { spread_of({}); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] {
    spread_of({1, std::numeric_limits<double>::quiet_NaN()});
  }));
}
