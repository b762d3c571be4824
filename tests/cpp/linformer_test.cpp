// linformer: attention to slots that mix tokens (vectors 11); 1,000 random
// shapes for what the vectors do not cover.
#include <attn/attention.hpp>
#include <attn/error.hpp>
#include <attn/linformer.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::max_gap;
using attn::vectors::check_close;
using attn::vectors::json;
using attn::vectors::load;
using attn::vectors::matrix;
using attn::vectors::row;

namespace {

attn::LinformerTrace run(const json& input) {
  return attn::linformer_attention(matrix(input.at("Q")), matrix(input.at("K")),
                                   matrix(input.at("V")), matrix(input.at("E")),
                                   matrix(input.at("F")));
}

Matrix exact(const json& input) {
  return attn::attention(matrix(input.at("Q")), matrix(input.at("K")),
                         matrix(input.at("V")))
      .output;
}

}  // namespace

TEST_CASE("four tokens in two slots, mean-pooled", "[linformer][vectors]") {
  const auto c = load("11_linformer", "mean_pool_k2");
  CHECK(attn::mean_pool_projection(2, 4) == matrix(c.input.at("E")));
  const auto t = run(c.input);
  check_close(t.projected_keys, c.expected.at("EK"), c.tolerance);
  check_close(t.projected_values, c.expected.at("FV"), c.tolerance);
  check_close(t.weights, c.expected.at("weights_n_by_k"), c.tolerance);
  check_close(t.output, c.expected.at("output"), c.tolerance);
  const Matrix whole = exact(c.input);
  check_close(whole, c.expected.at("exact_output"), c.tolerance);
  check_close(max_gap(t.output, whole), c.expected.at("max_error"),
              c.tolerance);
}

TEST_CASE("one slot a token is exact attention", "[linformer][vectors]") {
  const auto c = load("11_linformer", "identity_E_is_exact");
  CHECK(attn::identity_projection(4) == matrix(c.input.at("E")));
  const auto t = run(c.input);
  check_close(t.output, c.expected.at("output"), c.tolerance);
  CHECK(t.output == exact(c.input));
}

TEST_CASE("a future token moves the first output", "[linformer][vectors]") {
  const auto c = load("11_linformer", "causal_leak");
  const auto leak = attn::linformer_leak(
      matrix(c.input.at("Q")), matrix(c.input.at("K")), matrix(c.input.at("V")),
      matrix(c.input.at("E")), matrix(c.input.at("E")),
      c.input.at("changed_row").get<int>(), row(c.input.at("K_row")),
      row(c.input.at("V_row")));
  const Matrix before = leak.before.row(0);
  const Matrix after = leak.after.row(0);
  check_close(before, json::array({c.expected.at("output_row0_before")}),
              c.tolerance);
  check_close(after, json::array({c.expected.at("output_row0_after")}),
              c.tolerance);
  CHECK(leak.change(0, 0) == Approx(24.729621542407685 - 0.6739903131513351));
}

TEST_CASE("n / k times fewer weights, and parameters that tie n down",
          "[linformer][vectors]") {
  const auto c = load("11_linformer", "cost");
  const double slots = c.input.at("k");
  for (size_t i = 0; i < c.input.at("n").size(); ++i) {
    const auto cost = attn::linformer_cost(c.input.at("n").at(i), slots);
    CHECK(cost.exact_entries == c.expected.at("exact_weight_entries").at(i));
    CHECK(cost.linformer_entries ==
          c.expected.at("linformer_weight_entries").at(i));
    CHECK(cost.ratio == c.expected.at("ratio").at(i));
    CHECK(cost.projection_parameters ==
          c.expected.at("extra_projection_params_E_and_F").at(i));
  }
}

TEST_CASE("Theorem 1 asks for 333 slots at n = 4096", "[linformer][vectors]") {
  const auto c = load("11_linformer", "theorem1_k");
  check_close(attn::linformer_theorem_slots(c.input.at("n"), c.input.at("eps")),
              c.expected.at("k_5_ln_n_over_eps2_minus_eps3"), c.tolerance);
}

TEST_CASE("counted operations are linear in n and equal the formula",
          "[linformer]") {
  for (const Index n : {1, 5, 32, 64})
    for (const Index s : {1, 3, 8})
      for (const Index d : {1, 2, 7}) {
        const auto tally = attn::linformer_operations(n, s, d);
        CHECK(tally.multiplications == 4 * n * s * d);
        CHECK(tally.exponentials == n * s);
        // E·K and F·V, Q·(EK)ᵀ, weights·(FV); shift and sum of the softmax.
        CHECK(tally.additions == 2 * s * d * (n - 1) + n * s * (d - 1) +
                                     n * d * (s - 1) + n * s + n * (s - 1));
      }
}

TEST_CASE("errors over seeds are those of each seed", "[linformer]") {
  attn::Rng rng(8);
  const Matrix q = attn::normal_matrix(rng, 5, 3);
  const Matrix k = attn::normal_matrix(rng, 6, 3);
  const Matrix exact = attn::attention(q, k, k).output;
  const auto spread = attn::linformer_errors(q, k, k, 4, 3, 20);
  double sum = 0;
  double largest = 0;
  for (std::uint32_t seed = 20; seed < 23; ++seed) {
    const Matrix e = attn::random_projection(4, 6, seed);
    const double error =
        max_gap(attn::linformer_attention(q, k, k, e, e).output, exact);
    sum += error;
    largest = std::max(largest, error);
  }
  CHECK(spread.mean == Approx(sum / 3).epsilon(1e-14));
  CHECK(spread.largest == largest);
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::linformer_errors(q, k, k, 4, 0, 1); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::linformer_errors(q, k, k, 0, 1, 1); }));
}

TEST_CASE("random slots: shapes, distributions, and identity is attention",
          "[linformer][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index n = 1 + rng.below(6);
    const Index m = 1 + rng.below(9);
    const Index d = 1 + rng.below(5);
    const Index d_v = 1 + rng.below(5);
    const Index slots = 1 + rng.below(static_cast<int>(m));
    const Matrix q = attn::normal_matrix(rng, n, d);
    const Matrix k = attn::normal_matrix(rng, m, d);
    const Matrix v = attn::normal_matrix(rng, m, d_v);
    const Matrix pool = attn::mean_pool_projection(slots, m);
    const auto t = attn::linformer_attention(
        q, k, v, pool, attn::random_projection(slots, m, seed));
    REQUIRE(t.scores.rows() == n);
    REQUIRE(t.scores.cols() == slots);
    for (Index i = 0; i < n; ++i)
      worst = std::max(worst, std::abs(t.weights.row(i).sum() - 1));
    // Each token is in exactly one run, and each run's weights sum to 1.
    for (Index j = 0; j < m; ++j)
      REQUIRE((pool.col(j).array() != 0).count() == 1);
    for (Index s = 0; s < slots; ++s)
      worst = std::max(worst, std::abs(pool.row(s).sum() - 1));
    const Matrix one = attn::identity_projection(m);
    REQUIRE(attn::linformer_attention(q, k, v, one, one).output ==
            attn::attention(q, k, v).output);
  }
  CHECK(worst <= 1e-14);
}

TEST_CASE("a changed token moves every row, an unchanged one moves none",
          "[linformer][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index m = 2 + rng.below(7);
    const Matrix x = attn::normal_matrix(rng, m, 3);
    const Matrix k_row = attn::normal_matrix(rng, 1, 3);
    const Matrix one = attn::identity_projection(m);
    const Index token = rng.below(static_cast<int>(m));
    // Even exact attention without a mask leaks: every row sees every token.
    const auto leak =
        attn::linformer_leak(x, x, x, one, one, token, k_row, k_row);
    REQUIRE(leak.change.minCoeff() > 0);
    // Replacing a token by itself changes nothing.
    const Matrix same = x.row(token);
    const Matrix pool = attn::mean_pool_projection(2, m);
    REQUIRE(attn::linformer_leak(x, x, x, pool, pool, token, same, same)
                .change.maxCoeff() == 0);
  }
}

TEST_CASE("the random projection keeps lengths on average and its seed",
          "[linformer]") {
  const Matrix x = Matrix::Ones(1, 8);
  double sum = 0;
  constexpr int kDraws = 2000;
  for (std::uint32_t seed = 0; seed < kDraws; ++seed) {
    const Matrix e = attn::random_projection(4, 8, seed);
    sum += attn::product(e, x.transpose()).squaredNorm();
  }
  // |Ex|² has mean 8 and deviation 8·√(2/4): five standard errors.
  CHECK(std::abs(sum / kDraws - 8) < 5 * 8 * std::sqrt(0.5 / kDraws));
  CHECK(attn::random_projection(4, 8, 7) == attn::random_projection(4, 8, 7));
  CHECK(attn::random_projection(4, 8, 7) != attn::random_projection(4, 8, 8));
}

TEST_CASE("Linformer refuses by code", "[linformer][error]") {
  const Matrix a = Matrix::Ones(4, 2);
  const Matrix e = Matrix::Ones(2, 4);
  const auto bad = [&](ErrorCode code, const Matrix& q, const Matrix& k,
                       const Matrix& v, const Matrix& e1, const Matrix& f1) {
    return refuses(code, [&] { attn::linformer_attention(q, k, v, e1, f1); });
  };
  CHECK(bad(ErrorCode::kEmptyInput, Matrix(0, 2), a, a, e, e));
  CHECK(bad(ErrorCode::kShapeMismatch, Matrix::Ones(4, 3), a, a, e, e));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, Matrix::Ones(3, 2), e, e));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, a, Matrix::Ones(4, 2), e));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, a, e, Matrix::Ones(3, 4)));
  Matrix nan = a;
  nan(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(bad(ErrorCode::kNotFinite, a, nan, a, e, e));
  CHECK(bad(ErrorCode::kDiverged, a, 1e308 * a, a, e, e));
  CHECK(bad(ErrorCode::kTooLarge, Matrix::Ones(4096, 1), Matrix::Ones(1, 1),
            Matrix::Ones(1, 1), Matrix::Ones(2048, 1), Matrix::Ones(2048, 1)));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::mean_pool_projection(5, 4); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::random_projection(0, 4, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] { attn::identity_projection(4096); }));
  const Matrix r = Matrix::Ones(1, 2);
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::linformer_leak(a, a, a, e, e, 4, r, r); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::linformer_leak(a, a, a, e, e, 0, Matrix::Ones(1, 3), r);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::linformer_cost(1.5, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] { attn::linformer_cost(1e9, 1); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::linformer_theorem_slots(4096, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::linformer_operations(4096, 256, 64); }));
}
