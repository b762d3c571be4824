// performer: random features, their bias and variance, and attention in two
// orders (vectors 12); 1,000 random shapes for what the vectors do not cover.
#include <attn/attention.hpp>
#include <attn/error.hpp>
#include <attn/performer.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::FeatureKind;
using attn::Index;
using attn::Matrix;
using attn::max_gap;
using attn::vectors::check_close;
using attn::vectors::json;
using attn::vectors::load;
using attn::vectors::matrix;
using attn::vectors::row;

namespace {

constexpr auto kKinds = {FeatureKind::kPositive, FeatureKind::kHyperbolic,
                         FeatureKind::kTrigonometric};

double of_kind(const attn::KernelMse& mse, FeatureKind kind) {
  if (kind == FeatureKind::kPositive) return mse.positive;
  if (kind == FeatureKind::kHyperbolic) return mse.hyperbolic;
  return mse.trigonometric;
}

Matrix pair_of(double a, double b) {
  Matrix m(1, 2);
  m << a, b;
  return m;
}

const Matrix kX = pair_of(0.3, -0.2);
const Matrix kY = pair_of(0.5, 0.4);

double orthogonality_gap(const Matrix& u) {
  return max_gap(attn::product(u, u.transpose()),
                 Matrix::Identity(u.rows(), u.rows()));
}

struct Problem {
  Matrix q, k, v, omega;
  FeatureKind kind;
  bool causal;
};

Problem random_problem(std::uint32_t seed) {
  attn::Rng rng(seed);
  const Index n = 1 + rng.below(7);
  const bool causal = rng.below(2) == 0;
  const Index m = causal ? n : 1 + rng.below(7);
  const Index d = 1 + rng.below(4);
  const Index features = 1 + rng.below(9);
  return {attn::normal_matrix(rng, n, d),
          attn::normal_matrix(rng, m, d),
          attn::normal_matrix(rng, m, 1 + rng.below(4)),
          seed % 2 == 0 ? attn::gaussian_omega(features, d, seed)
                        : attn::orthogonal_omega(features, d, seed),
          static_cast<FeatureKind>(rng.below(3)),
          causal};
}

}  // namespace

TEST_CASE("features of four fixed directions", "[performer][vectors]") {
  const auto c = load("12_favor", "features");
  const Matrix x = row(c.input.at("x"));
  const Matrix y = row(c.input.at("y"));
  const Matrix omega = matrix(c.input.at("omega"));
  check_close(attn::random_features(x, omega, FeatureKind::kPositive),
              json::array({c.expected.at("phi_plus_x")}), c.tolerance);
  check_close(attn::random_features(y, omega, FeatureKind::kPositive),
              json::array({c.expected.at("phi_plus_y")}), c.tolerance);
  const std::vector<std::pair<FeatureKind, const char*>> expected{
      {FeatureKind::kPositive, "estimate_plus"},
      {FeatureKind::kHyperbolic, "estimate_hyp"},
      {FeatureKind::kTrigonometric, "estimate_trig"}};
  for (const auto& [kind, key] : expected) {
    const auto e = attn::kernel_estimate(x, y, omega, kind);
    check_close(e.estimate, c.expected.at(key), c.tolerance);
    check_close(e.exact, c.expected.at("exact_kernel"), c.tolerance);
    CHECK(e.relative_error == Approx(e.estimate / e.exact - 1));
  }
}

TEST_CASE("the expectation by quadrature is the kernel",
          "[performer][vectors]") {
  const auto c = load("12_favor", "unbiased_by_quadrature");
  const Matrix x = row(c.input.at("x"));
  const Matrix y = row(c.input.at("y"));
  check_close(attn::kernel_expectation(x, y, FeatureKind::kPositive),
              c.expected.at("expectation_plus"), c.tolerance);
  for (const auto kind : kKinds)
    check_close(attn::kernel_expectation(x, y, kind),
                c.expected.at("exact_kernel"), 1e-13);
}

TEST_CASE("Lemma 2's three errors", "[performer][vectors]") {
  const auto c = load("12_favor", "lemma2_mse");
  const auto mse = attn::kernel_mse(row(c.input.at("x")), row(c.input.at("y")),
                                    c.input.at("m").get<int>());
  check_close(mse.positive, c.expected.at("mse_plus"), c.tolerance);
  check_close(mse.trigonometric, c.expected.at("mse_trig"), c.tolerance);
  check_close(mse.hyperbolic, c.expected.at("mse_hyp"), c.tolerance);
  check_close(mse.norm2_sum, c.expected.at("norm2_x_plus_y"), c.tolerance);
  check_close(mse.norm2_difference, c.expected.at("norm2_x_minus_y"),
              c.tolerance);
}

TEST_CASE("the relative deviation explodes with |x + y|²",
          "[performer][vectors]") {
  const auto c = load("12_favor", "relative_std_explodes");
  const auto& norms = c.input.at("norm2_x_plus_y");
  for (size_t i = 0; i < norms.size(); ++i)
    check_close(
        attn::relative_deviation(norms.at(i), c.input.at("m").get<int>()),
        c.expected.at("relative_std").at(i), c.tolerance);
}

TEST_CASE("linear and quadratic order, and running sums",
          "[performer][vectors]") {
  const auto c = load("12_favor", "linear_attention_two_orders");
  const Matrix q = matrix(c.input.at("Q"));
  const Matrix k = matrix(c.input.at("K"));
  const Matrix v = matrix(c.input.at("V"));
  const Matrix omega = matrix(c.input.at("omega"));
  const auto kind = FeatureKind::kPositive;
  const auto linear = attn::performer_attention(q, k, v, omega, kind);
  const auto quadratic = attn::performer_quadratic(q, k, v, omega, kind);
  const Matrix exact = attn::attention(q, k, v).output;
  check_close(linear.output, c.expected.at("linear_order"), c.tolerance);
  check_close(quadratic.output, c.expected.at("quadratic_order"), c.tolerance);
  CHECK(max_gap(linear.output, quadratic.output) <= 1e-15);
  check_close(exact, c.expected.at("exact_softmax_attention"), c.tolerance);
  check_close(max_gap(linear.output, exact),
              c.expected.at("approximation_error"), c.tolerance);
  check_close(attn::performer_attention(q, k, v, omega, kind, true).output,
              c.expected.at("causal_prefix_sum"), c.tolerance);
}

TEST_CASE("Gram–Schmidt on three vectors", "[performer][vectors]") {
  const auto c = load("12_favor", "gram_schmidt_orthogonal_features");
  check_close(attn::gram_schmidt(matrix(c.input.at("vectors"))),
              c.expected.at("orthonormal"), c.tolerance);
}

TEST_CASE("both orders are the same numbers on random shapes",
          "[performer][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Problem p = random_problem(seed);
    const auto linear =
        attn::performer_attention(p.q, p.k, p.v, p.omega, p.kind, p.causal);
    const auto quadratic =
        attn::performer_quadratic(p.q, p.k, p.v, p.omega, p.kind, p.causal);
    for (Index i = 0; i < p.q.rows(); ++i) {
      // Trigonometric weights have both signs, and a sum near 0 magnifies.
      const double norm = linear.normaliser[static_cast<size_t>(i)];
      double size = 0;
      for (Index j = 0; j < p.k.rows(); ++j)
        size += std::abs(quadratic.kernel(i, j));
      for (Index col = 0; col < p.v.cols(); ++col) {
        const double scale =
            (1 + std::abs(linear.output(i, col))) * size / std::abs(norm);
        worst = std::max(
            worst,
            std::abs(linear.output(i, col) - quadratic.output(i, col)) / scale);
      }
      if (p.kind != FeatureKind::kTrigonometric) REQUIRE(norm > 0);
    }
    // A causal row is the last row of the whole run on its own prefix.
    if (!p.causal) continue;
    const Index last = p.q.rows() / 2;
    const auto prefix = attn::performer_quadratic(
        p.q.topRows(last + 1), p.k.topRows(last + 1), p.v.topRows(last + 1),
        p.omega, p.kind, false);
    REQUIRE(prefix.output.row(last) == quadratic.output.row(last));
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-12);
}

TEST_CASE("positive features give weights that are a distribution",
          "[performer][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Problem p = random_problem(seed);
    p.v = Matrix::Ones(p.k.rows(), 1);
    const auto t = attn::performer_attention(p.q, p.k, p.v, p.omega,
                                             FeatureKind::kPositive, p.causal);
    REQUIRE(t.query_features.minCoeff() > 0);
    worst = std::max(worst, (t.output.array() - 1).abs().maxCoeff());
  }
  CHECK(worst <= 1e-14);
}

TEST_CASE("all three kinds are unbiased in any number of dimensions",
          "[performer][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index d = 1 + rng.below(6);
    Matrix x = attn::normal_matrix(rng, 1, d);
    Matrix y = attn::normal_matrix(rng, 1, d);
    // Lengths up to 1.4, so that |x ± y|² ≤ 8.
    x *= 1.4 * rng.uniform() / x.norm();
    y *= 1.4 * rng.uniform() / y.norm();
    if (seed % 10 == 0) y = -0.5 * x;
    if (seed % 10 == 1) x.setZero();
    const double exact = std::exp(x.cwiseProduct(y).sum());
    const auto kind = static_cast<FeatureKind>(seed % 3);
    worst = std::max(
        worst, std::abs(attn::kernel_expectation(x, y, kind) / exact - 1));
  }
  INFO("worst relative gap " << worst);
  CHECK(worst <= 1e-12);
}

TEST_CASE("Lemma 2 equals quadrature of the squared error",
          "[performer][property]") {
  // One feature: E[estimate²] − SM². For the positive kind the square of
  // exp(ω·z − a) is exp(ω·2z − 2a), a kernel estimate of other vectors.
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index d = 1 + rng.below(4);
    Matrix x = attn::normal_matrix(rng, 1, d);
    Matrix y = attn::normal_matrix(rng, 1, d);
    x *= 0.7 * rng.uniform() / x.norm();
    y *= 0.7 * rng.uniform() / y.norm();
    const auto mse = attn::kernel_mse(x, y, 1);
    const double lengths = x.squaredNorm() + y.squaredNorm();
    const double second =
        attn::kernel_expectation(2 * x, 2 * y, FeatureKind::kPositive) *
        std::exp(lengths);
    const double direct = second - mse.exact * mse.exact;
    worst = std::max(worst, std::abs(mse.positive - direct));
    // r features divide the error by r.
    REQUIRE(attn::kernel_mse(x, y, 8).positive * 8 == Approx(mse.positive));
    REQUIRE(mse.hyperbolic < mse.positive / 2);
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-11);
}

TEST_CASE("measured bias and error agree with Lemma 2", "[performer]") {
  constexpr Index kDraws = 4000;
  for (const auto kind : kKinds) {
    const auto m = attn::measure_kernel(kX, kY, 4, kind, false, kDraws, 1);
    const double mse = of_kind(attn::kernel_mse(kX, kY, 4), kind);
    INFO("kind " << static_cast<int>(kind) << ": bias " << m.bias << " ± "
                 << m.standard_error << ", mse " << m.mse << ", theory "
                 << mse);
    CHECK(std::abs(m.bias) < 4 * m.standard_error);
    CHECK(m.mse == Approx(mse).epsilon(0.15));
    CHECK(m.mse == Approx(m.bias * m.bias + m.variance));
  }
}

TEST_CASE("orthogonal directions stay unbiased and lower the error",
          "[performer]") {
  constexpr Index kDraws = 4000;
  const Matrix x = Matrix::Constant(1, 8, 0.25);
  const auto free =
      attn::measure_kernel(x, x, 8, FeatureKind::kPositive, false, kDraws, 9);
  const auto orthogonal =
      attn::measure_kernel(x, x, 8, FeatureKind::kPositive, true, kDraws, 9);
  CHECK(std::abs(orthogonal.bias) < 4 * orthogonal.standard_error);
  CHECK(orthogonal.mse < 0.9 * free.mse);
}

TEST_CASE("two parts of a run of draws pool into the whole", "[performer]") {
  const auto kind = FeatureKind::kHyperbolic;
  const auto whole = attn::measure_kernel(kX, kY, 3, kind, true, 30, 5);
  const auto first = attn::measure_kernel(kX, kY, 3, kind, true, 10, 5);
  const auto rest = attn::measure_kernel(kX, kY, 3, kind, true, 20, 15);
  CHECK(whole.mean == Approx((first.mean + 2 * rest.mean) / 3));
  CHECK(whole.mse == Approx((first.mse + 2 * rest.mse) / 3));
}

TEST_CASE("a ratio of unbiased estimates is not unbiased", "[performer]") {
  Matrix k(2, 2);
  k << 1.2, 0, -1.2, 0;
  const Matrix q = pair_of(1.2, 0);
  const Matrix v = Matrix::Identity(2, 1);
  const double exact = attn::attention(q, k, v).output(0, 0);
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 2000;
  for (std::uint32_t seed = 0; seed < kDraws; ++seed) {
    const double o =
        attn::performer_attention(q, k, v, attn::gaussian_omega(2, 2, seed),
                                  FeatureKind::kPositive)
            .output(0, 0);
    sum += o;
    squares += o * o;
  }
  const double mean = sum / kDraws;
  const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
  CHECK(std::abs(mean - exact) > 6 * error);
}

TEST_CASE("orthogonal directions are orthogonal within groups of d",
          "[performer][property]") {
  double worst = 0;
  double squares = 0;
  double rows = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Index d = 1 + static_cast<Index>(seed % 7);
    const Index features = 1 + static_cast<Index>(seed % 11);
    const Matrix omega = attn::orthogonal_omega(features, d, seed);
    for (Index first = 0; first < features; first += d) {
      Matrix group = omega.middleRows(first, std::min(d, features - first));
      for (Index r = 0; r < group.rows(); ++r) {
        squares += group.row(r).squaredNorm() / static_cast<double>(d);
        rows += 1;
        group.row(r) /= group.row(r).norm();
      }
      worst = std::max(worst, orthogonality_gap(group));
    }
  }
  CHECK(worst <= 1e-14);
  // Each squared length is χ²(d): on average d.
  CHECK(squares / rows == Approx(1).epsilon(0.05));
}

TEST_CASE(
    "Gram–Schmidt is orthonormal to rounding even on nearly parallel "
    "rows and refuses dependent ones",
    "[performer][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index d = 2 + rng.below(6);
    const Index rows = 1 + rng.below(static_cast<int>(d));
    Matrix vectors = attn::normal_matrix(rng, rows, d);
    if (rows > 1) vectors.row(1) = vectors.row(0) + 1e-7 * vectors.row(1);
    worst = std::max(worst, orthogonality_gap(attn::gram_schmidt(vectors)));
    Matrix dependent = attn::normal_matrix(rng, 2, d);
    dependent.row(1) = 3 * dependent.row(0);
    REQUIRE(refuses(ErrorCode::kInvalidArgument,
                    [&] { attn::gram_schmidt(dependent); }));
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-14);
}

TEST_CASE("errors of the output over seeds shrink with more features",
          "[performer]") {
  attn::Rng rng(9);
  const Matrix q = attn::normal_matrix(rng, 4, 3);
  const Matrix k = attn::normal_matrix(rng, 5, 3);
  const Matrix exact = attn::attention(q, k, k).output;
  const auto few =
      attn::performer_errors(q, k, k, 8, FeatureKind::kPositive, false, 40, 1);
  const auto many = attn::performer_errors(
      q, k, k, 2048, FeatureKind::kPositive, false, 40, 1);
  CHECK(many.mean < few.mean / 4);
  const auto one =
      attn::performer_errors(q, k, k, 8, FeatureKind::kPositive, true, 1, 7);
  CHECK(one.deviation == 0);
  CHECK(one.mean == max_gap(attn::performer_attention(
                                q, k, k, attn::orthogonal_omega(8, 3, 7),
                                FeatureKind::kPositive)
                                .output,
                            exact));
}

TEST_CASE("the deviation of a kind is the root of its error", "[performer]") {
  const auto mse = attn::kernel_mse(kX, kY, 4);
  for (const auto kind : kKinds) {
    const double deviation = attn::kernel_deviation(kX, kY, 4, kind);
    CHECK(deviation * deviation == Approx(of_kind(mse, kind)).epsilon(1e-14));
  }
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::kernel_deviation(kX, kY, 0, FeatureKind::kPositive);
  }));
}

TEST_CASE("as many features as are needed bring the deviation that was asked",
          "[performer]") {
  for (const double norm2 : {0.5, 2.0, 8.0, 16.0}) {
    const double needed = attn::features_needed(norm2, 0.25);
    const double one = attn::relative_deviation(norm2, 1);
    CHECK(one / std::sqrt(needed) == Approx(0.25).epsilon(1e-13));
  }
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::features_needed(1, 0); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::features_needed(-1, 1); }));
  CHECK(refuses(ErrorCode::kDiverged, [] { attn::features_needed(800, 1); }));
}

TEST_CASE("counted operations: one order is linear in n, one is quadratic",
          "[performer]") {
  for (const Index n : {1, 6, 40})
    for (const Index r : {1, 5})
      for (const Index d_v : {1, 3})
        for (const bool causal : {false, true}) {
          const auto t = attn::performer_operations(n, r, d_v, causal);
          const Index pairs = causal ? n * (n + 1) / 2 : n * n;
          CHECK(t.linear.multiplications == n * r * (2 * d_v + 1));
          CHECK(t.quadratic.multiplications == pairs * (r + d_v));
          CHECK(t.linear.divisions == n * d_v);
          CHECK(t.quadratic.divisions == n * d_v);
        }
}

TEST_CASE("features that underflow give zeros and a flag, not NaN",
          "[performer]") {
  const Matrix far = Matrix::Constant(1, 1, 60);
  const Matrix omega = Matrix::Constant(1, 1, 0.1);
  const Matrix v = Matrix::Ones(1, 2);
  const auto linear = attn::performer_attention(far, far, v, omega,
                                                FeatureKind::kPositive, true);
  const auto quadratic = attn::performer_quadratic(
      far, far, v, omega, FeatureKind::kPositive, true);
  CHECK(linear.vanished == std::vector<bool>{true});
  CHECK(quadratic.vanished == std::vector<bool>{true});
  CHECK(linear.output == Matrix::Zero(1, 2));
  CHECK(quadratic.output == Matrix::Zero(1, 2));
}

TEST_CASE("Performer refuses by code", "[performer][error]") {
  const Matrix a = Matrix::Ones(3, 2);
  const Matrix omega = Matrix::Ones(4, 2);
  const auto kind = FeatureKind::kPositive;
  Matrix nan = a;
  nan(2, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto bad = [&](ErrorCode code, const Matrix& q, const Matrix& k,
                       const Matrix& v, const Matrix& w, bool causal) {
    return refuses(
               code,
               [&] { attn::performer_attention(q, k, v, w, kind, causal); }) &&
           refuses(code, [&] {
             attn::performer_quadratic(q, k, v, w, kind, causal);
           });
  };
  CHECK(bad(ErrorCode::kEmptyInput, a, a, Matrix(3, 0), omega, false));
  CHECK(bad(ErrorCode::kNotFinite, nan, a, a, omega, false));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, Matrix::Ones(2, 2), omega, false));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, a, Matrix::Ones(4, 3), false));
  CHECK(bad(ErrorCode::kShapeMismatch, Matrix::Ones(2, 2), a, a, omega, true));
  CHECK(bad(ErrorCode::kDiverged, a, a, a, 1e4 * omega, false));
  const Matrix tall = Matrix::Ones(2049, 1);
  CHECK(refuses(ErrorCode::kTooLarge, [&] {
    attn::performer_quadratic(tall, tall, tall, Matrix::Ones(1, 1), kind);
  }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::random_features(tall, tall, kind); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::kernel_estimate(a, a, omega, kind); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::kernel_mse(kX, Matrix::Ones(1, 3), 4); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { attn::kernel_mse(30 * kX, 40 * kY, 4); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::kernel_expectation(kX, Matrix::Ones(1, 3), kind);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::kernel_mse(kX, kY, 0); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::gaussian_omega(0, 2, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::orthogonal_omega(4096, 2048, 1); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::gram_schmidt(Matrix(0, 3)); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::gram_schmidt(Matrix::Zero(1, 3)); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::relative_deviation(-1, 4); }));
  CHECK(
      refuses(ErrorCode::kDiverged, [] { attn::relative_deviation(800, 4); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::measure_kernel(kX, kY, 4, kind, false, 0, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge, [&] {
    attn::measure_kernel(kX, kY, 1 << 20, kind, false, 64, 1);
  }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::performer_operations(4096, 256, 64, false); }));
}
