// sinusoidal: the table, the shift matrix, the dot product that sees only the
// offset, wavelengths, and codes that nearly collide.
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <attn/sinusoidal.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

namespace v = attn::vectors;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;

namespace {

constexpr double kBase = 10000;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const std::string kFile = "05_sinusoidal_pe";

struct Drawn {
  Index d;
  double base;
  double a;
  double b;
};

Drawn draw(std::uint32_t seed) {
  attn::Rng rng(seed);
  const Index d = 2 * (1 + rng.below(16));
  const double base = 1 + 20000 * rng.uniform();
  return {d, base, 1000 * rng.uniform(), 1000 * rng.uniform()};
}

double dot(const Matrix& a, const Matrix& b) {
  return attn::product(a, b.transpose())(0, 0);
}

}  // namespace

TEST_CASE("the sinusoidal table has the paper's numbers", "[sinusoidal]") {
  const auto c = v::load(kFile, "d8_table");
  const Matrix pe = attn::sinusoidal_positions(v::numbers(c.input["positions"]),
                                               c.input["d_model"], kBase);
  v::check_close(pe, c.expected["pe"], c.tolerance);
}

TEST_CASE("a row of width 512 has length √256", "[sinusoidal]") {
  const auto c = v::load(kFile, "d512_probe");
  const Matrix pe = attn::sinusoidal_positions({c.input["pos"].get<double>()},
                                               c.input["d_model"], kBase);
  std::vector<double> values;
  for (const auto& k : c.input["dims"]) values.push_back(pe(0, k.get<int>()));
  v::check_close(values, c.expected["values"], c.tolerance);
  v::check_close(dot(pe, pe), c.expected["norm_squared"], c.tolerance);
}

TEST_CASE("the longest wavelength at d = 512 is 60611", "[sinusoidal]") {
  const auto c = v::load(kFile, "wavelengths");
  const auto w = attn::sinusoidal_wavelengths(c.input["d_model"], kBase);
  v::check_close(w.front(), c.expected["shortest"], c.tolerance);
  v::check_close(w.back(), c.expected["longest"], c.tolerance);
  v::check_close(w.front() * kBase, c.expected["limit_in_paper"], c.tolerance);
}

TEST_CASE("moving by k is one matrix, whatever the place", "[sinusoidal]") {
  const auto c = v::load(kFile, "shift_is_linear");
  const Index d = c.input["d_model"];
  const double pos = c.input["pos"];
  const double k = c.input["k"];
  const Matrix shift = attn::sinusoidal_shift(k, d, kBase);
  Matrix cos_sin(d / 2, 2);
  for (Index i = 0; i < d / 2; ++i) {
    cos_sin(i, 0) = shift(2 * i, 2 * i);
    cos_sin(i, 1) = shift(2 * i, 2 * i + 1);
  }
  v::check_close(cos_sin, c.expected["rotation_cos_sin"], c.tolerance);
  const Matrix here = attn::sinusoidal_positions({pos}, d, kBase);
  const Matrix there = attn::sinusoidal_positions({pos + k}, d, kBase);
  v::check_close(there, nlohmann::json::array({c.expected["pe_pos_plus_k"]}),
                 c.tolerance);
  CHECK(attn::max_gap(attn::product(here, shift.transpose()), there) < 1e-15);
}

TEST_CASE("the dot product of two codes sees only the offset", "[sinusoidal]") {
  const auto c = v::load(kFile, "dot_depends_on_offset_only");
  const Index d = c.input["d_model"];
  std::vector<double> dots;
  for (const auto& pair : c.input["pairs"]) {
    const Matrix pe = attn::sinusoidal_positions(v::numbers(pair), d, kBase);
    dots.push_back(dot(pe.row(0), pe.row(1)));
  }
  v::check_close(dots, c.expected["dots"], c.tolerance);
  v::check_close(attn::sinusoidal_dot(5, d, kBase), c.expected["closed_form"],
                 c.tolerance);
}

TEST_CASE("with one frequency, places 0 and 710 all but collide",
          "[sinusoidal]") {
  const auto c = v::load(kFile, "d2_near_collision");
  std::vector<double> gaps;
  for (const auto& pair : c.input["pairs"])
    gaps.push_back(attn::sinusoidal_distance(
        pair[1].get<double>() - pair[0].get<double>(), 2, kBase));
  v::check_close(gaps, c.expected["distance"], c.tolerance);
  const auto nearest = attn::sinusoidal_near_collision(1000, 2, kBase);
  CHECK(nearest.offset == 710);
  v::check_close(nearest.distance, c.expected["distance"][1], c.tolerance);
}

TEST_CASE("the numbers that lab 15 announces", "[sinusoidal]") {
  const Matrix pe = attn::sinusoidal_table(2, 8, kBase);
  CHECK(pe(1, 0) == Approx(0.8415).margin(5e-5));
  CHECK(pe(1, 3) == Approx(0.9950).margin(5e-5));
  CHECK(attn::sinusoidal_dot(5, 8, kBase) == Approx(3.15998).margin(5e-6));
  CHECK(attn::sinusoidal_distance(710, 2, kBase) ==
        Approx(6.03e-5).margin(5e-8));
}

TEST_CASE("for 1000 random widths, bases and places: length, shift, offset",
          "[sinusoidal][property]") {
  double length = 0;
  double shifted = 0;
  double grouped = 0;
  double dots = 0;
  double distances = 0;
  double even = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const auto [d, base, a, b] = draw(seed);
    const Matrix pe = attn::sinusoidal_positions({a, b}, d, base);
    const auto half = static_cast<double>(d) / 2;
    length = std::max(length, std::abs(dot(pe.row(0), pe.row(0)) - half));

    const Matrix shift = attn::sinusoidal_shift(b - a, d, base);
    shifted = std::max(
        shifted,
        attn::max_gap(attn::product(pe.row(0), shift.transpose()), pe.row(1)));
    const Matrix back = attn::sinusoidal_shift(a - b, d, base);
    grouped = std::max(grouped, attn::max_gap(attn::product(shift, back),
                                              Matrix::Identity(d, d)));

    const double by_offset = attn::sinusoidal_dot(a - b, d, base);
    dots = std::max(dots, std::abs(by_offset - dot(pe.row(0), pe.row(1))));
    even = std::max(even,
                    std::abs(by_offset - attn::sinusoidal_dot(b - a, d, base)));
    const double gap = attn::sinusoidal_distance(a - b, d, base);
    distances =
        std::max(distances, std::abs(gap * gap - 2 * half + 2 * by_offset));
  }
  CHECK(length < 1e-12);
  CHECK(shifted < 1e-11);
  CHECK(grouped < 1e-14);
  CHECK(dots < 1e-10);
  CHECK(even == 0);
  CHECK(distances < 1e-12);
}

TEST_CASE("for 1000 random widths a wavelength brings its pair home",
          "[sinusoidal][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const auto [d, base, a, b] = draw(seed);
    const auto waves = attn::sinusoidal_wavelengths(d, base);
    const auto omega = attn::sinusoidal_frequencies(d, base);
    REQUIRE(static_cast<Index>(waves.size()) == d / 2);
    const auto i = static_cast<Index>(seed) % (d / 2);
    const double turn = waves[static_cast<size_t>(i)];
    const Matrix pe = attn::sinusoidal_positions({a, a + turn}, d, base);
    worst = std::max({worst, std::abs(pe(0, 2 * i) - pe(1, 2 * i)),
                      std::abs(pe(0, 2 * i + 1) - pe(1, 2 * i + 1))});
    for (size_t k = 1; k < omega.size(); ++k) CHECK(omega[k] <= omega[k - 1]);
  }
  CHECK(worst < 1e-10);
}

TEST_CASE("for 1000 random widths the nearest collision is found by search",
          "[sinusoidal][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const auto [d, base, a, b] = draw(seed);
    const auto limit = static_cast<Index>(1 + a / 20);
    const Matrix pe = attn::sinusoidal_table(limit + 1, d, base);
    const auto found = attn::sinusoidal_near_collision(limit, d, base);
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 1; k <= limit; ++k) {
      const Matrix gap = pe.row(k) - pe.row(0);
      least = std::min(least, std::sqrt(dot(gap, gap)));
    }
    REQUIRE(found.distance == Approx(least).epsilon(1e-7));
    REQUIRE(attn::sinusoidal_distance(static_cast<double>(found.offset), d,
                                      base) == found.distance);
  }
}

TEST_CASE("sinusoidal functions refuse by code", "[sinusoidal][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  CHECK(refuses(invalid, [] { attn::sinusoidal_frequencies(3, kBase); }));
  CHECK(refuses(invalid, [] { attn::sinusoidal_frequencies(0, kBase); }));
  CHECK(refuses(invalid, [] { attn::sinusoidal_wavelengths(4, 0.5); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [] { attn::sinusoidal_wavelengths(4, kNaN); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::sinusoidal_frequencies(attn::kReferenceLimit + 2, kBase);
  }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::sinusoidal_positions({}, 4, kBase); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [] { attn::sinusoidal_positions({kNaN}, 4, kBase); }));
  CHECK(
      refuses(invalid, [] { attn::sinusoidal_positions({-1e10}, 4, kBase); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::sinusoidal_table(1 << 12, 1 << 12, kBase); }));
  CHECK(refuses(invalid, [] { attn::sinusoidal_table(0, 4, kBase); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::sinusoidal_shift(1, 1 << 12, kBase); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [] { attn::sinusoidal_shift(kNaN, 4, kBase); }));
  CHECK(refuses(invalid, [] { attn::sinusoidal_dot(1e10, 4, kBase); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [] { attn::sinusoidal_distance(kNaN, 4, kBase); }));
  CHECK(refuses(invalid, [] { attn::sinusoidal_near_collision(0, 4, kBase); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::sinusoidal_near_collision(1 << 20, 16, kBase); }));
}
