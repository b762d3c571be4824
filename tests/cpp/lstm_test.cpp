// lstm: the cell with its gates, the forget path, and the full Jacobian.
#include <attn/error.hpp>
#include <attn/lstm.hpp>
#include <attn/recurrent.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

namespace v = attn::vectors;
using attn::ErrorCode;
using attn::Index;
using attn::LstmTrace;
using attn::LstmWeights;
using attn::Matrix;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Lstm {
  Matrix x;
  LstmWeights weights;
  Matrix state;
  Matrix cell;
};

Lstm draw(std::uint32_t seed) {
  attn::Rng rng(seed);
  const Matrix x = random_matrix(rng, 1, 4, 1, 3);
  const int d = 1 + rng.below(3);
  const auto m = static_cast<int>(x.cols());
  return {x,
          {random_matrix(rng, 4 * d, 4 * d, m, m),
           random_matrix(rng, 4 * d, 4 * d, d, d),
           random_matrix(rng, 1, 1, 4 * d, 4 * d)},
          random_matrix(rng, 1, 1, d, d),
          random_matrix(rng, 1, 1, d, d)};
}

LstmTrace forward(const Lstm& c) {
  return attn::lstm_forward(c.x, c.weights, c.state, c.cell);
}

// (c_n, h_n) as a function of (c_{t}, h_{t}), both in one row of 2d.
Matrix last(const Lstm& c, Index t, const Matrix& both) {
  const Index d = c.state.cols();
  const Index rest = c.x.rows() - t;
  if (rest == 0) return both;
  const LstmTrace end = attn::lstm_forward(c.x.bottomRows(rest), c.weights,
                                           both.rightCols(d), both.leftCols(d));
  Matrix out(1, 2 * d);
  out << end.cells.row(rest), end.states.row(rest);
  return out;
}

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

}  // namespace

TEST_CASE("a forget gate of 0.999 keeps 0.905 after 100 steps", "[lstm]") {
  const auto c = v::load("19_rnn_chain", "lstm_forget_gate_path");
  std::vector<double> gradient;
  const Index steps = c.input["steps"];
  for (const double f : v::numbers(c.input["forget_gate"]))
    gradient.push_back(
        attn::forget_path(Matrix::Constant(steps, 1, f))(steps, 0));
  v::check_close(gradient, c.expected["gradient"], c.tolerance);
}

TEST_CASE("with f = 1 and i = 0 the cell is kept bit for bit", "[lstm]") {
  Lstm c = draw(3);
  const Index d = c.state.cols();
  c.weights.bias.leftCols(d).setConstant(-2000);
  c.weights.bias.middleCols(d, d).setConstant(2000);
  const LstmTrace t = forward(c);
  for (Index k = 0; k < t.cells.rows(); ++k)
    CHECK(Matrix(t.cells.row(k)) == c.cell);
  const auto paths = attn::lstm_paths(t, c.weights.state);
  CHECK(paths.forget_path == Matrix::Ones(c.x.rows() + 1, d));
  CHECK(Matrix(paths.full.back().topLeftCorner(d, d)) ==
        Matrix::Identity(d, d));
}

TEST_CASE("for 1000 random cells the forward pass obeys its equations",
          "[lstm][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Lstm c = draw(seed);
    const LstmTrace t = forward(c);
    const Index d = c.state.cols();
    const Index n = c.x.rows();
    const Matrix a =
        attn::product(c.x, c.weights.input.transpose()) +
        attn::product(t.states.topRows(n), c.weights.state.transpose()) +
        c.weights.bias.replicate(n, 1);
    const Matrix i = a.leftCols(d).unaryExpr(&sigmoid);
    const Matrix f = a.middleCols(d, d).unaryExpr(&sigmoid);
    const Matrix g = a.middleCols(2 * d, d).array().tanh().matrix();
    const Matrix o = a.rightCols(d).unaryExpr(&sigmoid);
    const Matrix cells = f.cwiseProduct(t.cells.topRows(n)) + i.cwiseProduct(g);
    const Matrix states =
        o.cwiseProduct(Matrix(t.cells.bottomRows(n).array().tanh().matrix()));
    worst = std::max(
        {worst, attn::max_gap(t.input_gate, i), attn::max_gap(t.forget_gate, f),
         attn::max_gap(t.candidate, g), attn::max_gap(t.output_gate, o),
         attn::max_gap(t.cells.bottomRows(n), cells),
         attn::max_gap(t.states.bottomRows(n), states)});
    REQUIRE(Matrix(t.cells.row(0)) == c.cell);
    REQUIRE(Matrix(t.states.row(0)) == c.state);
  }
  CHECK(worst < 1e-13);
}

TEST_CASE("for 1000 random cells the full Jacobian equals finite differences",
          "[lstm][property]") {
  double worst = 0;
  double bare = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Lstm c = draw(seed);
    const LstmTrace t = forward(c);
    const auto paths = attn::lstm_paths(t, c.weights.state);
    const Index n = c.x.rows();
    const Index d = c.state.cols();
    REQUIRE(static_cast<Index>(paths.full.size()) == n + 1);
    for (Index k = 0; k <= n; ++k) {
      const Matrix& p = paths.full[static_cast<size_t>(k)];
      Matrix both(1, 2 * d);
      both << t.cells.row(n - k), t.states.row(n - k);
      const auto rest = [&](const Matrix& at) { return last(c, n - k, at); };
      for (Index r = 0; r < 2 * d; ++r) {
        Matrix one = Matrix::Zero(1, 2 * d);
        one(0, r) = 1;
        worst = std::max(
            worst, attn::max_gap(p.row(r), finite_difference(both, one, rest)));
      }
      REQUIRE(paths.norms[static_cast<size_t>(k)] ==
              attn::spectral_norm(p.topLeftCorner(d, d)));
    }
    REQUIRE(paths.full[1] == attn::lstm_jacobian(t, c.weights.state, n - 1));

    // With no weights on the old state, the bare path is the whole of it.
    Lstm cut = c;
    cut.weights.state.setZero();
    const auto alone = attn::lstm_paths(forward(cut), cut.weights.state);
    const Matrix diagonal = alone.forget_path.row(n).asDiagonal();
    bare = std::max(
        bare, attn::max_gap(alone.full.back().topLeftCorner(d, d), diagonal));
  }
  CHECK(worst < 1e-8);
  CHECK(bare < 1e-15);
}

TEST_CASE("for 1000 random gates the forget path is their running product",
          "[lstm][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    Matrix gates = random_matrix(rng, 1, 12, 1, 4);
    gates = gates.unaryExpr(&sigmoid).eval();
    const Matrix path = attn::forget_path(gates);
    for (Index j = 0; j < gates.cols(); ++j) {
      double log_sum = 0;
      for (Index k = 1; k <= gates.rows(); ++k) {
        log_sum += std::log(gates(gates.rows() - k, j));
        worst = std::max(worst, std::abs(path(k, j) - std::exp(log_sum)));
        REQUIRE(path(k, j) <= path(k - 1, j));
      }
    }
  }
  CHECK(worst < 1e-14);
}

TEST_CASE("lstm functions refuse by code", "[lstm][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const Lstm c = draw(1);
  const LstmTrace t = forward(c);
  const auto changed = [&](auto&& change) {
    return [&c, change] {
      Lstm broken = c;
      change(broken);
      forward(broken);
    };
  };
  CHECK(refuses(ErrorCode::kShapeMismatch, changed([](Lstm& l) {
                  l.weights.input = Matrix::Ones(3, 1);
                })));
  CHECK(refuses(ErrorCode::kShapeMismatch, changed([](Lstm& l) {
                  l.weights.state = Matrix::Ones(3, 1);
                })));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                changed([](Lstm& l) { l.weights.bias = Matrix::Ones(1, 3); })));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                changed([](Lstm& l) { l.cell = Matrix::Ones(1, 9); })));
  CHECK(refuses(ErrorCode::kEmptyInput,
                changed([](Lstm& l) { l.x = Matrix(); })));
  CHECK(refuses(ErrorCode::kNotFinite, changed([](Lstm& l) { l.x *= kNaN; })));
  CHECK(refuses(ErrorCode::kDiverged, changed([](Lstm& l) {
                  l.x.setConstant(1e200);
                  l.weights.input.setConstant(1e200);
                })));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::lstm_forward(Matrix::Ones(5000, 1),
                       {Matrix::Ones(4000, 1), Matrix::Ones(4000, 1000),
                        Matrix::Ones(1, 4000)},
                       Matrix::Ones(1, 1000), Matrix::Ones(1, 1000));
  }));

  CHECK(refuses(invalid, [&] { attn::lstm_jacobian(t, c.weights.state, -1); }));
  CHECK(refuses(invalid,
                [&] { attn::lstm_jacobian(t, c.weights.state, c.x.rows()); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::lstm_jacobian(t, Matrix::Ones(3, 1), 0); }));
  const auto traced = [&](auto&& change) {
    return [&c, &t, change] {
      LstmTrace broken = t;
      change(broken);
      attn::lstm_paths(broken, c.weights.state);
    };
  };
  CHECK(refuses(ErrorCode::kShapeMismatch,
                traced([](LstmTrace& l) { l.cells = l.input_gate; })));
  CHECK(refuses(ErrorCode::kEmptyInput,
                traced([](LstmTrace& l) { l.candidate = Matrix(); })));
  CHECK(refuses(ErrorCode::kNotFinite,
                traced([](LstmTrace& l) { l.states *= kNaN; })));
  CHECK(refuses(invalid,
                traced([](LstmTrace& l) { l.forget_gate.setConstant(2); })));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    const Matrix gate = Matrix::Ones(200, 100);
    const Matrix kept = Matrix::Ones(201, 100);
    attn::lstm_paths({gate, gate, gate, gate, kept, kept},
                     Matrix::Ones(400, 100));
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::forget_path(Matrix()); }));
  CHECK(
      refuses(invalid, [] { attn::forget_path(Matrix::Constant(1, 1, 1.5)); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [] { attn::forget_path(Matrix::Constant(1, 1, kNaN)); }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    attn::lstm_jacobian({Matrix::Ones(1, 1) * 0.5, Matrix::Ones(1, 1) * 0.5,
                         Matrix::Ones(1, 1) * 0.5, Matrix::Ones(1, 1) * 0.5,
                         Matrix::Constant(2, 1, 1e200), Matrix::Ones(2, 1)},
                        Matrix::Constant(4, 1, 1e200), 0);
  }));
}
