// recurrent: powers, the tanh RNN and its Jacobians, norms and eigenvalues.
#include <attn/error.hpp>
#include <attn/recurrent.hpp>
#include <attn/rng.hpp>
#include <attn/work.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "recurrent_steps.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

namespace v = attn::vectors;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;

namespace {

const std::string kFile = "19_rnn_chain";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Rnn {
  Matrix x;
  Matrix w;
  Matrix u;
  Matrix bias;
  Matrix start;
};

Rnn draw(std::uint32_t seed) {
  attn::Rng rng(seed);
  const Matrix x = random_matrix(rng, 1, 6, 1, 3);
  const int d = 1 + rng.below(4);
  const auto m = static_cast<int>(x.cols());
  Rnn c{x, random_matrix(rng, d, d, d, d), random_matrix(rng, d, d, m, m),
        random_matrix(rng, 1, 1, d, d), random_matrix(rng, 1, 1, d, d)};
  c.w *= 0.7;
  return c;
}

attn::RnnTrace forward(const Rnn& c) {
  return attn::rnn_forward(c.x, c.w, c.u, c.bias, c.start);
}

// a_{n−1} as a function of a_t: the recurrence from token t + 1 on.
Matrix last_sum(const Rnn& c, Index t, const Matrix& a) {
  const Index rest = c.x.rows() - 1 - t;
  if (rest == 0) return a;
  const Matrix h = a.array().tanh().matrix();
  return attn::rnn_forward(c.x.bottomRows(rest), c.w, c.u, c.bias, h)
      .before.row(rest - 1);
}

double length(const Matrix& m) { return std::sqrt(m.cwiseAbs2().sum()); }

// A number that counts what is done to it.
struct Counted {
  // NOLINTNEXTLINE(google-explicit-constructor)
  Counted(double v = 0) : value(v) {}
  double value;
  inline static int products = 0;
  inline static int sums = 0;
};
Counted operator*(const Counted& a, const Counted& b) {
  ++Counted::products;
  return {a.value * b.value};
}
Counted& operator+=(Counted& a, const Counted& b) {
  ++Counted::sums;
  a.value += b.value;
  return a;
}
Counted tanh(const Counted& a) { return {std::tanh(a.value)}; }

attn::MatrixOf<Counted> counted(const Matrix& m) {
  attn::MatrixOf<Counted> out(m.rows(), m.cols());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) out(i, j) = m(i, j);
  return out;
}

}  // namespace

TEST_CASE("0.95 to the 20th is 0.36, not 0.35", "[recurrent]") {
  const auto c = v::load(kFile, "powers");
  const auto bases = v::numbers(c.input["base"]);
  for (size_t b = 0; b < bases.size(); ++b) {
    const auto all = attn::powers(bases[b], 3000);
    size_t place = 0;
    for (const auto& exponent : c.input["exponent"]) {
      const double got = all[exponent.get<size_t>()];
      const double want = c.expected["values"][b][place++];
      CHECK(std::abs(got - want) <= c.tolerance * want);
    }
  }
}

TEST_CASE("half-life of 0.95 and doubling time of 1.05", "[recurrent]") {
  const auto c = v::load(kFile, "steps_to_half");
  std::vector<double> steps;
  for (const double base : v::numbers(c.input["base"]))
    steps.push_back(base < 1 ? attn::half_life(base)
                             : attn::doubling_time(base));
  v::check_close(steps, c.expected["steps"], c.tolerance);
}

TEST_CASE("eigenvalues 0 and 0, and yet the Jacobian doubles each step",
          "[recurrent]") {
  const auto c = v::load(kFile, "eigenvalue_counterexample");
  const Matrix w = v::matrix(c.input["W"]);
  v::check_close(attn::matrix_powers(w, 2)[1], c.expected["W_squared"],
                 c.tolerance);
  const Matrix j = attn::step_jacobian(w, v::row(c.input["tanh_prime"]));
  v::check_close(j, c.expected["jacobian_W_D"], c.tolerance);
  v::check_close(attn::eigenvalues_2x2(w).real, c.expected["eigenvalues_of_W"],
                 c.tolerance);
  v::check_close(attn::eigenvalues_2x2(j).real,
                 c.expected["jacobian_eigenvalues"], c.tolerance);
  const auto powers = attn::matrix_powers(j, 5);
  for (size_t t = 0; t < powers.size(); ++t)
    v::check_close(powers[t], c.expected["jacobian_powers"][t], c.tolerance);
  v::check_close(attn::spectral_norm(w), c.expected["spectral_norm_of_W"],
                 c.tolerance);
  CHECK(attn::spectral_radius(w) == 0);
  CHECK(attn::spectral_radius(j) == Approx(2).epsilon(1e-12));
  CHECK(attn::power_iteration(w, 100).value == 0);
  CHECK(attn::power_iteration(j, 100).value == Approx(2).epsilon(1e-12));
}

TEST_CASE("an RNN step is two d × d products: 4·n·d² operations, counted",
          "[recurrent]") {
  attn::Rng rng(1);
  const int n = 5;
  const int d = 7;
  const Matrix x = random_matrix(rng, n, n, d, d);
  const Matrix w = random_matrix(rng, d, d, d, d);
  const Matrix bias = Matrix::Zero(1, d);
  Counted::products = 0;
  Counted::sums = 0;
  const auto t = attn::rnn_steps(counted(x), counted(w), counted(w),
                                 counted(bias), counted(bias));
  CHECK(Counted::products + Counted::sums ==
        attn::sequential_work(n, d).rnn_flops);
  CHECK(t.states(n - 1, 0).value ==
        attn::rnn_forward(x, w, w, bias, bias).states(n - 1, 0));
}

TEST_CASE("for 1000 random factors powers and times agree",
          "[recurrent][property]") {
  double relative = 0;
  double halves = 0;
  double doubles = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const double factor = 0.5 + rng.uniform();
    const int steps = rng.below(200);
    const auto all = attn::powers(factor, steps);
    REQUIRE(all.size() == static_cast<size_t>(steps) + 1);
    REQUIRE(all[0] == 1);
    relative =
        std::max(relative, std::abs(all.back() / std::pow(factor, steps) - 1));
    const double below = 0.01 + 0.98 * rng.uniform();
    const double above = 1.01 + rng.uniform();
    halves = std::max(halves,
                      std::abs(std::pow(below, attn::half_life(below)) - 0.5));
    doubles = std::max(
        doubles, std::abs(std::pow(above, attn::doubling_time(above)) - 2));
  }
  CHECK(relative < 1e-13);
  CHECK(halves < 1e-13);
  CHECK(doubles < 1e-13);
}

TEST_CASE("for 1000 random RNNs the forward pass obeys its equation",
          "[recurrent][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Rnn c = draw(seed);
    const auto t = forward(c);
    Matrix old(c.x.rows(), c.w.rows());
    old.row(0) = c.start;
    if (old.rows() > 1)
      old.bottomRows(old.rows() - 1) = t.states.topRows(old.rows() - 1);
    const Matrix again = attn::product(old, c.w.transpose()) +
                         attn::product(c.x, c.u.transpose()) +
                         c.bias.replicate(c.x.rows(), 1);
    worst = std::max({worst, attn::max_gap(t.before, again),
                      attn::max_gap(t.states, again.array().tanh().matrix())});
  }
  CHECK(worst < 1e-13);
}

TEST_CASE("for 1000 random RNNs Jacobians equal finite differences",
          "[recurrent][property]") {
  double worst = 0;
  double backward = 0;
  double bound = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Rnn c = draw(seed);
    const auto t = forward(c);
    const Index n = c.x.rows();
    const Index d = c.w.rows();
    const auto chain = attn::rnn_jacobians(t.states, c.w);
    REQUIRE(static_cast<Index>(chain.products.size()) == n);
    attn::Rng rng(seed + 3000);
    const Matrix upstream =
        random_matrix(rng, 1, 1, static_cast<int>(d), static_cast<int>(d));
    const auto g = attn::rnn_gradient(t.states, c.w, upstream);
    const double w_norm = attn::spectral_norm(c.w);
    for (Index k = 0; k < n; ++k) {
      const Matrix& p = chain.products[static_cast<size_t>(k)];
      const auto rest = [&](const Matrix& a) {
        return last_sum(c, n - 1 - k, a);
      };
      const Matrix a = t.before.row(n - 1 - k);
      for (Index r = 0; r < d; ++r) {
        Matrix one = Matrix::Zero(1, d);
        one(0, r) = 1;
        const Matrix measured = finite_difference(a, one, rest);
        worst = std::max(worst,
                         attn::max_gap(p.row(r), measured) / (1 + length(p)));
      }
      backward = std::max(backward, attn::max_gap(g.gradients.row(k),
                                                  attn::product(upstream, p)));
      REQUIRE(g.norms[static_cast<size_t>(k)] ==
              Approx(length(g.gradients.row(k))));
      const double norm = chain.norms[static_cast<size_t>(k)];
      REQUIRE(norm == attn::spectral_norm(p));
      bound = std::max(bound, norm - std::pow(w_norm, static_cast<double>(k)));
    }
  }
  CHECK(worst < 1e-8);
  CHECK(backward < 1e-12);
  CHECK(bound < 1e-9);
}

TEST_CASE("for 1000 random matrices powers add and slopes scale columns",
          "[recurrent][property]") {
  double added = 0;
  double scaled = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Rnn c = draw(seed);
    attn::Rng rng(seed);
    const Index a = 1 + rng.below(4);
    const Index b = 1 + rng.below(4);
    const auto p = attn::matrix_powers(c.w, a + b);
    const auto at = [&](Index k) { return p[static_cast<size_t>(k - 1)]; };
    added =
        std::max(added, attn::max_gap(at(a + b), attn::product(at(a), at(b))) /
                            (1 + length(at(a + b))));
    const Matrix diagonal = c.bias.row(0).asDiagonal();
    scaled = std::max(scaled, attn::max_gap(attn::step_jacobian(c.w, c.bias),
                                            attn::product(c.w, diagonal)));
  }
  CHECK(added < 1e-13);
  CHECK(scaled == 0);
}

TEST_CASE("for 1000 random matrices the spectral norm is the longest stretch",
          "[recurrent][property]") {
  double two = 0;
  double rank_one = 0;
  double transposed = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix m = random_matrix(rng, 1, 9, 1, 9);
    const double norm = attn::spectral_norm(m);
    REQUIRE(norm <= length(m) * (1 + 1e-14));
    for (int trial = 0; trial < 5; ++trial) {
      const auto n = static_cast<int>(m.cols());
      const Matrix x = random_matrix(rng, n, n, 1, 1);
      REQUIRE(length(attn::product(m, x)) <= norm * length(x) * (1 + 1e-13));
    }
    transposed = std::max(transposed,
                          std::abs(norm - attn::spectral_norm(m.transpose())));
    const Matrix u = random_matrix(rng, 1, 6, 1, 1);
    const Matrix w = random_matrix(rng, 1, 1, 1, 6);
    rank_one =
        std::max(rank_one, std::abs(attn::spectral_norm(attn::product(u, w)) -
                                    length(u) * length(w)));
    const Matrix s = random_matrix(rng, 2, 2, 2, 2);
    const double p = std::hypot(s(0, 0) + s(1, 1), s(0, 1) - s(1, 0));
    const double q = std::hypot(s(0, 0) - s(1, 1), s(0, 1) + s(1, 0));
    two = std::max(two, std::abs(attn::spectral_norm(s) - (p + q) / 2));
  }
  CHECK(two < 1e-14);
  CHECK(rank_one < 1e-14);
  CHECK(transposed < 1e-13);
}

TEST_CASE("norms at the edges: ties, tiny and huge numbers, zero",
          "[recurrent]") {
  CHECK(attn::spectral_norm(Matrix::Identity(5, 5)) == 1);
  CHECK(attn::spectral_norm(Matrix::Zero(2, 3)) == 0);
  CHECK(attn::spectral_norm(Matrix::Identity(2, 2) * 1e-200) ==
        Approx(1e-200).epsilon(1e-14));
  CHECK(attn::spectral_norm(Matrix::Identity(2, 2) * 1e300) ==
        Approx(1e300).epsilon(1e-14));
  Matrix close = Matrix::Identity(2, 2);
  close(1, 1) = 1 - 1e-9;
  CHECK(attn::spectral_norm(close) == Approx(1).epsilon(1e-14));
  Matrix jordan = Matrix::Identity(6, 6) * 0.5;
  for (Index i = 0; i < 5; ++i) jordan(i, i + 1) = 1;
  CHECK(attn::spectral_radius(jordan) == Approx(0.5).epsilon(1e-9));
  const Matrix nilpotent = jordan - Matrix::Identity(6, 6) * 0.5;
  CHECK(attn::spectral_radius(nilpotent) == 0);
}

TEST_CASE("for 1000 random matrices eigenvalues fit trace, determinant, radius",
          "[recurrent][property]") {
  double trace = 0;
  double determinant = 0;
  double radius = 0;
  double triangular = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix m = random_matrix(rng, 2, 2, 2, 2);
    const auto e = attn::eigenvalues_2x2(m);
    REQUIRE(e.real[0] <= e.real[1]);
    trace = std::max(trace, std::abs(e.real[0] + e.real[1] - m.trace()));
    const double det = e.real[0] * e.real[1] - e.imaginary[0] * e.imaginary[1];
    determinant = std::max(
        determinant, std::abs(det - (m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0))));
    const double largest = std::max(std::hypot(e.real[0], e.imaginary[0]),
                                    std::hypot(e.real[1], e.imaginary[1]));
    radius = std::max(radius, std::abs(attn::spectral_radius(m) - largest));

    Matrix upper = random_matrix(rng, 1, 6, 6, 6).topRows(1).replicate(6, 1);
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < i; ++j) upper(i, j) = 0;
    const double diagonal = upper.diagonal().cwiseAbs().maxCoeff();
    const double found = attn::spectral_radius(upper);
    triangular = std::max(triangular, std::abs(found - diagonal));
    REQUIRE(found <= attn::spectral_norm(upper) * (1 + 1e-12));
  }
  CHECK(trace < 1e-14);
  CHECK(determinant < 1e-13);
  CHECK(radius < 1e-11);
  CHECK(triangular < 1e-9);
}

TEST_CASE("for 1000 random matrices power iteration keeps its promise",
          "[recurrent][property]") {
  int settled = 0;
  double worst = 0;
  double symmetric = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const int d = 1 + rng.below(5);
    const Matrix m = random_matrix(rng, d, d, d, d);
    const Matrix definite = attn::product(m, m.transpose());
    for (const bool is_definite : {false, true}) {
      const Matrix& a = is_definite ? definite : m;
      const auto found = attn::power_iteration(a, 20000);
      REQUIRE(length(found.vector) == Approx(1).epsilon(1e-13));
      if (!found.converged) continue;
      ++settled;
      const Matrix column = found.vector.transpose();
      const Matrix rest = attn::product(a, column) - found.value * column;
      worst = std::max(worst, length(rest) / length(a));
      if (is_definite)
        symmetric =
            std::max(symmetric, std::abs(found.value - attn::spectral_norm(a)) /
                                    attn::spectral_norm(a));
    }
  }
  CHECK(settled > 1400);
  CHECK(worst < 2e-12);
  CHECK(symmetric < 1e-9);
  Matrix quarter_turn(2, 2);
  quarter_turn << 0, -1, 1, 0;
  CHECK_FALSE(attn::power_iteration(quarter_turn, 1000).converged);
  CHECK(attn::spectral_radius(quarter_turn) == 1);
}

TEST_CASE("recurrent functions refuse by code", "[recurrent][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const Matrix w = Matrix::Ones(2, 2);
  const Matrix row = Matrix::Ones(1, 2);
  const Matrix wide = Matrix::Ones(2, 3);
  CHECK(refuses(invalid, [] { attn::powers(0.5, -1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::powers(0.5, attn::kReferenceLimit); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::powers(kNaN, 1); }));
  CHECK(refuses(ErrorCode::kDiverged, [] { attn::powers(10, 400); }));
  CHECK(refuses(invalid, [] { attn::half_life(1); }));
  CHECK(refuses(invalid, [] { attn::half_life(0); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::half_life(kNaN); }));
  CHECK(refuses(invalid, [] { attn::doubling_time(1); }));
  CHECK(refuses(ErrorCode::kNotFinite, [] { attn::doubling_time(kNaN); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rnn_forward(row, wide, w, row, row); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rnn_forward(row, w, wide, row, row); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rnn_forward(row, w, w, w, row); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rnn_forward(row, w, w, row, w); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::rnn_forward(Matrix(), w, w, row, row); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::rnn_forward(row * kNaN, w, w, row, row); }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    attn::rnn_forward(row * 1e200, w, w * 1e200, row, row);
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { attn::step_jacobian(w, w); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::step_jacobian(wide, row); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { attn::step_jacobian(w * 1e200, row * 1e200); }));
  CHECK(refuses(invalid, [&] { attn::matrix_powers(w, 0); }));
  CHECK(
      refuses(ErrorCode::kTooLarge, [&] { attn::matrix_powers(w, 1 << 21); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::matrix_powers(wide, 1); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { attn::matrix_powers(w * 1e200, 2); }));
  CHECK(refuses(invalid, [&] { attn::rnn_jacobians(row * 2, w); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rnn_jacobians(row, wide); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::rnn_jacobians(Matrix::Zero(300, 200), Matrix::Ones(200, 200));
  }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { attn::rnn_jacobians(Matrix::Zero(4, 2), w * 1e200); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::rnn_gradient(row, w, w); }));
  CHECK(refuses(invalid, [&] { attn::rnn_gradient(row * 2, w, row); }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    attn::rnn_gradient(Matrix::Zero(4, 2), w * 1e200, row);
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::spectral_norm(Matrix()); }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::spectral_norm(w * kNaN); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::spectral_norm(Matrix::Ones(257, 257)); }));
  CHECK(
      refuses(ErrorCode::kShapeMismatch, [&] { attn::spectral_radius(wide); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::spectral_radius(Matrix::Ones(257, 257)); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [] { attn::eigenvalues_2x2(Matrix::Ones(3, 3)); }));
  CHECK(
      refuses(ErrorCode::kDiverged, [&] { attn::eigenvalues_2x2(w * 1e200); }));
  CHECK(refuses(invalid, [&] { attn::power_iteration(w, 0); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::power_iteration(w, 1000000); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::power_iteration(wide, 1); }));
}
