// layer_norm: LayerNorm and RMSNorm against vectors 08, their invariances and
// their gradients.
#include <attn/error.hpp>
#include <attn/layer_norm.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::Affine;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::Norm;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::numbers;
using attn::vectors::row;

namespace {

double eps(const attn::vectors::Case& c) { return c.input.at("eps"); }

attn::vectors::json as_rows(const attn::vectors::json& list) {
  return attn::vectors::json::array({list});
}

}  // namespace

TEST_CASE("LayerNorm divides the variance by d, not by d - 1",
          "[layer_norm][vectors]") {
  const auto c = load("08_layernorm", "basic");
  const auto t = attn::layer_norm(row(c.input.at("x")), {}, eps(c));
  check_close(t.mean.at(0), c.expected.at("mean"), c.tolerance);
  check_close(t.variance.at(0), c.expected.at("var_population"), c.tolerance);
  check_close(t.output, as_rows(c.expected.at("y")), c.tolerance);
  const double wrong = c.expected.at("var_sample_wrong");
  CHECK(t.variance.at(0) * 4 / 3 == Approx(wrong));
}

TEST_CASE("gamma scales and beta shifts each column", "[layer_norm][vectors]") {
  const auto c = load("08_layernorm", "affine");
  const Affine affine{numbers(c.input.at("gamma")),
                      numbers(c.input.at("beta"))};
  check_close(attn::layer_norm(row(c.input.at("x")), affine, eps(c)).output,
              as_rows(c.expected.at("y")), c.tolerance);
}

TEST_CASE("scaling and shifting a row changes LayerNorm by epsilon only",
          "[layer_norm][vectors]") {
  const auto basic = load("08_layernorm", "basic");
  const auto c = load("08_layernorm", "shift_scale_invariance");
  const auto y = attn::layer_norm(row(c.input.at("x")), {}, eps(c)).output;
  const auto y0 =
      attn::layer_norm(row(basic.input.at("x")), {}, eps(basic)).output;
  check_close(y, as_rows(c.expected.at("y")), c.tolerance);
  check_close(attn::max_gap(y, y0), c.expected.at("max_gap_to_basic"),
              c.tolerance);
}

TEST_CASE("a constant row becomes zeros, not NaN", "[layer_norm][vectors]") {
  const auto c = load("08_layernorm", "constant_input");
  check_close(attn::layer_norm(row(c.input.at("x")), {}, eps(c)).output,
              as_rows(c.expected.at("y")), 0);
}

TEST_CASE("RMSNorm subtracts no mean", "[layer_norm][vectors]") {
  const auto c = load("08_layernorm", "rmsnorm");
  check_close(attn::rms_norm(row(c.input.at("x")), {}, eps(c)).output,
              as_rows(c.expected.at("y")), c.tolerance);
}

TEST_CASE("post-LN normalises the sum, pre-LN the input of the branch",
          "[layer_norm][vectors]") {
  const auto c = load("08_layernorm", "post_vs_pre");
  const Matrix x = row(c.input.at("x"));
  const auto f = [](const Matrix& v) {
    Matrix y = 0.5 * v;
    y.array() -= 0.25 * v(0, 0);
    return y;
  };
  const Matrix post = attn::normalize(Norm::kLayerNorm, x + f(x), {}, eps(c));
  const Matrix pre = x + f(attn::normalize(Norm::kLayerNorm, x, {}, eps(c)));
  check_close(post, as_rows(c.expected.at("post_ln")), c.tolerance);
  check_close(pre, as_rows(c.expected.at("pre_ln")), c.tolerance);
}

TEST_CASE("every row ends with mean 0 and variance 1, whatever the shape",
          "[layer_norm][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 6, 2, 9);
    const auto t = attn::layer_norm(x, {}, 1e-12);
    const auto r = attn::rms_norm(x, {}, 1e-12);
    for (Index i = 0; i < x.rows(); ++i) {
      REQUIRE(t.output.row(i).mean() == Approx(0).margin(1e-9));
      REQUIRE(t.output.row(i).squaredNorm() / double(x.cols()) ==
              Approx(1).epsilon(1e-6));
      REQUIRE(r.output.row(i).squaredNorm() / double(x.cols()) ==
              Approx(1).epsilon(1e-6));
    }
  }
}

TEST_CASE("a token's norm does not depend on the other tokens",
          "[layer_norm][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 2, 6, 1, 8);
    const Matrix alone = x.row(0);
    REQUIRE(attn::layer_norm(x).output.row(0) ==
            attn::layer_norm(alone).output.row(0));
  }
}

TEST_CASE("the gradient of a norm agrees with finite differences",
          "[layer_norm][gradient]") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 4, 2, 6);
    const Matrix g = random_like(rng, x);
    Affine affine{std::vector<double>(static_cast<size_t>(x.cols())), {}};
    for (double& v : affine.gamma) v = rng.normal();
    for (const Norm norm : {Norm::kNone, Norm::kLayerNorm, Norm::kRmsNorm}) {
      const double e = 1e-2;
      const Matrix numeric = finite_difference(x, g, [&](const Matrix& v) {
        return attn::normalize(norm, v, affine, e);
      });
      REQUIRE(attn::max_gap(attn::norm_backward(norm, x, g, affine, e),
                            numeric) < 1e-6);
    }
  }
}

TEST_CASE("norms refuse what they cannot use, by code", "[layer_norm][error]") {
  const Matrix x = Matrix::Ones(2, 3);
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::layer_norm(Matrix()); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::layer_norm(x, {{1, 2}, {}});
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::layer_norm(x, {{1, 2, inf}, {}});
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::rms_norm(x * inf); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::layer_norm(x, {}, 0); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::rms_norm(x, {{}, {1, 1, 1}});
  }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { attn::rms_norm(Matrix::Constant(1, 2, 1e200)); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::layer_norm(Matrix::Zero(1, attn::kReferenceLimit + 1));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::norm_backward(Norm::kLayerNorm, x, Matrix::Ones(2, 2), {}, 1e-5);
  }));
}
