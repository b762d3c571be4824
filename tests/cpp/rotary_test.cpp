// rotary: both layouts, the relative property, position interpolation, decay,
// and which pairs meet angles that they have not seen.
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <attn/rotary.hpp>
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
using attn::Rotary;
using attn::RotaryLayout;
using Places = std::vector<double>;

namespace {

const std::string kFile = "06_rope";
const Rotary kInterleaved{RotaryLayout::kInterleaved, 10000, 1};
const Rotary kHalfSplit{RotaryLayout::kHalfSplit, 10000, 1};

double length(const Matrix& row) { return std::sqrt(row.cwiseAbs2().sum()); }

Matrix at_places(const v::Case& c, const Rotary& rotary) {
  const Matrix x = v::row(c.input["x"]);
  const Places places = v::numbers(c.input["positions"]);
  const Matrix rows = x.replicate(static_cast<Index>(places.size()), 1);
  return attn::rotate(rows, places, rotary);
}

struct Drawn {
  Matrix q;
  Matrix k;
  Places q_places;
  Places k_places;
  Rotary rotary;
};

Places draw_places(attn::Rng& rng, Index n) {
  Places places;
  for (Index i = 0; i < n; ++i) places.push_back(500 * rng.uniform());
  return places;
}

Drawn draw(std::uint32_t seed) {
  attn::Rng rng(seed);
  const int d = 2 * (1 + rng.below(6));
  const Matrix q = random_matrix(rng, 1, 4, d, d);
  const Matrix k = random_matrix(rng, 1, 4, d, d);
  const Rotary rotary{
      seed % 2 == 0 ? RotaryLayout::kInterleaved : RotaryLayout::kHalfSplit,
      1 + 20000 * rng.uniform(), 0.25 + rng.uniform()};
  return {q, k, draw_places(rng, q.rows()), draw_places(rng, k.rows()), rotary};
}

Places moved(Places places, double by) {
  for (double& p : places) p += by;
  return places;
}

}  // namespace

TEST_CASE("interleaved pairs turn as in the paper", "[rotary]") {
  const auto c = v::load(kFile, "rotate_interleaved_d4");
  v::check_close(at_places(c, kInterleaved), c.expected["rotated"],
                 c.tolerance);
}

TEST_CASE("half-split pairs turn as in released code", "[rotary]") {
  const auto c = v::load(kFile, "rotate_half_split_d4");
  v::check_close(at_places(c, kHalfSplit), c.expected["rotated"], c.tolerance);
}

TEST_CASE("a score depends on the offset and its direction", "[rotary]") {
  const auto c = v::load(kFile, "relative_property");
  const Matrix q = v::row(c.input["q"]);
  const Matrix k = v::row(c.input["k"]);
  std::vector<double> scores;
  for (const auto& pair : c.input["pairs"])
    scores.push_back(attn::rotary_scores(q, k, {pair[0].get<double>()},
                                         {pair[1].get<double>()},
                                         kInterleaved)(0, 0));
  v::check_close(scores, c.expected["scores"], c.tolerance);
}

TEST_CASE("turning keeps the length", "[rotary]") {
  const auto c = v::load(kFile, "norm_preserved");
  const Matrix x = v::row(c.input["x"]);
  v::check_close(length(x), c.expected["norm_before"], c.tolerance);
  v::check_close(
      length(attn::rotate(x, {c.input["m"].get<double>()}, kInterleaved)),
      c.expected["norm_after"], c.tolerance);
}

TEST_CASE("the vector itself changes with its place", "[rotary]") {
  const auto c = v::load(kFile, "absolute_positions_do_change_the_vector");
  const Matrix x = v::row(c.input["x"]).replicate(2, 1);
  const Matrix y = attn::rotate(x, v::numbers(c.input["m"]), kInterleaved);
  v::check_close(length(y.row(0) - y.row(1)), c.expected["distance"],
                 c.tolerance);
}

TEST_CASE("position interpolation reads place 4096 as place 1024", "[rotary]") {
  const auto c = v::load(kFile, "position_interpolation");
  const Matrix q = v::row(c.input["q"]);
  const Matrix k = v::row(c.input["k"]);
  const double scale =
      c.input["L"].get<double>() / c.input["L_prime"].get<double>();
  const auto score = [&](double m, double by) {
    return attn::rotary_scores(q, k, {m}, {c.input["n"].get<double>()},
                               {RotaryLayout::kInterleaved, 10000, by})(0, 0);
  };
  const double m = c.input["m"];
  v::check_close(score(m, 1), c.expected["score_extrapolated"], c.tolerance);
  v::check_close(score(m, scale), c.expected["score_interpolated"],
                 c.tolerance);
  v::check_close(score(1024, 1), c.expected["equals_score_at"], c.tolerance);
}

TEST_CASE("the score of all-ones q and k decays", "[rotary]") {
  const auto c = v::load(kFile, "all_ones_decay_d128");
  v::check_close(
      attn::rotary_decay(v::numbers(c.input["distances"]), c.input["d"], 10000),
      c.expected["normalised_score"], c.tolerance);
}

TEST_CASE("some key scores highest at any chosen distance", "[rotary]") {
  const auto c = v::load(kFile, "max_at_chosen_distance");
  const Matrix q = v::row(c.input["q"]);
  const double r = c.input["r"];
  const Matrix k = attn::rotate(q, {r}, kInterleaved);
  const auto score = [&](double distance) {
    return attn::rotary_scores(q, k, {distance}, {0}, kInterleaved)(0, 0);
  };
  v::check_close(score(r), c.expected["score_at_r"], c.tolerance);
  v::check_close(score(0), c.expected["score_at_0"], c.tolerance);
  v::check_close(length(q) * length(k), c.expected["upper_bound"], c.tolerance);
}

TEST_CASE("pairs that have never completed a turn within L tokens",
          "[rotary]") {
  const auto c =
      v::load("23_extrapolation", "pairs_with_wavelength_longer_than_L");
  std::vector<double> pairs;
  for (const auto& n : c.input["L"])
    pairs.push_back(static_cast<double>(attn::unseen_pairs(
        n.get<double>(), c.input["d"], c.input["base"].get<double>())));
  v::check_close(pairs, c.expected["pairs_out_of_64"], 0);
}

TEST_CASE("a larger base leaves more pairs unseen", "[rotary]") {
  const auto c = v::load("23_extrapolation", "base_change");
  std::vector<double> pairs;
  for (const auto& base : c.input["base"])
    pairs.push_back(static_cast<double>(attn::unseen_pairs(
        c.input["L"].get<double>(), c.input["d"], base.get<double>())));
  v::check_close(pairs, c.expected["pairs_out_of_64"], 0);
}

TEST_CASE("the numbers that labs 16 and 18 announce", "[rotary]") {
  CHECK(attn::unseen_pairs(512, 128, 10000) == 33);
  CHECK(attn::unseen_pairs(2048, 128, 10000) == 23);
  CHECK(attn::unseen_pairs(8192, 128, 10000) == 14);
  CHECK(attn::pairs_at_new_angles(2048, 4096, 128, 10000, 1) == 23);
  CHECK(attn::pairs_at_new_angles(2048, 4096, 128, 10000, 0.5) == 0);
}

TEST_CASE("for 1000 random cases only the offset matters, in both layouts",
          "[rotary][property]") {
  double relative = 0;
  double lengths = 0;
  double undone = 0;
  double scaled = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Drawn c = draw(seed);
    const Matrix scores =
        attn::rotary_scores(c.q, c.k, c.q_places, c.k_places, c.rotary);
    relative = std::max(
        relative, attn::max_gap(scores, attn::rotary_scores(
                                            c.q, c.k, moved(c.q_places, 321),
                                            moved(c.k_places, 321), c.rotary)));

    const Matrix turned = attn::rotate(c.q, c.q_places, c.rotary);
    for (Index i = 0; i < c.q.rows(); ++i)
      lengths = std::max(lengths,
                         std::abs(length(turned.row(i)) - length(c.q.row(i))));

    Places back = c.q_places;
    for (double& p : back) p = -p;
    undone = std::max(undone,
                      attn::max_gap(attn::rotate(turned, back, c.rotary), c.q));

    Places shrunk = c.q_places;
    for (double& p : shrunk) p *= c.rotary.position_scale;
    Rotary plain = c.rotary;
    plain.position_scale = 1;
    scaled = std::max(scaled,
                      attn::max_gap(turned, attn::rotate(c.q, shrunk, plain)));
  }
  CHECK(relative < 1e-10);
  CHECK(lengths < 1e-14);
  CHECK(undone < 1e-14);
  CHECK(scaled == 0);
}

TEST_CASE("for 1000 random cases the two layouts are one, columns moved",
          "[rotary][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Drawn c = draw(seed);
    c.rotary.layout = RotaryLayout::kInterleaved;
    const Matrix inter = attn::rotate(c.q, c.q_places, c.rotary);
    c.rotary.layout = RotaryLayout::kHalfSplit;
    const Matrix half =
        attn::rotate(attn::to_half_split(c.q), c.q_places, c.rotary);
    REQUIRE(attn::to_half_split(inter) == half);
    REQUIRE(attn::to_interleaved(half) == inter);
  }
}

TEST_CASE("for 1000 random cases the gradient goes back by −position",
          "[rotary][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Drawn c = draw(seed);
    attn::Rng rng(seed + 5000);
    const Matrix upstream = random_like(rng, c.q);
    Places back = c.q_places;
    for (double& p : back) p = -p;
    const Matrix gradient = attn::rotate(upstream, back, c.rotary);
    const Matrix measured = finite_difference(
        c.q, upstream,
        [&](const Matrix& x) { return attn::rotate(x, c.q_places, c.rotary); });
    worst = std::max(worst, attn::max_gap(gradient, measured));
  }
  CHECK(worst < 1e-9);
}

TEST_CASE("for 1000 random widths decay and unseen pairs fit the definition",
          "[rotary][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Drawn c = draw(seed);
    const Index d = c.q.cols();
    const double base = c.rotary.base;
    const double distance = c.q_places[0];
    const double decay = attn::rotary_decay({distance}, d, base)[0];
    const Matrix ones = Matrix::Ones(1, d);
    const double score = attn::rotary_scores(
        ones, ones, {distance}, {0}, {RotaryLayout::kHalfSplit, base, 1})(0, 0);
    worst = std::max(worst, std::abs(decay - score / static_cast<double>(d)));
    REQUIRE(std::abs(decay) <= 1);

    const double trained = 1 + 100 * c.q_places[0];
    Index unseen = 0;
    const auto theta = attn::rotary_frequencies(d, base);
    for (const double t : theta)
      unseen += trained * t < 6.283185307179586 ? 1 : 0;
    REQUIRE(attn::unseen_pairs(trained, d, base) == unseen);
    REQUIRE(attn::unseen_pairs(2 * trained, d, base) <= unseen);
    REQUIRE(attn::unseen_pairs(trained, d, 2 * base) >= unseen);
    const double scale = c.rotary.position_scale;
    REQUIRE(attn::pairs_at_new_angles(trained, 1.01 * trained / scale, d, base,
                                      scale) == unseen);
    REQUIRE(attn::pairs_at_new_angles(trained, 0.99 * trained / scale, d, base,
                                      scale) == 0);
  }
  CHECK(worst < 1e-12);
}

TEST_CASE("rotary functions refuse by code", "[rotary][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix x = Matrix::Ones(2, 4);
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rotate(x, {1}, kInterleaved); }));
  CHECK(refuses(invalid,
                [&] { attn::rotate(Matrix::Ones(1, 3), {1}, kInterleaved); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::rotate(x, {1, nan}, kInterleaved);
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::rotate(x * nan, {1, 2}, kInterleaved);
  }));
  CHECK(refuses(invalid, [&] { attn::rotate(x, {1, 1e10}, kInterleaved); }));
  CHECK(refuses(invalid, [&] {
    attn::rotate(x, {1, 2}, {RotaryLayout::kInterleaved, 0.5, 1});
  }));
  CHECK(refuses(invalid, [&] {
    attn::rotate(x, {1, 2}, {RotaryLayout::kInterleaved, 10000, 0});
  }));
  CHECK(refuses(invalid, [&] {
    attn::rotate(x, {1, 2}, {RotaryLayout::kInterleaved, 10000, 1e10});
  }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::rotate(Matrix(), {1}, kInterleaved); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::rotary_scores(x, Matrix::Ones(1, 2), {1, 2}, {1}, kInterleaved);
  }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    attn::rotary_scores(x * 1e200, x * 1e200, {1, 2}, {1, 2}, kInterleaved);
  }));
  CHECK(refuses(ErrorCode::kTooLarge, [&] {
    const Matrix long_x = Matrix::Ones(4096, 2);
    attn::rotary_scores(long_x, long_x, Places(4096, 1), Places(4096, 1),
                        kInterleaved);
  }));
  CHECK(refuses(invalid, [] { attn::to_half_split(Matrix::Ones(1, 3)); }));
  CHECK(refuses(invalid, [] { attn::to_interleaved(Matrix::Ones(1, 3)); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::rotary_decay({}, 4, 10000); }));
  CHECK(refuses(invalid, [] { attn::rotary_frequencies(5, 10000); }));
  CHECK(refuses(invalid, [] { attn::unseen_pairs(0, 4, 10000); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::unseen_pairs(nan, 4, 10000); }));
  CHECK(refuses(invalid, [] { attn::pairs_at_new_angles(1, 0, 4, 10000, 1); }));
  CHECK(refuses(invalid, [] { attn::pairs_at_new_angles(1, 1, 4, 10000, 0); }));
}
