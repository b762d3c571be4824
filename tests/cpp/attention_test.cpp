// attention: the vectors' values, what must hold for every input, gradients,
// and the operations that it really does.
#include <array>
#include <attn/attention.hpp>
#include <attn/error.hpp>
#include <attn/projection.hpp>
#include <attn/rng.hpp>
#include <attn/softmax.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::AttentionOptions;
using attn::AttentionTrace;
using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::matrix;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

AttentionOptions causal() {
  AttentionOptions options;
  options.causal = true;
  return options;
}

AttentionOptions unscaled() {
  AttentionOptions options;
  options.scaled = false;
  return options;
}

/// Self-attention of X with the three projections of a vector's input.
AttentionTrace of_projected(const Matrix& x, const attn::vectors::json& input,
                            const AttentionOptions& options = {}) {
  const auto p =
      attn::project_qkv(x, matrix(input.at("W_Q")), matrix(input.at("W_K")),
                        matrix(input.at("W_V")));
  return attn::attention(p.q, p.k, p.v, options);
}

std::vector<int> order_of(const attn::vectors::json& list) {
  return list.get<std::vector<int>>();
}

struct Operands {
  Matrix q, k, v;
  AttentionOptions options;
};

/// Shapes, mask and bias all drawn.
Operands random_operands(attn::Rng& rng) {
  Operands o;
  o.q = random_matrix(rng, 1, 6, 1, 5);
  o.k = attn::normal_matrix(rng, 1 + rng.below(7), o.q.cols());
  o.v = attn::normal_matrix(rng, o.k.rows(), 1 + rng.below(4));
  o.options.causal = rng.below(2) == 0;
  o.options.query_offset = rng.below(3);
  o.options.scaled = rng.below(4) != 0;
  const Matrix shape(o.q.rows(), o.k.rows());
  if (rng.below(2) == 0)
    o.options.mask = (random_like(rng, shape).array() > -0.5).matrix();
  if (rng.below(2) == 0) o.options.bias = random_like(rng, shape);
  return o;
}

bool same(const AttentionTrace& a, const AttentionTrace& b) {
  return a.scores == b.scores && a.weights == b.weights &&
         a.output == b.output && a.fully_masked == b.fully_masked;
}

AttentionTrace rows_of(const AttentionTrace& t, Index first, Index count) {
  return {
      t.scores.middleRows(first, count),
      t.weights.middleRows(first, count),
      t.output.middleRows(first, count),
      {t.fully_masked.begin() + first, t.fully_masked.begin() + first + count}};
}

}  // namespace

TEST_CASE("the worked example, scaled and not", "[attention]") {
  const auto c = load("02_attention", "qkv_projection");
  const auto t = of_projected(matrix(c.input.at("X")), c.input);
  check_close(t.scores, c.expected.at("scores_scaled"), c.tolerance);
  check_close(t.weights, c.expected.at("weights"), c.tolerance);
  check_close(t.output, c.expected.at("output"), c.tolerance);
  const auto u = of_projected(matrix(c.input.at("X")), c.input, unscaled());
  check_close(u.scores, c.expected.at("scores_unscaled"), c.tolerance);
  check_close(u.weights, c.expected.at("weights_unscaled"), c.tolerance);
  check_close(u.output, c.expected.at("output_unscaled"), c.tolerance);
}

TEST_CASE("identity projections: symmetric scores, asymmetric weights",
          "[attention]") {
  const auto c = load("02_attention", "identity_projection_symmetry");
  const Matrix x = matrix(c.input.at("X"));
  const auto t = attn::attention(x, x, x);
  check_close(t.scores, c.expected.at("scores"), c.tolerance);
  check_close(t.weights, c.expected.at("weights"), c.tolerance);
  check_close(t.output, c.expected.at("output"), c.tolerance);
  CHECK(attn::symmetry_gap(t.scores) == 0);
  check_close(attn::symmetry_gap(t.weights),
              c.expected.at("weights_asymmetry_max_gap"), c.tolerance);
  check_close(t.weights(0, 2), c.expected.at("w_0_to_2"), c.tolerance);
  check_close(t.weights(2, 0), c.expected.at("w_2_to_0"), c.tolerance);
}

TEST_CASE("shared, separate but symmetric, and asymmetric projections",
          "[attention]") {
  const auto c = load("02_attention", "shared_vs_separate_WQ_WK");
  const Matrix x = matrix(c.input.at("X"));
  const Matrix q = attn::project(x, matrix(c.input.at("W_shared")));
  const auto scores = [&](const Matrix& k) {
    return attn::attention(q, k, x).scores;
  };
  const auto separate = [&](const char* name) {
    return scores(attn::project(x, matrix(c.input.at(name))));
  };
  const Matrix shared = scores(q);
  const Matrix symmetric = separate("W_K_different_but_symmetric_product");
  const Matrix asymmetric = separate("W_K_asymmetric");
  check_close(shared, c.expected.at("scores_shared"), c.tolerance);
  check_close(symmetric, c.expected.at("scores_different_but_symmetric"),
              c.tolerance);
  check_close(asymmetric, c.expected.at("scores_asymmetric"), c.tolerance);
  check_close(std::vector<double>{attn::symmetry_gap(shared),
                                  attn::symmetry_gap(symmetric),
                                  attn::symmetry_gap(asymmetric)},
              c.expected.at("gaps"), c.tolerance);
}

TEST_CASE("a permuted input gives permuted rows, not the same rows",
          "[attention]") {
  const auto c = load("02_attention", "permutation_equivariance");
  const Matrix x = matrix(c.input.at("X"));
  const auto order = order_of(c.input.at("perm"));
  const Matrix original = of_projected(x, c.input).output;
  const Matrix permuted =
      of_projected(attn::permuted_rows(x, order), c.input).output;
  check_close(original, c.expected.at("output_original"), c.tolerance);
  check_close(permuted, c.expected.at("output_permuted_input"), c.tolerance);
  check_close(attn::max_gap(permuted, attn::permuted_rows(original, order)),
              c.expected.at("rows_permuted_max_gap"), c.tolerance);
  check_close(attn::max_gap(permuted, original),
              c.expected.at("same_place_max_gap"), c.tolerance);
  const auto as_rows = [&](const char* name) {
    return attn::vectors::json::array({c.expected.at(name)});
  };
  check_close(attn::mean_row(original), as_rows("mean_pool_original"),
              c.tolerance);
  check_close(attn::mean_row(permuted), as_rows("mean_pool_permuted"),
              c.tolerance);
}

TEST_CASE("cross-attention: two queries over three keys", "[attention]") {
  const auto c = load("02_attention", "cross_attention_2x3");
  const auto t =
      attn::attention(matrix(c.input.at("Q")), matrix(c.input.at("K")),
                      matrix(c.input.at("V")));
  check_close(t.scores, c.expected.at("scores"), c.tolerance);
  check_close(t.weights, c.expected.at("weights"), c.tolerance);
  check_close(t.output, c.expected.at("output"), c.tolerance);
}

TEST_CASE("the causal mask of the worked example", "[attention]") {
  const auto c = load("03_causal_mask", "causal_4x4");
  const auto t =
      attn::attention(matrix(c.input.at("Q")), matrix(c.input.at("K")),
                      matrix(c.input.at("V")), causal());
  check_close(t.scores, c.expected.at("masked_scores"), c.tolerance);
  check_close(t.weights, c.expected.at("weights"), c.tolerance);
  check_close(t.output, c.expected.at("output"), c.tolerance);
}

TEST_CASE("a changed future leaves the earlier rows as they are, bit for bit",
          "[attention]") {
  const auto c = load("03_causal_mask", "future_change_cannot_leak");
  const Matrix x = matrix(c.input.at("X"));
  const Matrix changed = matrix(c.input.at("X_changed_last"));
  const Matrix before = of_projected(x, c.input, causal()).output;
  const Matrix after = of_projected(changed, c.input, causal()).output;
  check_close(before, c.expected.at("output_before"), c.tolerance);
  check_close(after, c.expected.at("output_after"), c.tolerance);
  CHECK(c.expected.at("rows_0_to_2_max_gap") == 0.0);
  CHECK(before.topRows(3) == after.topRows(3));
  const Matrix seen = of_projected(x, c.input).output.topRows(3);
  const Matrix leaked = of_projected(changed, c.input).output.topRows(3);
  check_close(attn::max_gap(seen, leaked),
              c.expected.at("unmasked_rows_0_to_2_max_gap"), c.tolerance);
}

TEST_CASE("a causal mask carries order: it breaks equivariance",
          "[attention]") {
  const auto c = load("03_causal_mask", "mask_breaks_equivariance");
  const Matrix x = matrix(c.input.at("X"));
  const auto order = order_of(c.input.at("perm"));
  const Matrix original = of_projected(x, c.input, causal()).output;
  const Matrix permuted =
      of_projected(attn::permuted_rows(x, order), c.input, causal()).output;
  check_close(attn::max_gap(permuted, attn::permuted_rows(original, order)),
              c.expected.at("rows_permuted_max_gap"), c.tolerance);
}

TEST_CASE("with equal scores a causal mask tells the place: 1/(i+1)",
          "[attention]") {
  const auto c = load("03_causal_mask", "uniform_scores_count");
  const int n = c.input.at("n");
  const Matrix zeros = Matrix::Zero(n, 1);
  check_close(
      attn::attention(zeros, zeros, matrix(c.input.at("V")), causal()).output,
      c.expected.at("output"), c.tolerance);
}

TEST_CASE("a query that sees nothing gets zeros and a flag", "[attention]") {
  const Matrix x = Matrix::Ones(3, 2);
  AttentionOptions options;
  options.mask = attn::Mask::Constant(3, 3, true);
  options.mask.row(1).setConstant(false);
  const auto t = attn::attention(x, x, x, options);
  CHECK(t.fully_masked == std::vector<bool>{false, true, false});
  CHECK(t.weights.row(1).isZero(0));
  CHECK(t.output.row(1).isZero(0));
  CHECK(t.output.row(0) == x.row(0));
}

TEST_CASE("huge and tiny inputs are exact or refused, never NaN",
          "[attention]") {
  const Matrix one = Matrix::Ones(2, 1);
  Matrix k(2, 1);
  k << 1e300, -1e300;
  Matrix v(2, 1);
  v << 3, 4;
  CHECK(attn::attention(one, k, v).output == Matrix::Constant(2, 1, 3));
  const double denormal = std::numeric_limits<double>::denorm_min();
  CHECK(attn::attention(denormal * one, k / 1e300, v).weights ==
        Matrix::Constant(2, 2, 0.5));
  CHECK(refuses(ErrorCode::kDiverged, [&] { attn::attention(k, k, v); }));
}

TEST_CASE("for 1000 seeds: sums, shifts, leaks, equivariance and pieces",
          "[attention][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const auto [q, k, v, options] = random_operands(rng);
    const auto t = attn::attention(q, k, v, options);
    bool holds = true;
    for (Index i = 0; i < q.rows(); ++i) {
      const double total = t.fully_masked[std::size_t(i)] ? 0 : 1;
      holds = holds && std::abs(t.weights.row(i).sum() - total) < 1e-14;
      for (Index j = 0; j < k.rows(); ++j) {
        const bool hidden = (options.mask.size() != 0 && !options.mask(i, j)) ||
                            (options.causal && j > options.query_offset + i);
        holds = holds && (t.scores(i, j) == -kInfinity) == hidden &&
                (!hidden || t.weights(i, j) == 0);
      }
    }
    // What a hidden key holds is not even read.
    if (options.mask.size() != 0 && !options.mask.col(0).any()) {
      Matrix other_k = k;
      Matrix other_v = v;
      other_k.row(0).setConstant(1e3);
      other_v.row(0).setConstant(-1e3);
      holds = holds &&
              t.output == attn::attention(q, other_k, other_v, options).output;
    }
    // The queries do not know of each other.
    const Index first = rng.below(static_cast<int>(q.rows()));
    const Index count = 1 + rng.below(static_cast<int>(q.rows() - first));
    holds = holds && same(attn::attention_rows(q, k, v, first, count, options),
                          rows_of(t, first, count));
    // Keys and values in another order are the same set.
    std::vector<int> order;
    for (int j = static_cast<int>(k.rows()) - 1; j >= 0; --j)
      order.push_back(j);
    const AttentionOptions plain;
    holds = holds &&
            attn::max_gap(attn::attention(q, k, v, plain).output,
                          attn::attention(q, attn::permuted_rows(k, order),
                                          attn::permuted_rows(v, order), plain)
                              .output) < 1e-13;
    // A mixture of values stays between the least and the greatest of them.
    for (Index c = 0; c < v.cols(); ++c)
      for (Index i = 0; i < q.rows(); ++i)
        holds = holds && (t.fully_masked[std::size_t(i)] ||
                          (t.output(i, c) <= v.col(c).maxCoeff() + 1e-14 &&
                           t.output(i, c) >= v.col(c).minCoeff() - 1e-14));
    CHECK(holds);
  }
}

TEST_CASE("the gradients are the finite differences, for 100 seeds",
          "[attention][gradient]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const Operands o = random_operands(rng);
    const auto& [q, k, v, options] = o;
    const Matrix d_output = attn::normal_matrix(rng, q.rows(), v.cols());
    const auto g = attn::attention_gradients(q, k, v, d_output, options);
    const Matrix d_q = finite_difference(q, d_output, [&](const Matrix& x) {
      return attn::attention(x, o.k, o.v, o.options).output;
    });
    const Matrix d_k = finite_difference(k, d_output, [&](const Matrix& x) {
      return attn::attention(o.q, x, o.v, o.options).output;
    });
    const Matrix d_v = finite_difference(v, d_output, [&](const Matrix& x) {
      return attn::attention(o.q, o.k, x, o.options).output;
    });
    CHECK(attn::max_gap(g.d_q, d_q) < 1e-7);
    CHECK(attn::max_gap(g.d_k, d_k) < 1e-7);
    CHECK(attn::max_gap(g.d_v, d_v) < 1e-7);
    CHECK(g.d_scores.rowwise().sum().cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("the operations that attention does are those of the formula",
          "[attention][counted]") {
  for (const auto& [n, m, d, d_v] : {std::array<Index, 4>{1, 1, 1, 1},
                                     {4, 4, 2, 2},
                                     {3, 7, 5, 2},
                                     {64, 64, 16, 8}}) {
    const auto tally = attn::attention_operations(n, m, d, d_v);
    CHECK(tally.multiplications == n * m * d + n * m * d_v);
    // Sums of the scores, shifts, sums of the softmax, sums of the output.
    CHECK(tally.additions ==
          n * m * (d - 1) + n * m + n * (m - 1) + n * (m - 1) * d_v);
    CHECK(tally.divisions == 2 * n * m);
    CHECK(tally.exponentials == n * m);
  }
}

TEST_CASE("operands that do not fit are refused with a code",
          "[attention][error]") {
  const Matrix q = Matrix::Ones(2, 3);
  const Matrix k = Matrix::Ones(4, 3);
  const Matrix v = Matrix::Ones(4, 2);
  const auto with = [&](auto&& change) {
    AttentionOptions options;
    change(options);
    return [=] { attn::attention(q, k, v, options); };
  };
  CHECK(refusal([&] { attn::attention(q, Matrix::Ones(4, 2), v); }) ==
        "shape-mismatch: q is 2x3 but k is 4x2");
  CHECK(refusal([&] { attn::attention(q, k, Matrix::Ones(3, 2)); }) ==
        "shape-mismatch: k is 4x3 but v is 3x2");
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::attention(Matrix(0, 3), k, v); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::attention(q, k, Matrix(4, 0)); }));
  Matrix bad = q;
  bad(1, 2) = kNan;
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::attention(bad, k, v); }));
  bad(1, 2) = kInfinity;
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::attention(bad, k, v); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, with([](auto& o) {
                  o.mask = attn::Mask::Constant(2, 3, true);
                })));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                with([](auto& o) { o.bias = Matrix::Zero(4, 2); })));
  CHECK(refuses(ErrorCode::kNotFinite,
                with([](auto& o) { o.bias = Matrix::Constant(2, 4, kNan); })));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                with([](auto& o) { o.query_offset = -1; })));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    const Matrix tall = Matrix::Zero(2049, 1);
    attn::attention(tall, tall, tall);
  }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::attention(Matrix::Zero(3000, 1), Matrix::Zero(1, 1),
                    Matrix::Zero(1, 3000));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::attention_gradients(q, k, v, Matrix::Ones(2, 3));
  }));
  for (const auto& [first, count] :
       {std::array<Index, 2>{-1, 1}, {0, 0}, {0, 3}, {2, 1}})
    CHECK(refuses(ErrorCode::kInvalidArgument, [&, f = first, n = count] {
      attn::attention_rows(q, k, v, f, n);
    }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::attention_operations(0, 1, 1, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::attention_operations(4096, 4096, 1, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::attention_operations(1000000000, 1000000000, 1, 1);
  }));
}
