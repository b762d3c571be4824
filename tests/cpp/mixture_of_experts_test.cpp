// mixture_of_experts: routing, gates, balance losses, capacity (vectors 13).
#include <algorithm>
#include <attn/error.hpp>
#include <attn/mixture_of_experts.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Gating;
using attn::Index;
using attn::Matrix;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::matrix;

namespace {

const char kFile[] = "13_moe";

}  // namespace

TEST_CASE("the router picks the best experts, ties by lower index",
          "[mixture_of_experts][vectors]") {
  const auto c = load(kFile, "router_8x4");
  const Matrix logits = matrix(c.input.at("logits"));
  const auto top1 = attn::route_tokens(logits, 1, Gating::kRaw);
  check_close(top1.probabilities, c.expected.at("probs"), c.tolerance);
  CHECK(top1.experts == c.expected.at("top1").get<std::vector<int>>());
  const auto raw = attn::route_tokens(logits, 2, Gating::kRaw);
  const auto shared = attn::route_tokens(logits, 2, Gating::kRenormalised);
  for (size_t i = 0; i < 8; ++i) {
    const auto& want = c.expected.at("top2").at(i);
    for (size_t k = 0; k < 2; ++k) {
      CHECK(raw.experts[2 * i + k] == want.at("experts").at(k).get<int>());
      check_close(raw.gates[2 * i + k], want.at("raw").at(k), c.tolerance);
      check_close(shared.gates[2 * i + k], want.at("renormalised").at(k),
                  c.tolerance);
      check_close(shared.gates[2 * i + k],
                  want.at("shazeer_softmax_of_kept_logits").at(k), c.tolerance);
    }
  }
}

TEST_CASE("the losses of Switch, GShard and Shazeer on the same router",
          "[mixture_of_experts][vectors]") {
  const auto c = load(kFile, "switch_loss");
  const Matrix p =
      attn::route_tokens(matrix(c.input.at("logits")), 1, Gating::kRaw)
          .probabilities;
  const double alpha = c.input.at("alpha");
  const auto b = attn::balance_loss(p, alpha);
  check_close(b.fraction, c.expected.at("f"), c.tolerance);
  check_close(b.probability, c.expected.at("P"), c.tolerance);
  check_close(b.switch_loss / alpha, c.expected.at("N_sum_fP"), c.tolerance);
  check_close(b.switch_loss, c.expected.at("loss"), c.tolerance);

  const auto gshard = load(kFile, "gshard_l_aux");
  check_close(b.gshard_loss, gshard.expected.at("mean_over_experts_of_me_ce"),
              c.tolerance);
  const auto shazeer = load(kFile, "shazeer_importance");
  check_close(b.importance, shazeer.expected.at("importance"), c.tolerance);
  check_close(b.importance_cv2, shazeer.expected.at("cv_squared"), c.tolerance);
}

TEST_CASE("a uniform router costs alpha, a collapsed one alpha times N",
          "[mixture_of_experts][vectors]") {
  const auto c = load(kFile, "switch_loss_uniform_and_collapsed");
  const int n = c.input.at("N");
  const double alpha = c.input.at("alpha");
  Matrix uniform = Matrix::Constant(n, n, 1.0 / n);
  Matrix collapsed = Matrix::Zero(n, n);
  collapsed.col(0).setOnes();
  check_close(attn::balance_loss(uniform, alpha).switch_loss,
              c.expected.at("uniform"), c.tolerance);
  check_close(attn::balance_loss(collapsed, alpha).switch_loss,
              c.expected.at("collapsed_all_to_one_with_P1"), c.tolerance);
}

TEST_CASE("an unequal router can cost less than a uniform one",
          "[mixture_of_experts][vectors]") {
  const auto c = load(kFile, "switch_loss_can_go_below_alpha");
  const auto b = attn::balance_loss(matrix(c.input.at("token_probs")),
                                    c.input.at("alpha"));
  check_close(b.fraction, c.expected.at("f"), c.tolerance);
  check_close(b.probability, c.expected.at("P"), c.tolerance);
  check_close(b.switch_loss, c.expected.at("loss"), c.tolerance);
}

TEST_CASE("a full expert drops the tokens that come late",
          "[mixture_of_experts][vectors]") {
  const auto c = load(kFile, "capacity_drop");
  const auto top1 = c.input.at("top1").get<std::vector<int>>();
  for (size_t i = 0; i < 3; ++i) {
    const auto d =
        attn::dispatch_tokens(top1, 4, c.input.at("capacity_factor").at(i));
    CHECK(d.capacity == c.expected.at("capacity").at(i).get<int>());
    CHECK(d.kept == c.expected.at("kept").at(i).get<std::vector<bool>>());
  }
}

TEST_CASE("eight experts hold eight times the weights at the same arithmetic",
          "[mixture_of_experts][vectors]") {
  const auto c = load(kFile, "param_vs_flops");
  for (size_t i = 0; i < 2; ++i) {
    const auto n =
        attn::mixture_counts(c.input.at("d_model"), c.input.at("d_ff"),
                             c.input.at("experts"), c.input.at("top_k").at(i));
    CHECK(n.dense_parameters ==
          c.expected.at("ffn_params_dense").get<double>());
    CHECK(n.expert_parameters == c.expected.at("ffn_params_moe").get<double>());
    CHECK(n.router_parameters == c.expected.at("router_params").get<double>());
    CHECK(n.flops_per_token ==
          c.expected.at("flops_per_token").at(i).get<double>());
  }
}

TEST_CASE("renormalised gates sum to one and k = N uses every expert",
          "[mixture_of_experts][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix logits = random_matrix(rng, 1, 6, 1, 6);
    const int k = 1 + rng.below(static_cast<int>(logits.cols()));
    const auto r = attn::route_tokens(logits, k, Gating::kRenormalised);
    for (Index i = 0; i < logits.rows(); ++i) {
      double sum = 0;
      std::vector<int> seen;
      for (int c = 0; c < k; ++c) {
        const auto place = static_cast<size_t>(i * k + c);
        sum += r.gates[place];
        seen.push_back(r.experts[place]);
      }
      std::sort(seen.begin(), seen.end());
      REQUIRE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
      REQUIRE(sum == Approx(1).margin(1e-12));
    }
  }
}

TEST_CASE("equal experts make the mixture one dense network",
          "[mixture_of_experts][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 4, 3, 3);
    const Matrix router = random_matrix(rng, 3, 3, 1, 4);
    const attn::FeedForward one{
        random_matrix(rng, 3, 3, 5, 5), {}, random_matrix(rng, 5, 5, 3, 3), {}};
    const std::vector<attn::FeedForward> all(static_cast<size_t>(router.cols()),
                                             one);
    const int k = 1 + rng.below(static_cast<int>(router.cols()));
    const auto t =
        attn::mixture_of_experts(x, router, all, k, Gating::kRenormalised);
    REQUIRE(attn::max_gap(t.output, attn::feed_forward(x, one).output) < 1e-12);
  }
}

TEST_CASE("routers and experts that do not fit are refused by code",
          "[mixture_of_experts][error]") {
  const Matrix logits = Matrix::Ones(2, 3);
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::route_tokens(logits, 4, Gating::kRaw); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::route_tokens(logits, 0, Gating::kRaw); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::route_tokens(Matrix(), 1, Gating::kRaw); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::balance_loss(logits, 0.01); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::balance_loss(Matrix::Ones(1, 1), -1); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::dispatch_tokens({0, 4}, 4, 1);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::dispatch_tokens({0}, 1, std::numeric_limits<double>::quiet_NaN());
  }));
  CHECK(
      refuses(ErrorCode::kEmptyInput, [] { attn::dispatch_tokens({}, 4, 1); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::mixture_of_experts(Matrix::Ones(1, 2), Matrix::Ones(2, 3), {}, 1,
                             Gating::kRaw);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::mixture_counts(512, 2048, 8, 9); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::mixture_counts(1e7, 1e7, 1e7, 1); }));
}
