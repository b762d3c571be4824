// scaling: how the width of a key inflates scores and saturates softmax
// (vectors 21).
#include <attn/error.hpp>
#include <attn/scaling.hpp>
#include <catch.hpp>
#include <cmath>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Scale;
using attn::vectors::check_close;
using attn::vectors::load;

TEST_CASE("the deviation of a dot product is the root of its width",
          "[scaling][vectors]") {
  const auto c = load("21_dk_scaling", "std_of_dot_product");
  for (size_t i = 0; i < c.input.at("d_k").size(); ++i) {
    const int d_k = c.input.at("d_k").at(i);
    check_close(attn::dot_product_std(d_k, Scale::kNone),
                c.expected.at("std").at(i), c.tolerance);
    check_close(attn::dot_product_std(d_k, Scale::kRootOfDk),
                c.expected.at("std_scaled").at(i), c.tolerance);
  }
}

TEST_CASE("two random scores: the larger weight nears 1 as the width grows",
          "[scaling][vectors]") {
  const auto c =
      load("21_dk_scaling", "two_gaussian_logits_expected_max_weight");
  for (size_t i = 0; i < c.input.at("d_k").size(); ++i) {
    const int d_k = c.input.at("d_k").at(i);
    check_close(attn::expected_larger_weight(d_k, Scale::kNone),
                c.expected.at("unscaled").at(i), c.tolerance);
    check_close(attn::expected_larger_weight(d_k, Scale::kRootOfDk),
                c.expected.at("scaled"), c.tolerance);
  }
}

TEST_CASE("four hundred seeded trials of sixteen keys", "[scaling][vectors]") {
  const auto c = load("21_dk_scaling", "monte_carlo_n16_seed123");
  for (const int d_k : c.input.at("d_k").get<std::vector<int>>())
    for (const auto& [key, scale] : {std::pair{"unscaled", Scale::kNone},
                                     std::pair{"scaled", Scale::kRootOfDk}}) {
      const auto s = attn::score_statistics(d_k, c.input.at("n_keys"),
                                            c.input.at("trials"),
                                            c.input.at("seed"), scale);
      const auto& want = c.expected.at(key).at(std::to_string(d_k));
      check_close(s.max_weight, want.at("mean_max_weight"), c.tolerance);
      check_close(s.entropy, want.at("mean_entropy_nats"), c.tolerance);
      check_close(s.jacobian_frobenius, want.at("mean_jacobian_frobenius"),
                  c.tolerance);
    }
}

TEST_CASE("measured scores spread as the theory says, for any seed",
          "[scaling][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const int d_k = 1 + static_cast<int>(seed % 24);
    const auto raw = attn::score_statistics(d_k, 8, 40, seed, Scale::kNone);
    const auto scaled =
        attn::score_statistics(d_k, 8, 40, seed, Scale::kRootOfDk);
    const double root = attn::dot_product_std(d_k, Scale::kNone);
    REQUIRE(raw.score_std == Approx(scaled.score_std * root));
    REQUIRE(raw.max_weight >= scaled.max_weight - 1e-12);
    REQUIRE(raw.entropy <= scaled.entropy + 1e-12);
  }
}

TEST_CASE("over many draws the deviation is within 3 % of its theory",
          "[scaling]") {
  for (const int d_k : {1, 16, 64}) {
    const auto s = attn::score_statistics(d_k, 16, 2000, 7, Scale::kNone);
    CHECK(s.score_std == Approx(std::sqrt(double(d_k))).epsilon(0.03));
  }
}

TEST_CASE("a single key always has all the weight", "[scaling]") {
  const auto s = attn::score_statistics(64, 1, 10, 1, Scale::kNone);
  CHECK(s.max_weight == 1);
  CHECK(s.entropy == 0);
  CHECK(s.jacobian_frobenius == 0);
}

TEST_CASE("widths and trials out of range are refused by code",
          "[scaling][error]") {
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::dot_product_std(0, Scale::kNone); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::expected_larger_weight(-1, Scale::kNone); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::score_statistics(4, 0, 1, 1, Scale::kNone); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::score_statistics(4, 1, 0, 1, Scale::kNone); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::score_statistics(1 << 20, 1024, 1 << 20, 1, Scale::kNone);
  }));
}
