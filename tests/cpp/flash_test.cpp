// flash: tiled attention behind an Sram that counts (vectors 20, hbm_accesses;
// vectors 10, extra_memory); equal to attention on 1,000 random shapes, masks
// and memories, and so are its gradients.
#include <attn/attention.hpp>
#include <attn/error.hpp>
#include <attn/flash.hpp>
#include <attn/online_softmax.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::FlashOptions;
using attn::FlashOrder;
using attn::Index;
using attn::Matrix;
using attn::max_gap;
using attn::Place;
using attn::SlowMatrix;
using attn::Sram;
using attn::Traffic;
using attn::vectors::check_close;
using attn::vectors::load;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// A random problem small enough to try a thousand of.
struct Problem {
  Matrix q, k, v, d_output;
  FlashOptions options;
  attn::AttentionOptions reference;
};

Problem random_problem(std::uint32_t seed) {
  attn::Rng rng(seed);
  const Index n = 1 + rng.below(9);
  const Index m = 1 + rng.below(9);
  const Index d = 1 + rng.below(5);
  Problem p{attn::normal_matrix(rng, n, d),
            attn::normal_matrix(rng, m, d),
            attn::normal_matrix(rng, m, d),
            attn::normal_matrix(rng, n, d),
            {},
            {}};
  p.options.sram = 7 * d + rng.below(static_cast<int>(30 * d));
  p.options.order = rng.below(2) == 0 ? FlashOrder::kKeysOutside
                                      : FlashOrder::kQueriesOutside;
  p.options.mask.causal = p.reference.causal = rng.below(2) == 0;
  if (rng.below(2) == 0) {
    for (Index j = 0; j < m; ++j)
      p.options.mask.keys_kept.push_back(rng.below(3) != 0);
    p.reference.mask = attn::padding_mask(n, p.options.mask.keys_kept);
  }
  return p;
}

bool same(const Traffic& a, const Traffic& b) {
  return a.reads == b.reads && a.writes == b.writes && a.extra == b.extra &&
         a.peak_tiles == b.peak_tiles && a.peak_scratch == b.peak_scratch;
}

bool same(const attn::Tally& a, const attn::Tally& b) {
  return a.multiplications == b.multiplications && a.additions == b.additions &&
         a.divisions == b.divisions && a.exponentials == b.exponentials;
}

std::int64_t moved(const Traffic& t) { return t.reads + t.writes; }

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

TEST_CASE("an Sram counts what crosses and gives room back", "[flash]") {
  Matrix m = Matrix::Zero(3, 2);
  m << 1, 2, 3, 4, 5, 6;
  const SlowMatrix from(m);
  SlowMatrix to(Matrix::Zero(3, 2));
  Sram sram(4);
  {
    const auto tile = sram.load(from, 1, 2);
    CHECK(tile.values() == m.bottomRows(2));
    sram.store(tile, to, 0);
  }
  const auto again = sram.load(from, 0, 2);
  CHECK(sram.traffic().reads == 8);
  CHECK(sram.traffic().writes == 4);
  CHECK(sram.traffic().peak_tiles == 4);
  const Matrix stored = std::move(to).take();
  CHECK(stored.topRows(2) == m.bottomRows(2));
}

TEST_CASE("an Sram refuses to overfill and counts nothing for it",
          "[flash][error]") {
  const SlowMatrix from(Matrix::Ones(5, 2));
  SlowMatrix narrow(Matrix::Ones(5, 1));
  Sram sram(6);
  CHECK(refuses(ErrorCode::kTooLarge, [&] { sram.load(from, 0, 4); }));
  CHECK(sram.traffic().reads == 0);
  const auto held = sram.load(from, 0, 2);
  CHECK(refuses(ErrorCode::kTooLarge, [&] { sram.load(from, 0, 2); }));
  CHECK(refuses(ErrorCode::kTooLarge, [&] { sram.make(3, 1, 0.0); }));
  CHECK(sram.traffic().reads == 4);
  CHECK_NOTHROW(sram.make(2, 1, 0.0));
  // Scores and statistics have room of their own, but are tallied.
  CHECK_NOTHROW(sram.make(3, 3, 0.0, Place::kScratch));
  CHECK(sram.traffic().peak_scratch == 9);
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] { sram.load(from, 4, 2); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] { sram.load(from, -1, 1); }));
  CHECK(
      refuses(ErrorCode::kShapeMismatch, [&] { sram.store(held, narrow, 0); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] { const Sram none(0); }));
}

TEST_CASE("what crosses at five sizes, counted load by load",
          "[flash][vectors]") {
  const auto c = load("20_costs", "hbm_accesses");
  for (const auto& r : c.expected.at("rows")) {
    const Index n = r.at("N");
    const Index d = r.at("d");
    const Index sram = r.at("M_elements");
    const auto blocks = attn::flash_blocks(sram, d);
    CHECK(blocks.keys == r.at("B_c"));
    CHECK(blocks.queries == r.at("B_r"));
    CHECK(ceil_div(n, blocks.keys) == r.at("T_c"));
    CHECK(ceil_div(n, blocks.queries) == r.at("T_r"));
    const auto first =
        attn::flash_traffic(n, d, sram, FlashOrder::kKeysOutside);
    const auto second =
        attn::flash_traffic(n, d, sram, FlashOrder::kQueriesOutside);
    const auto plain = attn::standard_traffic(n, d);
    const auto unfused = attn::standard_traffic(n, d, 3);
    CHECK(moved(plain) == r.at("standard"));
    CHECK(moved(unfused) == r.at("standard_with_3_unfused_elementwise_passes"));
    CHECK(moved(first) == r.at("flash_algorithm1"));
    CHECK(moved(second) == r.at("q_outer_loop_variant"));
    const auto tiled = static_cast<double>(moved(first));
    check_close(static_cast<double>(moved(plain)) / tiled, r.at("ratio"),
                c.tolerance);
    check_close(static_cast<double>(moved(unfused)) / tiled,
                r.at("ratio_with_3_passes"), c.tolerance);
    check_close(attn::flash_traffic_order(n, d, sram),
                r.at("theta_N2d2_over_M"), c.tolerance);
    CHECK(first.peak_tiles <= sram);
    CHECK(second.peak_tiles <= sram);
  }
}

TEST_CASE("beyond inputs and output: two square matrices, or two columns",
          "[flash][vectors]") {
  const auto c = load("10_online_softmax", "extra_memory");
  const Index n = c.input.at("N");
  const Index d = c.input.at("d");
  CHECK(attn::standard_traffic(n, d).extra ==
        c.expected.at("standard_S_and_P_elements"));
  CHECK(attn::flash_traffic(n, d, 49152, FlashOrder::kKeysOutside).extra ==
        c.expected.at("flash_extra_elements_m_and_l"));
  CHECK(attn::flash_traffic(n, d, 49152, FlashOrder::kQueriesOutside).extra ==
        n);
}

TEST_CASE("Algorithm 1's own tiles of d = 128 with their scores pass M",
          "[flash]") {
  const auto t =
      attn::flash_traffic(4096, 128, 49152, FlashOrder::kKeysOutside);
  CHECK(t.peak_tiles == 49152);
  CHECK(t.peak_scratch == 96 * 96 + 2 * 96);
}

TEST_CASE("a run on shapes moves exactly what a run on numbers moves",
          "[flash]") {
  attn::Rng rng(5);
  const Index n = 37;
  const Index d = 4;
  const Matrix q = attn::normal_matrix(rng, n, d);
  for (const Index sram : {28, 64, 100, 128, 500, 5000})
    for (const bool causal : {false, true}) {
      FlashOptions options;
      options.sram = sram;
      options.mask.causal = causal;
      for (const auto order :
           {FlashOrder::kKeysOutside, FlashOrder::kQueriesOutside}) {
        options.order = order;
        const auto t = attn::flash_attention(q, q, q, options);
        CHECK(same(t.traffic, attn::flash_traffic(n, d, sram, order, causal)));
        const auto g = attn::flash_attention_backward(
            q, q, q, t.output, t.log_sum_exp, q, options);
        CHECK(
            same(g.traffic, attn::flash_backward_traffic(n, d, sram, causal)));
      }
    }
  for (int passes = 0; passes <= 3; ++passes)
    CHECK(same(attn::standard_attention(q, q, q, {}, passes).traffic,
               attn::standard_traffic(n, d, passes)));
}

TEST_CASE("the backward count equals the formula of its loops", "[flash]") {
  for (const std::int64_t n : {64, 100, 1024})
    for (const std::int64_t d : {4, 64}) {
      const auto size = static_cast<Index>(n);
      const auto width = static_cast<Index>(d);
      const auto t = attn::flash_backward_traffic(size, width, 4096);
      const auto blocks = attn::flash_backward_blocks(4096, width);
      const std::int64_t t_c = ceil_div(n, blocks.keys);
      // D first; K, V once; Q, dO, dQ and L, D at every step; dQ, dK, dV out.
      CHECK(t.reads == 2 * n * d + 2 * n * d + t_c * (3 * n * d + 2 * n));
      CHECK(t.writes == n + t_c * n * d + 2 * n * d);
      CHECK(t.peak_tiles <= 4096);
    }
}

TEST_CASE("traffic stays quadratic in n and four times at twice the width",
          "[flash]") {
  const auto count = [](Index n, Index d) {
    return static_cast<double>(
        moved(attn::flash_traffic(n, d, 49152, FlashOrder::kKeysOutside)));
  };
  CHECK(count(8192, 64) / count(4096, 64) == Approx(3.854).epsilon(1e-3));
  CHECK(count(4096, 128) / count(4096, 64) == Approx(3.815).epsilon(1e-3));
}

TEST_CASE("tiles always fit the memory that they were cut for",
          "[flash][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const Index d = 1 + rng.below(200);
    const Index sram = 1 + rng.below(100000);
    if (sram < 4 * d) {
      REQUIRE(
          refuses(ErrorCode::kTooLarge, [&] { attn::flash_blocks(sram, d); }));
      continue;
    }
    const auto b = attn::flash_blocks(sram, d);
    REQUIRE(2 * d * (b.keys + b.queries) <= sram);
    REQUIRE(b.queries == std::min(b.keys, d));
    REQUIRE(b.keys <= ceil_div(sram, 4 * d));
    REQUIRE(b.keys >= sram / (4 * d));
  }
}

TEST_CASE("tiled attention is attention, whatever the tiles and the mask",
          "[flash][property]") {
  double worst = 0;
  int masked = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Problem p = random_problem(seed);
    const auto exact = attn::attention(p.q, p.k, p.v, p.reference);
    const auto t = attn::flash_attention(p.q, p.k, p.v, p.options);
    worst = std::max(worst, max_gap(t.output, exact.output));
    REQUIRE(t.fully_masked == exact.fully_masked);
    REQUIRE(t.traffic.peak_tiles <= p.options.sram);
    const auto plain = attn::standard_attention(p.q, p.k, p.v, p.options.mask,
                                                static_cast<int>(seed % 4));
    worst = std::max({worst, max_gap(plain.output, exact.output),
                      max_gap(plain.weights, exact.weights)});
    REQUIRE(plain.fully_masked == exact.fully_masked);
    for (Index i = 0; i < p.q.rows(); ++i) {
      const auto row = static_cast<size_t>(i);
      if (!t.fully_masked[row]) {
        std::vector<double> scores(exact.scores.row(i).begin(),
                                   exact.scores.row(i).end());
        worst = std::max(worst, std::abs(attn::online_scan(scores).log_sum_exp -
                                         t.log_sum_exp[row]));
        continue;
      }
      ++masked;
      REQUIRE(t.log_sum_exp[row] == -kInf);
      REQUIRE(t.output.row(i).cwiseAbs().maxCoeff() == 0);
    }
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-12);
  CHECK(masked > 100);
}

TEST_CASE("recomputed gradients are the gradients of attention",
          "[flash][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Problem p = random_problem(seed);
    const auto forward = attn::flash_attention(p.q, p.k, p.v, p.options);
    const auto g = attn::flash_attention_backward(p.q, p.k, p.v, forward.output,
                                                  forward.log_sum_exp,
                                                  p.d_output, p.options);
    const auto exact =
        attn::attention_gradients(p.q, p.k, p.v, p.d_output, p.reference);
    worst = std::max({worst, max_gap(g.d_q, exact.d_q),
                      max_gap(g.d_k, exact.d_k), max_gap(g.d_v, exact.d_v)});
    REQUIRE(g.traffic.peak_tiles <= p.options.sram);
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-12);
}

TEST_CASE("gradients from kept weights are the gradients of attention",
          "[flash][property]") {
  double worst = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Problem p = random_problem(seed);
    const auto weights =
        attn::standard_attention(p.q, p.k, p.v, p.options.mask).weights;
    const auto g =
        attn::standard_attention_backward(p.q, p.k, p.v, weights, p.d_output);
    const auto exact =
        attn::attention_gradients(p.q, p.k, p.v, p.d_output, p.reference);
    worst = std::max({worst, max_gap(g.d_q, exact.d_q),
                      max_gap(g.d_k, exact.d_k), max_gap(g.d_v, exact.d_v)});
    REQUIRE(same(g.traffic,
                 p.q.rows() == p.k.rows()
                     ? attn::standard_backward_traffic(p.q.rows(), p.q.cols())
                     : g.traffic));
  }
  INFO("worst gap " << worst);
  CHECK(worst <= 1e-12);
}

TEST_CASE("arithmetic counted on shapes is the arithmetic done on numbers",
          "[flash][property]") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    attn::Rng rng(seed);
    const Index n = 1 + rng.below(24);
    const Index d = 1 + rng.below(6);
    const Matrix q = attn::normal_matrix(rng, n, d);
    const Matrix k = attn::normal_matrix(rng, n, d);
    FlashOptions options;
    options.sram = 7 * d + rng.below(static_cast<int>(40 * d));
    options.count_operations = true;
    for (const auto order :
         {FlashOrder::kKeysOutside, FlashOrder::kQueriesOutside}) {
      options.order = order;
      const auto t = attn::flash_attention(q, k, k, options);
      REQUIRE(same(t.operations,
                   attn::flash_operations(n, d, options.sram, order)));
      options.count_operations = false;
      const auto plain = attn::flash_attention(q, k, k, options);
      options.count_operations = true;
      REQUIRE(plain.output == t.output);
      REQUIRE(plain.operations.additions == 0);
      const auto g = attn::flash_attention_backward(q, k, k, t.output,
                                                    t.log_sum_exp, q, options);
      REQUIRE(same(g.operations,
                   attn::flash_backward_operations(n, d, options.sram)));
    }
    const int passes = rng.below(4);
    const auto whole = attn::standard_attention(q, k, k, {}, passes, true);
    REQUIRE(same(whole.operations, attn::standard_operations(n, d, passes)));
    const auto kept =
        attn::standard_attention_backward(q, k, k, whole.weights, q, true);
    REQUIRE(same(kept.operations, attn::standard_backward_operations(n, d)));
  }
}

TEST_CASE("tiles do more arithmetic and move less", "[flash]") {
  const std::int64_t n = 4096;
  const std::int64_t d = 64;
  const std::int64_t t_c = 22;
  const auto whole = attn::standard_operations(4096, 64);
  CHECK(whole.multiplications == 2 * n * n * d + n * n);
  CHECK(whole.additions ==
        n * n * (d - 1) + n * n + n * (n - 1) + n * (n - 1) * d);
  CHECK(whole.divisions == n * n);
  CHECK(whole.exponentials == n * n);
  // One exp, one product and one sum of ℓ, and d of o, for each query and tile.
  const auto first =
      attn::flash_operations(4096, 64, 49152, FlashOrder::kKeysOutside);
  CHECK(first.multiplications == whole.multiplications + t_c * n * (d + 2));
  CHECK(first.exponentials == whole.exponentials + t_c * n);
  CHECK(first.divisions == t_c * n * d);
  const auto second =
      attn::flash_operations(4096, 64, 49152, FlashOrder::kQueriesOutside);
  CHECK(second.multiplications == whole.multiplications + t_c * n * (d + 1));
  CHECK(second.exponentials == whole.exponentials + t_c * n);
  CHECK(second.divisions == n * d);
  for (const auto& tiled : {first, second})
    CHECK(tiled.multiplications + tiled.additions >
          whole.multiplications + whole.additions);
  // Backward: S is made again, a fifth product beside the four; the row sums
  // of dO ∘ O take the place of those of P ∘ dP, and the scale is as often.
  const auto kept = attn::standard_backward_operations(4096, 64);
  const auto again = attn::flash_backward_operations(4096, 64, 49152);
  CHECK(again.multiplications - kept.multiplications == n * n * d + n * d);
  CHECK(again.exponentials == n * n);
  CHECK(kept.exponentials == 0);
  CHECK(moved(attn::standard_backward_traffic(4096, 64)) ==
        7 * n * n + 8 * n * d);
  CHECK(moved(attn::flash_backward_traffic(4096, 64, 49152)) <
        moved(attn::standard_backward_traffic(4096, 64)));
  CHECK(moved(attn::flash_traffic(4096, 64, 49152, FlashOrder::kKeysOutside)) <
        moved(attn::standard_traffic(4096, 64)));
}

TEST_CASE("each backward step makes the weights again, and its sums add up",
          "[flash]") {
  attn::Rng rng(6);
  const Matrix q = attn::normal_matrix(rng, 5, 2);
  const Matrix k = attn::normal_matrix(rng, 5, 2);
  const Matrix d_output = attn::normal_matrix(rng, 5, 2);
  FlashOptions options;
  options.sram = 28;
  options.record_steps = true;
  for (const bool causal : {false, true}) {
    options.mask.causal = causal;
    const auto t = attn::flash_attention(q, k, k, options);
    const auto g = attn::flash_attention_backward(
        q, k, k, t.output, t.log_sum_exp, d_output, options);
    const Matrix exact =
        attn::standard_attention(q, k, k, options.mask).weights;
    REQUIRE(g.steps.size() == 9);
    int skipped = 0;
    for (const auto& step : g.steps) {
      if (step.skipped) {
        ++skipped;
        CHECK(step.weights.size() == 0);
        continue;
      }
      CHECK(max_gap(step.weights, exact.block(step.first_query, step.first_key,
                                              step.queries, step.keys)) <
            1e-15);
      if (step.first_query + step.queries == 5) {
        CHECK(step.d_k == g.d_k.middleRows(step.first_key, step.keys));
        CHECK(step.d_v == g.d_v.middleRows(step.first_key, step.keys));
      }
      if (step.first_key + step.keys == 5)
        CHECK(step.d_q == g.d_q.middleRows(step.first_query, step.queries));
    }
    CHECK(skipped == (causal ? 3 : 0));
    CHECK(g.steps.back().reads == g.traffic.reads);
  }
}

TEST_CASE("gradients agree with finite differences of the tiled output",
          "[flash]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Problem p = random_problem(seed);
    const auto forward = attn::flash_attention(p.q, p.k, p.v, p.options);
    const auto g = attn::flash_attention_backward(p.q, p.k, p.v, forward.output,
                                                  forward.log_sum_exp,
                                                  p.d_output, p.options);
    const auto output = [&](const Matrix& q, const Matrix& k, const Matrix& v) {
      return attn::flash_attention(q, k, v, p.options).output;
    };
    CHECK(
        max_gap(g.d_q, finite_difference(p.q, p.d_output, [&](const Matrix& x) {
                  return output(x, p.k, p.v);
                })) < 1e-8);
    CHECK(
        max_gap(g.d_k, finite_difference(p.k, p.d_output, [&](const Matrix& x) {
                  return output(p.q, x, p.v);
                })) < 1e-8);
    CHECK(
        max_gap(g.d_v, finite_difference(p.v, p.d_output, [&](const Matrix& x) {
                  return output(p.q, p.k, x);
                })) < 1e-8);
  }
}

TEST_CASE("each recorded step holds attention to the keys seen so far",
          "[flash]") {
  attn::Rng rng(3);
  const Matrix q = attn::normal_matrix(rng, 5, 2);
  const Matrix k = attn::normal_matrix(rng, 7, 2);
  FlashOptions options;
  options.sram = 20;
  options.record_steps = true;
  for (const auto order :
       {FlashOrder::kKeysOutside, FlashOrder::kQueriesOutside}) {
    options.order = order;
    const auto t = attn::flash_attention(q, k, k, options);
    CHECK(t.steps.size() == static_cast<size_t>(ceil_div(5, t.blocks.queries) *
                                                ceil_div(7, t.blocks.keys)));
    std::int64_t reads = 0;
    for (const auto& step : t.steps) {
      const Matrix rows = q.middleRows(step.first_query, step.queries);
      const Matrix seen = k.topRows(step.first_key + step.keys);
      CHECK(max_gap(step.output, attn::attention(rows, seen, seen).output) <
            1e-14);
      CHECK(step.reads > reads);
      reads = step.reads;
    }
    CHECK(t.steps.back().reads == t.traffic.reads);
  }
  options.record_steps = false;
  CHECK(attn::flash_attention(q, k, k, options).steps.empty());
}

TEST_CASE("with queries outside, a causal tile in the future stays in HBM",
          "[flash]") {
  attn::Rng rng(4);
  const Matrix x = attn::normal_matrix(rng, 8, 2);
  FlashOptions options;
  options.sram = 16;
  options.mask.causal = true;
  options.record_steps = true;
  const auto t = attn::flash_attention(x, x, x, options);
  REQUIRE(t.blocks.keys == 2);
  REQUIRE(t.steps.size() == 16);
  int skipped = 0;
  for (size_t s = 0; s < t.steps.size(); ++s) {
    const auto& step = t.steps[s];
    CHECK(step.skipped == (step.first_key > step.first_query + 1));
    if (!step.skipped) continue;
    ++skipped;
    CHECK(step.max == t.steps[s - 1].max);
    CHECK(step.reads == t.steps[s - 1].reads);
  }
  CHECK(skipped == 6);
  // Q and O once, L once; K and V for 10 tiles of 16.
  CHECK(t.traffic.reads == 16 + 10 * 2 * 2 * 2);
  CHECK(t.traffic.writes == 16 + 8);
}

TEST_CASE("scores far apart do not overflow in tiles", "[flash]") {
  const Matrix q = Matrix::Constant(3, 1, 1e3);
  Matrix k(4, 1);
  k << -1e3, 1e3, -1e3, 999;
  FlashOptions options;
  options.sram = 4;
  for (const auto order :
       {FlashOrder::kKeysOutside, FlashOrder::kQueriesOutside}) {
    options.order = order;
    CHECK(attn::flash_attention(q, k, k, options).output ==
          attn::attention(q, k, k).output);
  }
}

TEST_CASE("the tiled programs refuse by code", "[flash][error]") {
  const Matrix a = Matrix::Ones(3, 2);
  const auto bad = [&](ErrorCode code, const Matrix& q, const Matrix& k,
                       const Matrix& v, const FlashOptions& options = {}) {
    return refuses(code, [&] { attn::flash_attention(q, k, v, options); });
  };
  CHECK(bad(ErrorCode::kEmptyInput, Matrix(0, 2), a, a));
  CHECK(bad(ErrorCode::kShapeMismatch, Matrix::Ones(3, 1), a, a));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, Matrix::Ones(2, 2)));
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, Matrix::Ones(3, 3)));
  CHECK(bad(ErrorCode::kNotFinite, a, a, Matrix::Constant(3, 2, kInf)));
  CHECK(bad(ErrorCode::kDiverged, 1e200 * a, -1e200 * a, a));
  CHECK(bad(ErrorCode::kTooLarge, Matrix::Ones(1 << 14, 1),
            Matrix::Ones(1 << 13, 1), Matrix::Ones(1 << 13, 1)));
  FlashOptions options;
  options.sram = 7;
  CHECK(bad(ErrorCode::kTooLarge, a, a, a, options));
  options.sram = 0;
  CHECK(bad(ErrorCode::kInvalidArgument, a, a, a, options));
  options = {};
  options.mask.keys_kept = {true};
  CHECK(bad(ErrorCode::kShapeMismatch, a, a, a, options));
  options = {};
  options.sram = 4;
  options.record_steps = true;
  const Matrix column = Matrix::Ones(300, 1);
  CHECK(bad(ErrorCode::kTooLarge, column, column, column, options));

  const auto forward = attn::flash_attention(a, a, a);
  const auto backward = [&](const attn::FlashTrace& t, const Matrix& d_output,
                            Index sram = 49152) {
    FlashOptions o;
    o.sram = sram;
    attn::flash_attention_backward(a, a, a, t.output, t.log_sum_exp, d_output,
                                   o);
  };
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { backward(forward, Matrix::Ones(2, 2)); }));
  CHECK(refuses(ErrorCode::kTooLarge, [&] { backward(forward, a, 13); }));
  auto other = forward;
  other.log_sum_exp.pop_back();
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { backward(other, a); }));
  other.log_sum_exp.push_back(kInf);
  CHECK(refuses(ErrorCode::kNotFinite, [&] { backward(other, a); }));

  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::standard_attention(a, a, a, {}, 4); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    const Matrix c = Matrix::Ones(2049, 1);
    attn::standard_attention(c, c, c);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::flash_traffic(0, 64, 49152, FlashOrder::kKeysOutside);
  }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::flash_traffic(1 << 20, 1, 4, FlashOrder::kKeysOutside);
  }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::flash_backward_traffic(8, 64, 447); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::standard_traffic((1 << 22) + 1, 1); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::flash_traffic_order(1, 0, 1); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::standard_attention_backward(a, a, a, Matrix::Ones(3, 2), a);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::standard_operations(1, 1, 4); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::flash_backward_operations(8, 64, 447); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::flash_operations(1 << 22, 64, 49152, FlashOrder::kKeysOutside);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::standard_backward_operations(0, 1); }));
}
