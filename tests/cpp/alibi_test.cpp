// alibi: slopes by both rules, the bias in both forms, weights and reach.
#include <algorithm>
#include <attn/alibi.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

namespace v = attn::vectors;
using attn::AlibiForm;
using attn::AlibiSlopes;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;

namespace {

const std::string kFile = "07_alibi";

}  // namespace

TEST_CASE("released slopes for any number of heads", "[alibi]") {
  const auto c = v::load(kFile, "slopes");
  for (size_t i = 0; i < c.input["heads"].size(); ++i)
    v::check_close(
        attn::alibi_slopes(c.input["heads"][i], AlibiSlopes::kReleased),
        c.expected["slopes"][i], c.tolerance);
}

TEST_CASE("the paper's sentence and the released code part at 6 heads",
          "[alibi]") {
  const auto c = v::load(kFile, "paper_general_formula_6_heads");
  const Index heads = c.input["heads"];
  v::check_close(attn::alibi_slopes(heads, AlibiSlopes::kPaper),
                 c.expected["paper_text"], c.tolerance);
  v::check_close(attn::alibi_slopes(heads, AlibiSlopes::kReleased),
                 c.expected["released_code"], c.tolerance);
}

TEST_CASE("the bias falls with distance and hides the future", "[alibi]") {
  const auto c = v::load(kFile, "bias_matrix_m_half");
  v::check_close(
      attn::alibi_bias(c.input["m"], c.input["n"], AlibiForm::kDistance),
      c.expected["bias"], c.tolerance);
}

TEST_CASE("equal scores leave weights that are geometric in distance",
          "[alibi]") {
  const auto c = v::load(kFile, "uniform_scores_softmax");
  v::check_close(attn::alibi_weights(c.input["m"], c.input["i"]),
                 nlohmann::json::array({c.expected["weights"]}), c.tolerance);
}

TEST_CASE("a constant added to a row changes no weight", "[alibi]") {
  const auto c = v::load(kFile, "row_constant_shift");
  const double m = c.input["m"];
  const Index n = c.input["n"];
  const Matrix paper =
      attn::softmax_rows(attn::alibi_bias(m, n, AlibiForm::kDistance));
  const Matrix code =
      attn::softmax_rows(attn::alibi_bias(m, n, AlibiForm::kShifted));
  for (Index i = 0; i < n; ++i) {
    const auto& row = c.expected["weights_true_bias"][static_cast<size_t>(i)];
    v::check_close(Matrix(paper.row(i).head(i + 1)),
                   nlohmann::json::array({row}), c.tolerance);
    const auto& same = c.expected["weights_code_bias"][static_cast<size_t>(i)];
    v::check_close(Matrix(code.row(i).head(i + 1)),
                   nlohmann::json::array({same}), c.tolerance);
  }
}

TEST_CASE("steep heads reach 9 tokens, the flattest 1179", "[alibi]") {
  const auto c = v::load(kFile, "effective_window");
  std::vector<double> reach;
  for (const double m : v::numbers(c.input["slopes"]))
    reach.push_back(attn::alibi_reach(m, 0.01));
  v::check_close(reach, c.expected["distance_where_weight_falls_to_1_percent"],
                 c.tolerance);
}

TEST_CASE("for 1000 random slopes both forms give the closed weights",
          "[alibi][property]") {
  double worst = 0;
  double reach = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const double m = 2 * rng.uniform();
    const Index n = 1 + rng.below(20);
    const Matrix paper = attn::alibi_bias(m, n, AlibiForm::kDistance);
    const Matrix code = attn::alibi_bias(m, n, AlibiForm::kShifted);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (j > i) REQUIRE((std::isinf(paper(i, j)) && std::isinf(code(i, j))));
    const Index i = rng.below(static_cast<int>(n));
    const Matrix w = attn::alibi_weights(m, i);
    for (const Matrix& bias : {paper, code})
      worst = std::max(
          worst, attn::max_gap(w, attn::softmax_rows(bias.row(i).head(i + 1))));
    for (Index j = 1; j <= i; ++j)
      worst = std::max(worst, std::abs(w(0, j - 1) - w(0, j) * std::exp(-m)));
    const double share = 1 - rng.uniform();
    const double slope = m + 0.001;
    reach = std::max(
        reach,
        std::abs(std::exp(-slope * attn::alibi_reach(slope, share)) - share));
  }
  CHECK(worst < 1e-14);
  CHECK(reach < 1e-14);
}

TEST_CASE("for 1000 head counts slopes are a geometric series, or two",
          "[alibi][property]") {
  for (Index heads = 1; heads <= 1000; ++heads) {
    const auto paper = attn::alibi_slopes(heads, AlibiSlopes::kPaper);
    const auto code = attn::alibi_slopes(heads, AlibiSlopes::kReleased);
    REQUIRE(static_cast<Index>(paper.size()) == heads);
    REQUIRE(static_cast<Index>(code.size()) == heads);
    REQUIRE(paper.back() == 1.0 / 256);
    const bool power_of_two = (heads & (heads - 1)) == 0;
    REQUIRE((paper == code) == power_of_two);
    for (size_t h = 1; h < paper.size(); ++h)
      REQUIRE(paper[h] / paper[h - 1] == Approx(paper[0]).epsilon(1e-12));
    auto sorted = code;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    REQUIRE(sorted.front() >= 1.0 / 256);
    REQUIRE(sorted.back() < 1);
  }
}

TEST_CASE("alibi functions refuse by code", "[alibi][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refuses(invalid, [] { attn::alibi_slopes(0, AlibiSlopes::kPaper); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::alibi_slopes(1 << 20, AlibiSlopes::kReleased); }));
  CHECK(
      refuses(invalid, [] { attn::alibi_bias(-1, 2, AlibiForm::kDistance); }));
  CHECK(refuses(invalid, [] { attn::alibi_bias(1, 0, AlibiForm::kShifted); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::alibi_bias(nan, 2, AlibiForm::kDistance); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::alibi_bias(1, 4096, AlibiForm::kDistance); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [] { attn::alibi_bias(1e308, 9, AlibiForm::kShifted); }));
  CHECK(refuses(invalid, [] { attn::alibi_weights(1, -1); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::alibi_weights(nan, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::alibi_weights(1, attn::kReferenceLimit); }));
  CHECK(refuses(invalid, [] { attn::alibi_reach(0, 0.01); }));
  CHECK(refuses(invalid, [] { attn::alibi_reach(1, 1.5); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::alibi_reach(1, nan); }));
  CHECK(refuses(ErrorCode::kDiverged, [] {
    attn::alibi_reach(std::numeric_limits<double>::denorm_min(), 0.01);
  }));
}
