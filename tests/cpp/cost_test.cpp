// cost: elements, bytes, parameters and FLOPs (vectors 20), each proved by
// counting a real thing at small sizes.
#include <attn/cost.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Precision;
using attn::vectors::check_close;
using attn::vectors::json;
using attn::vectors::load;

namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kGiB = 1024.0 * kMiB;

double number(const json& v) { return v.get<double>(); }

attn::TransformerShape shape_of(const std::string& row) {
  attn::TransformerShape s;
  if (row == "B_dk16") s.d_k = 16;
  if (row == "B_dk32") s.d_k = 32;
  if (row == "C_N2") s.layers = 2;
  if (row == "C_N4") s.layers = 4;
  if (row == "C_N8") s.layers = 8;
  if (row == "C_d256") {
    s.d = 256;
    s.d_k = s.d_v = 32;
  }
  if (row == "C_d1024") {
    s.d = 1024;
    s.d_k = s.d_v = 128;
  }
  if (row == "C_ff1024") s.d_ff = 1024;
  if (row == "C_ff4096") s.d_ff = 4096;
  if (row == "big") {
    s.d = 1024;
    s.d_ff = 4096;
    s.heads = 16;
  }
  return s;
}

}  // namespace

TEST_CASE("the score matrix from 512 to 8192 tokens", "[cost][vectors]") {
  const auto c = load("20_costs", "attention_matrix");
  for (const auto& row : c.expected.at("table")) {
    const double n = row.at("n");
    const auto half = attn::attention_matrix_cost(n, 1, 1, Precision::kFloat16);
    const auto full = attn::attention_matrix_cost(n, 1, 1, Precision::kFloat32);
    const auto model =
        attn::attention_matrix_cost(n, 8, 6, Precision::kFloat16);
    CHECK(half.elements == number(row.at("elements")));
    CHECK(half.bytes == number(row.at("fp16_bytes")));
    CHECK(full.bytes == number(row.at("fp32_bytes")));
    CHECK(half.bytes / kMiB == number(row.at("fp16_MiB")));
    CHECK(8 * half.bytes / kMiB == number(row.at("eight_heads_fp16_MiB")));
    CHECK(model.total_bytes / kGiB == number(row.at("h8_L6_fp16_GiB")));
  }
  CHECK(attn::growth_audit(8192.0 / 512, 2).if_quadratic ==
        number(c.expected.at("growth_512_to_8192")));
}

TEST_CASE("1 GB to 128 GB needs a mixture of growths", "[cost][vectors]") {
  const auto c = load("20_costs", "seed_1GB_to_128GB");
  const auto a = attn::growth_audit(c.input.at("length_ratio"),
                                    c.input.at("memory_ratio"));
  check_close(a.if_quadratic, c.expected.at("pure_quadratic_ratio"), 0);
  check_close(a.if_linear, c.expected.at("pure_linear_ratio"), 0);
  check_close(a.exponent, c.expected.at("exponent"), c.tolerance);
  check_close(a.quadratic_share,
              c.expected.at("quadratic_share_at_512_if_mixture"), c.tolerance);
}

TEST_CASE("training activations of a layer", "[cost][vectors]") {
  const auto c = load("20_costs", "korthikanti_activation_ratio");
  for (size_t i = 0; i < 2; ++i) {
    const double d = 8 * number(c.input.at("h_over_a").at(i));
    const double small = attn::activation_bytes(512, 1, d, 8);
    const double large = attn::activation_bytes(8192, 1, d, 8);
    CHECK(small == number(c.expected.at("bytes_512").at(i)));
    CHECK(large == number(c.expected.at("bytes_8192").at(i)));
    check_close(large / small, c.expected.at("ratio_512_to_8192").at(i),
                c.tolerance);
  }
}

TEST_CASE("FLOPs of a layer and where attention overtakes the rest",
          "[cost][vectors]") {
  const auto c = load("20_costs", "layer_flops_d512");
  const double d = c.input.at("d");
  const double d_ff = c.input.at("d_ff");
  const auto total = [&](double n) {
    return attn::layer_flops(n, d, d_ff, false).total;
  };
  size_t i = 0;
  for (const auto& row : c.expected.at("rows")) {
    const auto f = attn::layer_flops(row.at("n"), d, d_ff, false);
    CHECK(f.projections == number(row.at("projections")));
    CHECK(f.attention_products == number(row.at("attention_matmuls")));
    CHECK(f.feed_forward == number(row.at("ffn")));
    CHECK(f.total == number(row.at("total")));
    check_close(f.attention_products / f.total,
                c.expected.at("attention_matmul_share").at(i++), c.tolerance);
  }
  check_close(total(1024) / total(512), c.expected.at("double_512_to_1024"),
              c.tolerance);
  check_close(total(8192) / total(4096), c.expected.at("double_4096_to_8192"),
              c.tolerance);
  const double n = attn::attention_crossover(d, d_ff);
  CHECK(n == number(c.expected.at("crossover_n_attention_equals_rest")));
  const auto at = attn::layer_flops(n, d, d_ff, false);
  CHECK(at.attention_products == at.projections + at.feed_forward);
}

TEST_CASE("the three numbers of the wall", "[cost][vectors]") {
  const auto c = load("20_costs", "boss_numbers");
  const auto s =
      attn::square_costs(c.input.at("n"), c.input.at("d"), c.input.at("L"));
  CHECK(s.elements == number(c.expected.at("n2")));
  CHECK(s.score_madds == number(c.expected.at("n2d")));
  CHECK(s.model_madds == number(c.expected.at("two_n2dL")));
  CHECK(s.model_flops == number(c.expected.at("flops_noncausal_4n2dL")));
}

TEST_CASE("parameters of the eleven models of Table 3", "[cost][vectors]") {
  const auto c = load("20_costs", "transformer_table3_params");
  const auto& published = c.expected.at("published_millions");
  const double base = attn::transformer_parameters({});
  int matching = 0;
  for (const auto& [row, want] : c.expected.at("computed").items()) {
    auto s = shape_of(row);
    s.vocabulary = c.input.at("vocab");
    const double count = attn::transformer_parameters(s);
    CHECK(count == number(want));
    check_close((count - base) / 1e6,
                c.expected.at("difference_from_base_computed_M").at(row),
                c.tolerance);
    CHECK(number(published.at(row)) - number(published.at("base")) ==
          number(c.expected.at("difference_from_base_published_M").at(row)));
    s.vocabulary = 40900;
    if (std::round(attn::transformer_parameters(s) / 1e6) ==
        number(published.at(row)))
      ++matching;
  }
  CHECK(matching ==
        c.expected.at("rows_matching_after_rounding_with_vocab_40900")
            .get<int>());
}

TEST_CASE("parameters of BERT base and GPT-2 small", "[cost][vectors]") {
  const auto bert = load("20_costs", "bert_base_params");
  CHECK(attn::bert_parameters(
            {}, bert.input.at("vocab"), bert.input.at("positions"),
            bert.input.at("segments")) == number(bert.expected.at("total")));
  const auto gpt = load("20_costs", "gpt2_small_params");
  CHECK(
      attn::gpt_parameters({}, gpt.input.at("vocab"), gpt.input.at("n_ctx")) ==
      number(gpt.expected.at("total_tied")));
  const double d = gpt.input.at("d");
  CHECK(12 * gpt.input.at("L").get<double>() * d * d ==
        number(gpt.expected.at("kaplan_12Ld2")));
}

TEST_CASE("parameters of ViT-B/16", "[cost][vectors]") {
  const auto c = load("15_patchify", "vit_b16_params");
  const auto p = attn::vision_parameters(
      {c.input.at("layers"), c.input.at("d"), c.input.at("d_ff")},
      c.input.at("image"), c.input.at("patch"), 3, c.input.at("classes"));
  CHECK(p.patch_embedding == number(c.expected.at("patch_embed")));
  CHECK(p.class_token == number(c.expected.at("cls_token")));
  CHECK(p.position_embedding == number(c.expected.at("pos_embed")));
  CHECK(p.per_layer == number(c.expected.at("per_layer")));
  CHECK(p.final_norm == number(c.expected.at("final_ln")));
  CHECK(p.head == number(c.expected.at("head")));
  CHECK(p.total_without_head == number(c.expected.at("total_without_head")));
}

TEST_CASE("the key-value cache grows with n, the matrix with its square",
          "[cost][vectors]") {
  const auto c = load("20_costs", "kv_cache");
  for (size_t i = 0; i < c.input.at("n").size(); ++i)
    CHECK(attn::kv_cache_bytes(c.input.at("L"), c.input.at("n").at(i),
                               c.input.at("d"), Precision::kFloat16) ==
          number(c.expected.at("bytes").at(i)));
  const auto two = load("20_costs", "two_million_tokens");
  const double n = two.input.at("n");
  const double small = two.input.at("n_small");
  const auto m = attn::attention_matrix_cost(n, 1, 1, Precision::kFloat16);
  CHECK(m.elements == number(two.expected.at("elements")));
  CHECK(m.bytes / 1e12 == number(two.expected.at("fp16_terabytes")));
  const auto a = attn::growth_audit(n / small, 2);
  check_close(a.if_linear, two.expected.at("length_ratio"), two.tolerance);
  check_close(a.if_quadratic, two.expected.at("matrix_ratio"), two.tolerance);
}

TEST_CASE("pairs are what two loops visit", "[cost][property]") {
  for (int n = 1; n <= 60; ++n) {
    double all = 0;
    double causal = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        ++all;
        if (j <= i) ++causal;
      }
    REQUIRE(attn::attention_pairs(n, false) == all);
    REQUIRE(attn::attention_pairs(n, true) == causal);
  }
}

TEST_CASE("a mixture with the share that the audit names grows as observed",
          "[cost][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const double length = 1.5 + 30 * rng.uniform();
    const double memory = 1.5 + 900 * rng.uniform();
    const auto a = attn::growth_audit(length, memory);
    const double grown = a.quadratic_share * a.if_quadratic +
                         (1 - a.quadratic_share) * a.if_linear;
    REQUIRE(grown == Approx(memory));
    REQUIRE(std::pow(length, a.exponent) == Approx(memory));
  }
}

TEST_CASE("sizes that are not whole or not countable are refused by code",
          "[cost][error]") {
  const auto half = Precision::kFloat16;
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::attention_matrix_cost(0, 1, 1, half); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [&] { attn::attention_matrix_cost(1.5, 1, 1, half); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::attention_pairs(std::numeric_limits<double>::quiet_NaN(), true);
  }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::attention_matrix_cost(1e8, 1, 1, half); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::layer_flops(1e6, 1e6, 1e6, false); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [] { attn::vision_parameters({}, 225, 16, 3, 10); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] { attn::growth_audit(1, 4); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::growth_audit(2, std::numeric_limits<double>::infinity());
  }));
}
