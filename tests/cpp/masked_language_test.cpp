// masked_language: which tokens BERT hides, swaps and keeps (vectors 16).
#include <algorithm>
#include <attn/error.hpp>
#include <attn/masked_language.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::MaskAction;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::numbers;

namespace {

std::string name(MaskAction action) {
  switch (action) {
    case MaskAction::kNone:
      return "none";
    case MaskAction::kMask:
      return "MASK";
    case MaskAction::kRandom:
      return "RANDOM";
    case MaskAction::kKeep:
      return "KEEP";
  }
  return "";
}

int count(const attn::MaskPlan& plan, MaskAction action) {
  return static_cast<int>(
      std::count(plan.actions.begin(), plan.actions.end(), action));
}

}  // namespace

TEST_CASE("given draws decide each token, kept ones bear loss too",
          "[masked_language][vectors]") {
  const auto c = load("16_mlm", "explicit_uniforms");
  const auto plan = attn::plan_masks(numbers(c.input.at("u_select")),
                                     numbers(c.input.at("u_action")));
  for (size_t i = 0; i < plan.actions.size(); ++i)
    CHECK(name(plan.actions[i]) ==
          c.expected.at("action").at(i).get<std::string>());
  CHECK(plan.loss_positions ==
        c.expected.at("loss_positions").get<std::vector<int>>());
}

TEST_CASE("expected shares and counts", "[masked_language][vectors]") {
  const auto c = load("16_mlm", "expected_rates");
  const auto s = attn::mask_shares();
  check_close(s.mask, c.expected.at("MASK"), c.tolerance);
  check_close(s.random, c.expected.at("RANDOM"), c.tolerance);
  check_close(s.keep, c.expected.at("KEEP"), c.tolerance);
  check_close(s.untouched, c.expected.at("untouched"), c.tolerance);
  check_close(s.looks_unchanged, c.expected.at("looks_unchanged"), c.tolerance);

  const auto counts = load("16_mlm", "expected_counts_512");
  const double n = counts.input.at("n");
  check_close(n * (1 - s.untouched), counts.expected.at("selected"),
              counts.tolerance);
  check_close(n * s.mask, counts.expected.at("MASK"), counts.tolerance);
  check_close(n * s.random, counts.expected.at("RANDOM"), counts.tolerance);
  check_close(n * s.keep, counts.expected.at("KEEP"), counts.tolerance);
}

TEST_CASE("256 sequences of 512 tokens are 131,072, not 128,000",
          "[masked_language][vectors]") {
  const auto c = load("16_mlm", "batch_size_check");
  const int tokens =
      c.input.at("sequences").get<int>() * c.input.at("tokens").get<int>();
  const auto plan = attn::plan_masks_seeded(1, tokens);
  CHECK(static_cast<int>(plan.actions.size()) ==
        c.expected.at("true_product").get<int>());
  CHECK(static_cast<int>(plan.actions.size()) !=
        c.expected.at("paper_rounds_to").get<int>());
}

TEST_CASE("a seeded run of 20,000 tokens counts out exactly",
          "[masked_language][vectors]") {
  const auto c = load("16_mlm", "mulberry32_seed7_20000");
  const auto plan =
      attn::plan_masks_seeded(c.input.at("seed"), c.input.at("n"));
  for (const MaskAction a : {MaskAction::kNone, MaskAction::kMask,
                             MaskAction::kRandom, MaskAction::kKeep})
    CHECK(count(plan, a) == c.expected.at(name(a)).get<int>());
}

TEST_CASE("every chosen token bears loss, and no other, at any rates",
          "[masked_language][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const double mask = rng.uniform();
    const attn::MaskRates rates{rng.uniform(), mask,
                                (1 - mask) * rng.uniform()};
    const int n = 1 + rng.below(40);
    const auto plan = attn::plan_masks_seeded(seed, n, rates);
    REQUIRE(static_cast<int>(plan.loss_positions.size()) ==
            n - count(plan, MaskAction::kNone));
    const auto s = attn::mask_shares(rates);
    REQUIRE(s.mask + s.random + s.keep + s.untouched == Approx(1));
  }
}

TEST_CASE("rates and draws outside 0 to 1 are refused by code",
          "[masked_language][error]") {
  CHECK(
      refuses(ErrorCode::kShapeMismatch, [] { attn::plan_masks({0.1}, {}); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::plan_masks({}, {}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::plan_masks({1.5}, {0.5}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::plan_masks({std::numeric_limits<double>::quiet_NaN()}, {0.5});
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::mask_shares({0.15, 0.8, 0.3});
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::plan_masks_seeded(1, 0); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::plan_masks_seeded(1, (1 << 22) + 1); }));
}
