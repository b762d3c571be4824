// multi_head: the vectors' two heads, their gates and costs, and what relates
// several heads to one.
#include <attn/error.hpp>
#include <attn/multi_head.hpp>
#include <attn/projection.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Index;
using attn::Matrix;
using attn::MultiHeadOptions;
using attn::MultiHeadWeights;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::matrix;

namespace {

MultiHeadWeights weights_of(const attn::vectors::json& input) {
  return {matrix(input.at("W_Q")), matrix(input.at("W_K")),
          matrix(input.at("W_V")), matrix(input.at("W_O"))};
}

MultiHeadWeights random_weights(attn::Rng& rng, Index d_model, Index heads,
                                Index d_k, Index d_v) {
  return {attn::normal_matrix(rng, d_model, heads * d_k),
          attn::normal_matrix(rng, d_model, heads * d_k),
          attn::normal_matrix(rng, d_model, heads * d_v),
          attn::normal_matrix(rng, heads * d_v, d_model)};
}

}  // namespace

TEST_CASE("two heads and one head over the same weights", "[multi_head]") {
  for (const char* id : {"two_heads", "one_head_same_weights"}) {
    CAPTURE(id);
    const auto c = load("04_multihead", id);
    const int heads = c.input.at("heads");
    const auto t =
        attn::multi_head(matrix(c.input.at("X")), weights_of(c.input), heads);
    REQUIRE(t.heads.size() == std::size_t(heads));
    for (std::size_t h = 0; h < t.heads.size(); ++h) {
      check_close(t.heads[h].weights, c.expected.at("weights_per_head")[h],
                  c.tolerance);
      if (c.expected.contains("head_outputs"))
        check_close(t.heads[h].output, c.expected.at("head_outputs")[h],
                    c.tolerance);
    }
    if (c.expected.contains("concat"))
      check_close(t.concat, c.expected.at("concat"), c.tolerance);
    check_close(t.output, c.expected.at("output"), c.tolerance);
  }
}

TEST_CASE("gates turn heads down and off", "[multi_head]") {
  const auto c = load("24_head_gates_and_work", "gates_on_two_heads");
  const Matrix x = matrix(c.input.at("X"));
  const Matrix full = attn::multi_head(x, weights_of(c.input), 2).output;
  const auto& gates = c.input.at("gates");
  for (std::size_t i = 0; i < gates.size(); ++i) {
    MultiHeadOptions options;
    options.gates = attn::vectors::numbers(gates[i]);
    const auto t = attn::multi_head(x, weights_of(c.input), 2, options);
    check_close(t.output, c.expected.at("outputs")[i], c.tolerance);
    check_close(attn::frobenius_norm(t.output - full),
                c.expected.at("frobenius_change")[i], c.tolerance);
  }
}

TEST_CASE("parameters do not depend on the number of heads, weights do",
          "[multi_head]") {
  const auto c = load("04_multihead", "param_count");
  const auto& configs = c.input.at("configs");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto cost = attn::multi_head_cost(1, configs[i][0], configs[i][1]);
    CHECK(cost.parameters == c.expected.at("no_bias")[i]);
    CHECK(cost.parameters_with_bias == c.expected.at("with_bias")[i]);
  }
  const auto grow = load("04_multihead", "score_entries_grow_with_heads");
  const auto& heads = grow.input.at("heads");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto cost = attn::multi_head_cost(grow.input.at("n"),
                                            grow.input.at("d_model"), heads[i]);
    CHECK(cost.score_entries == grow.expected.at("weight_entries")[i]);
    CHECK(cost.score_multiply_adds == grow.expected.at("qk_multiply_adds")[i]);
  }
}

TEST_CASE("the counts are those of the matrices that one really has",
          "[multi_head]") {
  attn::Rng rng(1);
  const auto weights = random_weights(rng, 12, 3, 4, 4);
  const auto cost = attn::multi_head_cost(5, 12, 3);
  CHECK(cost.head_width == 4);
  CHECK(cost.parameters == weights.w_q.size() + weights.w_k.size() +
                               weights.w_v.size() + weights.w_o.size());
  const auto t = attn::multi_head(attn::normal_matrix(rng, 5, 12), weights, 3);
  Index entries = 0;
  for (const auto& head : t.heads) entries += head.weights.size();
  CHECK(cost.score_entries == entries);
  CHECK(cost.score_multiply_adds ==
        3 * (attn::attention_operations(5, 5, 4, 1).multiplications - 25));
}

TEST_CASE(
    "for 1000 seeds: each head is attention on its columns, the output "
    "is linear in the gates, permuted tokens give permuted rows",
    "[multi_head][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 5, 1, 5);
    const Index heads = 1 + rng.below(3);
    const Index d_k = 1 + rng.below(3);
    const Index d_v = 1 + rng.below(3);
    const auto w = random_weights(rng, x.cols(), heads, d_k, d_v);
    const auto t = attn::multi_head(x, w, heads);
    bool holds = true;
    Matrix sum = Matrix::Zero(x.rows(), x.cols());
    for (Index h = 0; h < heads; ++h) {
      const auto alone =
          attn::attention(attn::project(x, w.w_q.middleCols(h * d_k, d_k)),
                          attn::project(x, w.w_k.middleCols(h * d_k, d_k)),
                          attn::project(x, w.w_v.middleCols(h * d_v, d_v)));
      holds = holds && alone.weights == t.heads[std::size_t(h)].weights &&
              alone.output == t.heads[std::size_t(h)].output;
      MultiHeadOptions only;
      only.gates.assign(std::size_t(heads), 0);
      only.gates[std::size_t(h)] = 1;
      sum += attn::multi_head(x, w, heads, only).output;
    }
    holds = holds && attn::max_gap(sum, t.output) < 1e-12;
    holds = holds && t.entropy.minCoeff() >= 0 &&
            t.entropy.maxCoeff() <= std::log(double(x.rows())) + 1e-12;
    std::vector<int> reversed;
    for (int i = static_cast<int>(x.rows()) - 1; i >= 0; --i)
      reversed.push_back(i);
    holds =
        holds &&
        attn::max_gap(
            attn::multi_head(attn::permuted_rows(x, reversed), w, heads).output,
            attn::permuted_rows(t.output, reversed)) < 1e-12;
    CHECK(holds);
  }
}

TEST_CASE("the heads may look at a memory of another length and width",
          "[multi_head]") {
  attn::Rng rng(4);
  const Matrix x = attn::normal_matrix(rng, 3, 4);
  MultiHeadOptions options;
  options.memory = attn::normal_matrix(rng, 5, 6);
  const MultiHeadWeights w{
      attn::normal_matrix(rng, 4, 4), attn::normal_matrix(rng, 6, 4),
      attn::normal_matrix(rng, 6, 2), attn::normal_matrix(rng, 2, 4)};
  const auto t = attn::multi_head(x, w, 2, options);
  CHECK(t.heads[1].weights.rows() == 3);
  CHECK(t.heads[1].weights.cols() == 5);
  CHECK(t.output.cols() == 4);
  options.memory = x;
  const auto square = random_weights(rng, 4, 2, 2, 2);
  CHECK(attn::multi_head(x, square, 2, options).output ==
        attn::multi_head(x, square, 2).output);
}

TEST_CASE("a causal mask reaches every head", "[multi_head]") {
  attn::Rng rng(6);
  Matrix x = attn::normal_matrix(rng, 4, 6);
  const auto w = random_weights(rng, 6, 3, 2, 2);
  MultiHeadOptions options;
  options.causal = true;
  const Matrix before = attn::multi_head(x, w, 3, options).output;
  x.row(3).setConstant(9);
  const Matrix after = attn::multi_head(x, w, 3, options).output;
  CHECK(before.topRows(3) == after.topRows(3));
}

TEST_CASE("heads that do not fit are refused with a code",
          "[multi_head][error]") {
  attn::Rng rng(1);
  const Matrix x = attn::normal_matrix(rng, 3, 4);
  const auto w = random_weights(rng, 4, 2, 2, 2);
  const auto refused = [&](ErrorCode code, auto&& change, Index heads = 2) {
    auto changed = w;
    MultiHeadOptions options;
    change(changed, options);
    return refuses(code, [&] { attn::multi_head(x, changed, heads, options); });
  };
  const auto nothing = [](auto&, auto&) {};
  CHECK(refused(ErrorCode::kInvalidArgument, nothing, 0));
  CHECK(refused(ErrorCode::kInvalidArgument, nothing, 3));
  CHECK(refused(ErrorCode::kTooLarge, nothing, 1000000000));
  CHECK(refused(ErrorCode::kInvalidArgument, [](auto& v, auto&) {
    v.w_v = Matrix::Ones(4, 3);
    v.w_o = Matrix::Ones(3, 4);
  }));
  CHECK(refused(ErrorCode::kShapeMismatch,
                [](auto& v, auto&) { v.w_k = Matrix::Ones(4, 2); }));
  CHECK(refused(ErrorCode::kShapeMismatch,
                [](auto& v, auto&) { v.w_o = Matrix::Ones(3, 4); }));
  CHECK(refused(ErrorCode::kShapeMismatch,
                [](auto& v, auto&) { v.w_q = Matrix::Ones(5, 4); }));
  CHECK(refused(ErrorCode::kEmptyInput,
                [](auto& v, auto&) { v.w_o = Matrix(); }));
  CHECK(refused(ErrorCode::kShapeMismatch, [](auto&, auto& o) {
    o.gates = {1, 1, 1};
  }));
  CHECK(refused(ErrorCode::kNotFinite, [](auto&, auto& o) {
    o.gates = {1, std::nan("")};
  }));
  CHECK(refused(ErrorCode::kShapeMismatch,
                [](auto&, auto& o) { o.memory = Matrix::Ones(2, 3); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::multi_head_cost(1, 10, 3); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::multi_head_cost(0, 10, 2); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::multi_head_cost(std::int64_t{1} << 27U, 8, 8); }));
}
