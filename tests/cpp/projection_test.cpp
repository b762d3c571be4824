// projection: Q, K and V from one input, and when the scores are symmetric.
#include <attn/error.hpp>
#include <attn/projection.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Matrix;
using attn::vectors::matrix;

TEST_CASE("Q, K and V of the worked example", "[projection]") {
  const auto c = attn::vectors::load("02_attention", "qkv_projection");
  const auto p =
      attn::project_qkv(matrix(c.input.at("X")), matrix(c.input.at("W_Q")),
                        matrix(c.input.at("W_K")), matrix(c.input.at("W_V")));
  CHECK(p.q == matrix(c.expected.at("Q")));
  CHECK(p.k == matrix(c.expected.at("K")));
  CHECK(p.v == matrix(c.expected.at("V")));
}

TEST_CASE("scores are symmetric exactly when W_Q times W_K transposed is",
          "[projection]") {
  const auto c =
      attn::vectors::load("02_attention", "shared_vs_separate_WQ_WK");
  const Matrix shared = matrix(c.input.at("W_shared"));
  const Matrix symmetric =
      matrix(c.input.at("W_K_different_but_symmetric_product"));
  const Matrix asymmetric = matrix(c.input.at("W_K_asymmetric"));
  const auto& products = c.expected.at("products_WQ_WKT");
  CHECK(attn::query_key_product(shared, shared) == matrix(products[0]));
  CHECK(attn::query_key_product(shared, symmetric) == matrix(products[1]));
  CHECK(attn::query_key_product(shared, asymmetric) == matrix(products[2]));
  CHECK(attn::symmetry_gap(matrix(products[1])) == 0);
  CHECK(attn::symmetry_gap(matrix(products[2])) > 0);
}

TEST_CASE(
    "for 1000 seeds: a permuted input is projected to permuted rows, and "
    "X (W_Q W_Kt) Xt is Q Kt",
    "[projection][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 2, 6, 1, 5);
    const int width = 1 + rng.below(4);
    const Matrix w_q = attn::normal_matrix(rng, x.cols(), width);
    const Matrix w_k = attn::normal_matrix(rng, x.cols(), width);
    const auto p = attn::project_qkv(x, w_q, w_k, w_q);
    const Matrix scores = attn::product(p.q, p.k.transpose());
    const Matrix through = attn::product(
        attn::product(x, attn::query_key_product(w_q, w_k)), x.transpose());
    std::vector<int> reversed;
    for (int i = static_cast<int>(x.rows()) - 1; i >= 0; --i)
      reversed.push_back(i);
    INFO("seed " << seed);
    CHECK((attn::max_gap(scores, through) < 1e-11 &&
           attn::project(attn::permuted_rows(x, reversed), w_q) ==
               attn::permuted_rows(p.q, reversed) &&
           p.v == p.q));
  }
}

TEST_CASE("projections that do not fit are refused with a code",
          "[projection][error]") {
  const Matrix x = Matrix::Ones(2, 3);
  const Matrix w = Matrix::Ones(3, 2);
  CHECK(refusal([&] { attn::project(x, Matrix::Ones(2, 2)); }) ==
        "shape-mismatch: x is 2x3 but w is 2x2");
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::project_qkv(x, w, Matrix::Ones(3, 1), w); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::query_key_product(w, x); }));
  CHECK(
      refuses(ErrorCode::kEmptyInput, [&] { attn::project(Matrix(0, 0), w); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { attn::project(1e308 * x, 1e10 * w); }));
  Matrix nan = w;
  nan(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::project(x, nan); }));
}
