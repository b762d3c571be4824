// softmax: the vectors' values, then what must hold for every row of scores.
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Matrix;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kDenormal = std::numeric_limits<double>::denorm_min();

double sum(const std::vector<double>& list) {
  double total = 0;
  for (const double x : list) total += x;
  return total;
}

}  // namespace

TEST_CASE("softmax, entropy and Jacobian are the vectors'", "[softmax]") {
  for (const char* id :
       {"basic_123", "shifted_1001", "uniform4", "seed_two_percent_scores",
        "seed_three_percent_scores", "logits_for_95_5",
        "logits_for_080_015_005", "saturated_gap_22p6", "saturated_gap_8",
        "scaled_gap_1", "masked", "single"}) {
    CAPTURE(id);
    const auto c = attn::vectors::load("01_softmax", id);
    const auto logits = attn::vectors::numbers(c.input.at("logits"));
    const auto p = attn::softmax(logits);
    attn::vectors::check_close(p, c.expected.at("p"), c.tolerance);
    attn::vectors::check_close(sum(p), c.expected.at("sum"), c.tolerance);
    attn::vectors::check_close(attn::entropy(p), c.expected.at("entropy_nats"),
                               c.tolerance);
    const Matrix jacobian = attn::softmax_jacobian(p);
    attn::vectors::check_close(jacobian, c.expected.at("jacobian"),
                               c.tolerance);
    attn::vectors::check_close(attn::frobenius_norm(jacobian),
                               c.expected.at("jacobian_frobenius"),
                               c.tolerance);
  }
}

TEST_CASE("the gap that gives 95 % is ln 19, and softmax gives 95 % back",
          "[softmax]") {
  CHECK(attn::required_gap(0.95) == Approx(std::log(19.0)).epsilon(1e-14));
  CHECK(attn::required_gap(0.5) == 0);
  for (const double p : {1e-12, 0.05, 0.3, 0.95, 1 - 1e-9})
    CHECK(attn::softmax({attn::required_gap(p), 0})[0] ==
          Approx(p).epsilon(1e-12));
}

TEST_CASE("a high temperature flattens the weights, a low one picks the best",
          "[softmax]") {
  const std::vector<double> logits{1, 2, 4};
  CHECK(attn::entropy(attn::softmax(logits, 1e6)) ==
        Approx(std::log(3.0)).epsilon(1e-9));
  CHECK(attn::softmax(logits, 1e-3) == std::vector<double>{0, 0, 1});
  CHECK(attn::softmax(logits, 2) == attn::softmax({0.5, 1, 2}));
  CHECK(attn::softmax({-kInfinity, 0, 0}, kDenormal) ==
        std::vector<double>{0, 0.5, 0.5});
}

TEST_CASE("huge and tiny logits neither overflow nor become NaN", "[softmax]") {
  CHECK(attn::softmax({1e300, -1e300}) == std::vector<double>{1, 0});
  CHECK(attn::softmax({-1e300, -1e300}) == std::vector<double>{0.5, 0.5});
  CHECK(attn::softmax({kDenormal, 0, -kDenormal}) == attn::softmax({0, 0, 0}));
  const double most = std::numeric_limits<double>::max();
  CHECK(attn::softmax({most, -most}) == std::vector<double>{1, 0});
  CHECK(attn::softmax({most, -most}, kDenormal) == std::vector<double>{1, 0});
  CHECK(attn::softmax({0, -745}, 1)[1] > 0);
  CHECK(attn::softmax({0, -746}, 1)[1] == 0);
}

TEST_CASE("a fully masked row is zeros and is flagged", "[softmax]") {
  Matrix scores(2, 2);
  scores << -kInfinity, -kInfinity, 0, -kInfinity;
  Matrix expected(2, 2);
  expected << 0, 0, 1, 0;
  CHECK(attn::softmax_rows(scores) == expected);
  CHECK(attn::softmax_rows(scores, 3) == expected);
  CHECK(attn::fully_masked_rows(scores) == std::vector<bool>{true, false});
  CHECK(attn::entropy_rows(expected) == std::vector<double>{0, 0});
}

TEST_CASE(
    "for 1000 seeds: rows sum to 1, a shift changes nothing, order and "
    "monotony are kept, the Jacobian's rows sum to 0",
    "[softmax][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix scores = 4 * random_matrix(rng, 1, 4, 1, 9);
    const Matrix weights = attn::softmax_rows(scores);
    const Matrix shifted =
        attn::softmax_rows((scores.array() + 64 * rng.normal()).matrix());
    INFO("seed " << seed);
    bool holds = attn::max_gap(weights, shifted) < 1e-12;
    for (attn::Index i = 0; i < weights.rows(); ++i) {
      holds = holds && std::abs(weights.row(i).sum() - 1) < 1e-14;
      for (attn::Index j = 1; j < weights.cols(); ++j)
        holds = holds && (scores(i, j) > scores(i, j - 1)) ==
                             (weights(i, j) > weights(i, j - 1));
    }
    const std::vector<double> first(weights.data(),
                                    weights.data() + weights.cols());
    const Matrix jacobian = attn::softmax_jacobian(first);
    holds = holds && jacobian.rowwise().sum().cwiseAbs().maxCoeff() < 1e-15;
    holds = holds && attn::symmetry_gap(jacobian) == 0;
    const double h = attn::entropy(first);
    holds = holds && h >= 0 && h <= std::log(double(first.size())) + 1e-12;
    CHECK(holds);
  }
}

TEST_CASE("the Jacobian is the derivative of softmax", "[softmax]") {
  attn::Rng rng(5);
  const Matrix x = attn::normal_matrix(rng, 1, 6);
  const Matrix g = attn::normal_matrix(rng, 1, 6);
  const auto p = attn::softmax({x.data(), x.data() + 6});
  const Matrix expected = finite_difference(
      x, g, [](const Matrix& at) { return attn::softmax_rows(at); });
  CHECK(attn::max_gap(attn::product(g, attn::softmax_jacobian(p)), expected) <
        1e-9);
}

TEST_CASE("logits that are no logits are refused with a code",
          "[softmax][error]") {
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::softmax({}); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::softmax_rows(Matrix(0, 3)); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::softmax({1, kNan}); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::softmax({kInfinity}); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::softmax(std::vector<double>((std::size_t{1} << 22U) + 1));
  }));
  for (const double t : {0.0, -1.0, kNan, kInfinity})
    CHECK(refuses(ErrorCode::kInvalidArgument, [t] {
      attn::softmax({1, 2}, t);
    }));
}

TEST_CASE("what is not a distribution has no entropy", "[softmax][error]") {
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::entropy({0.15, 0.05, 0.95});
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::entropy({1.5, -0.5});
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::entropy({kNan}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::softmax_jacobian({0.4, 0.4});
  }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::softmax_jacobian(std::vector<double>(2049, 1.0 / 2049));
  }));
  for (const double p : {0.0, 1.0, -0.1, kNan})
    CHECK(refuses(ErrorCode::kInvalidArgument, [p] { attn::required_gap(p); }));
}
