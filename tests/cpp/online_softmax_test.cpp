// online_softmax: running maximum and sum, and the merge of blocks in any order
// (vectors 10); 1,000 random rows for what the vectors do not cover.
#include <attn/error.hpp>
#include <attn/online_softmax.hpp>
#include <attn/rng.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::MergeOrder;
using attn::SoftmaxState;
using attn::vectors::check_close;
using attn::vectors::json;
using attn::vectors::load;
using attn::vectors::matrix;
using attn::vectors::numbers;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

void check_state(const SoftmaxState& s, const json& expected,
                 double tolerance) {
  check_close(s.max, expected.at("m"), tolerance);
  check_close(s.sum, expected.at("l"), tolerance);
  check_close(s.output, expected.at("o"), tolerance);
}

double gap(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// The states of the three blocks of two that most vectors cut.
std::vector<SoftmaxState> thirds(const json& input) {
  return attn::blockwise_softmax(numbers(input.at("scores")),
                                 matrix(input.at("V")), 2)
      .blocks;
}

struct RandomRow {
  std::vector<double> scores;
  Matrix v;
};

/// 1 … 16 scores, a fifth of them masked, some of them in the hundreds.
RandomRow random_row(std::uint32_t seed) {
  attn::Rng rng(seed);
  const int n = 1 + rng.below(16);
  const double size = rng.below(3) == 0 ? 500 : 3;
  RandomRow row;
  for (int i = 0; i < n; ++i)
    row.scores.push_back(rng.below(5) == 0 ? -kInf : size * rng.normal());
  row.v = attn::normal_matrix(rng, n, 1 + rng.below(4));
  return row;
}

}  // namespace

TEST_CASE("the scan's m and l after each of six scores",
          "[online_softmax][vectors]") {
  const auto c = load("10_online_softmax", "scan_one_by_one");
  const auto scan = attn::online_scan(numbers(c.input.at("scores")));
  const auto& steps = c.expected.at("m_l_after_each");
  REQUIRE(scan.max.size() == steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    check_close(scan.max[i], steps[i][0], c.tolerance);
    check_close(scan.sum[i], steps[i][1], c.tolerance);
  }
  check_close(scan.log_sum_exp, c.expected.at("logsumexp"), c.tolerance);
  CHECK_FALSE(scan.fully_masked);
}

TEST_CASE("three blocks of two, merged, are the row in one piece",
          "[online_softmax][vectors]") {
  const auto c = load("10_online_softmax", "three_blocks_of_two");
  const auto t = attn::blockwise_softmax(numbers(c.input.at("scores")),
                                         matrix(c.input.at("V")),
                                         c.input.at("block").get<int>());
  REQUIRE(t.blocks.size() == 3);
  REQUIRE(t.merges.size() == 2);
  check_state(t.blocks[0], c.expected.at("A"), c.tolerance);
  check_state(t.blocks[1], c.expected.at("B"), c.tolerance);
  check_state(t.blocks[2], c.expected.at("C"), c.tolerance);
  check_state(t.merges[0], c.expected.at("AB"), c.tolerance);
  check_state(t.merges[1], c.expected.at("ABC"), c.tolerance);
  check_state(t.merged, c.expected.at("ABC"), c.tolerance);
  check_state(t.whole, c.expected.at("full"), c.tolerance);
  CHECK(t.gap <= 1e-15);
}

TEST_CASE("merging from the back or turned around changes nothing",
          "[online_softmax][vectors]") {
  const auto c = load("10_online_softmax", "associativity_and_order");
  const auto b = thirds(c.input);
  const auto a_bc = attn::merge_states(b[0], attn::merge_states(b[1], b[2]));
  const auto cb_a = attn::merge_states(attn::merge_states(b[2], b[1]), b[0]);
  check_close(a_bc.output, c.expected.at("A_(BC)"), c.tolerance);
  check_close(cb_a.output, c.expected.at("(CB)A"), c.tolerance);
  const auto whole =
      attn::block_state(numbers(c.input.at("scores")), matrix(c.input.at("V")));
  check_close(whole.output, c.expected.at("full"), c.tolerance);
}

TEST_CASE("scores of a thousand do not overflow", "[online_softmax][vectors]") {
  const auto c = load("10_online_softmax", "large_scores_no_overflow");
  const auto t = attn::blockwise_softmax(numbers(c.input.at("scores")),
                                         matrix(c.input.at("V")), 2);
  check_state(t.whole, c.expected.at("full"), c.tolerance);
  check_close(t.merged.output, c.expected.at("merged_o"), c.tolerance);
}

TEST_CASE("a fully masked block is neutral", "[online_softmax][vectors]") {
  const auto c = load("10_online_softmax", "fully_masked_block_is_neutral");
  const auto masked = attn::block_state(numbers(c.input.at("scores_masked")),
                                        matrix(c.input.at("V")));
  check_state(masked, c.expected.at("state"), c.tolerance);
  const auto a =
      thirds(load("10_online_softmax", "three_blocks_of_two").input)[0];
  check_state(attn::merge_states(masked, a), c.expected.at("merge_with_A"),
              c.tolerance);
  check_state(attn::merge_states(a, masked), c.expected.at("merge_with_A"),
              c.tolerance);
}

TEST_CASE("averaging block softmaxes is the mistake it is said to be",
          "[online_softmax]") {
  const Matrix v = Matrix::Identity(2, 2);
  const auto t = attn::blockwise_softmax({0, 1}, v, 1);
  CHECK(t.averaged_weights == std::vector<double>{0.5, 0.5});
  CHECK(t.averaged_output == std::vector<double>{0.5, 0.5});
  CHECK(std::abs(t.weights[0] - 0.2689414213699951) < 1e-15);
  CHECK(std::abs(t.weights[1] - 0.7310585786300049) < 1e-15);
}

TEST_CASE("a shift of all scores by a thousand changes no weight",
          "[online_softmax]") {
  const Matrix v = Matrix::Identity(3, 3);
  const auto low = attn::blockwise_softmax({1, 3, -2}, v, 2);
  const auto high = attn::blockwise_softmax({1001, 1003, 998}, v, 2);
  CHECK(gap(low.weights, high.weights) <= 1e-15);
}

TEST_CASE("any order of merging any blocks is softmax of the whole row",
          "[online_softmax][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const auto [scores, v] = random_row(seed);
    const auto exact = attn::softmax(scores);
    const Index block = 1 + static_cast<Index>(seed % 5);
    for (const auto order :
         {MergeOrder::kForward, MergeOrder::kBackward, MergeOrder::kPairwise}) {
      const auto t = attn::blockwise_softmax(scores, v, block, order);
      REQUIRE(t.merges.size() == t.blocks.size() - 1);
      worst = std::max({worst, t.gap, gap(t.weights, exact),
                        std::abs(t.merged.sum - t.whole.sum)});
      REQUIRE(t.merged.max == t.whole.max);
      REQUIRE(t.fully_masked == (t.whole.max == -kInf));
    }
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-13);
}

TEST_CASE("the scan never falls back and ends at the state of the whole row",
          "[online_softmax][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const auto [scores, v] = random_row(seed);
    const auto scan = attn::online_scan(scores);
    const auto whole = attn::block_state(scores, v);
    for (size_t i = 1; i < scores.size(); ++i)
      REQUIRE(scan.max[i] >= scan.max[i - 1]);
    REQUIRE(scan.max.back() == whole.max);
    REQUIRE(scan.fully_masked == (whole.sum == 0));
    if (scan.fully_masked) {
      REQUIRE(scan.log_sum_exp == -kInf);
      REQUIRE(scan.sum.back() == 0);
      continue;
    }
    worst = std::max(worst, std::abs(scan.sum.back() - whole.sum));
    // The weights of the whole row: exp(s − L).
    double sum = 0;
    for (const double s : scores) sum += std::exp(s - scan.log_sum_exp);
    worst = std::max(worst, std::abs(sum - 1));
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-12);
}

TEST_CASE("an all-masked row in blocks gives zeros and a flag, not NaN",
          "[online_softmax]") {
  const auto t =
      attn::blockwise_softmax({-kInf, -kInf, -kInf}, Matrix::Ones(3, 2), 2);
  CHECK(t.fully_masked);
  CHECK(t.merged.output == std::vector<double>{0, 0});
  CHECK(t.weights == std::vector<double>{0, 0, 0});
  CHECK(t.averaged_weights == std::vector<double>{0, 0, 0});
  CHECK(t.gap == 0);
}

TEST_CASE("values near the largest double merge without overflow",
          "[online_softmax]") {
  const double large = 1e308;
  const Matrix v = Matrix::Constant(4, 1, large);
  const auto t = attn::blockwise_softmax({0, 0, 0, 0}, v, 1);
  CHECK(t.merged.output[0] == Approx(large));
  CHECK(t.whole.output[0] == Approx(large));
}

TEST_CASE("online softmax refuses by code", "[online_softmax][error]") {
  const Matrix v = Matrix::Ones(2, 1);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::online_scan({}); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::online_scan({0, nan}); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::online_scan({kInf}); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::online_scan(std::vector<double>((size_t{1} << 22) + 1));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { attn::block_state({1}, v); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::block_state({1}, Matrix(1, 0)); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::block_state({1}, Matrix::Constant(1, 1, nan)); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::blockwise_softmax({1, 2}, v, 0);
  }));
  const SoftmaxState good{0, 1, {1}};
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::merge_states(good, {0, 1, {1, 2}});
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::merge_states(good, {0, -1, {1}});
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::merge_states(good, {-kInf, 1, {1}});
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::merge_states(good, {0, kInf, {1}});
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::merge_states(good, {0, 1, {nan}});
  }));
}
