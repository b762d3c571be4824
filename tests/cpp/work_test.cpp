// work: path lengths and waiting times of four layer types, and the roofline.
#include <attn/convolution.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <attn/work.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "refuses.hpp"
#include "vectors.hpp"

namespace v = attn::vectors;
using attn::ErrorCode;

namespace {

// Layers until `to` has heard of `from`, each token listening to `reads(i)`.
template <class F>
std::int64_t layers_heard(int n, int from, int to, F&& reads) {
  std::vector<bool> heard(static_cast<size_t>(n), false);
  heard[static_cast<size_t>(from)] = true;
  std::int64_t layers = 0;
  for (; !heard[static_cast<size_t>(to)]; ++layers) {
    const std::vector<bool> before = heard;
    for (int i = 0; i < n; ++i)
      for (const int j : reads(i))
        if (j >= 0 && j < n && before[static_cast<size_t>(j)])
          heard[static_cast<size_t>(i)] = true;
  }
  return layers;
}

std::vector<int> span(int from, int to) {
  std::vector<int> places;
  for (int i = from; i <= to; ++i) places.push_back(i);
  return places;
}

}  // namespace

TEST_CASE("the path from the first to the last of 3000 tokens", "[work]") {
  const auto c = v::load("19_rnn_chain", "path_lengths");
  const std::int64_t n = c.input["n"];
  const auto path = attn::path_lengths(0, n - 1, c.input["conv_k"], 3);
  CHECK(path.recurrent == c.expected["rnn_steps"]);
  CHECK(path.convolution_causal == c.expected["conv_causal_contiguous_layers"]);
  CHECK(path.convolution_centred ==
        c.expected["conv_centred_contiguous_layers"]);
  CHECK(path.convolution_dilated == c.expected["conv_dilated_layers_log_k_n"]);
  CHECK(path.attention == c.expected["self_attention"]);
}

TEST_CASE("an RNN waits 3000 times, attention works six times as much",
          "[work]") {
  const auto c = v::load("24_head_gates_and_work", "sequential_vs_total_work");
  const auto w = attn::sequential_work(c.input["n"], c.input["d"]);
  v::check_close(w.rnn_steps, c.expected["rnn_sequential_steps"], 0);
  v::check_close(w.rnn_flops, c.expected["rnn_total_flops"], 0);
  v::check_close(w.attention_stages, c.expected["attention_sequential_stages"],
                 0);
  v::check_close(w.attention_flops, c.expected["attention_matmul_flops"], 0);
  v::check_close(w.projection_flops, c.expected["projection_flops"], 0);
}

TEST_CASE("the roofline leaves a lone vector half a percent of the peak",
          "[work]") {
  const auto c = v::load("24_head_gates_and_work", "matvec_utilisation_bound");
  std::vector<double> intensity;
  std::vector<double> fraction;
  for (const auto& batch : c.input["batch"]) {
    const auto bound = attn::matvec_bound(batch, c.input["peak_tflops"],
                                          c.input["hbm_TB_per_s"],
                                          c.input["bytes_per_weight"]);
    intensity.push_back(bound.flop_per_byte);
    fraction.push_back(bound.fraction_of_peak);
    CHECK(bound.limited_by_arithmetic == (batch == 256));
  }
  v::check_close(intensity, c.expected["flop_per_byte"], c.tolerance);
  v::check_close(fraction, c.expected["max_fraction_of_peak"], c.tolerance);
}

TEST_CASE("for 1000 random pairs paths are what a walk over layers finds",
          "[work][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const int n = 2 + rng.below(40);
    const int i = rng.below(n);
    const int j = rng.below(n);
    const int kernel = 3 + 2 * rng.below(3);
    const int window = 3 + 2 * rng.below(5);
    const auto path = attn::path_lengths(i, j, kernel, window);
    const int early = std::min(i, j);
    const int late = std::max(i, j);
    const auto heard = [&](auto&& reads) {
      return layers_heard(n, early, late, reads);
    };
    REQUIRE(path.recurrent == heard([](int t) { return span(t - 1, t); }));
    REQUIRE(path.convolution_causal ==
            heard([&](int t) { return span(t - kernel + 1, t); }));
    REQUIRE(path.convolution_centred ==
            heard([&](int t) { return span(t - kernel / 2, t + kernel / 2); }));
    REQUIRE(path.attention == heard([&](int) { return span(0, n - 1); }));
    REQUIRE(path.restricted_attention ==
            heard([&](int t) { return span(t - window / 2, t + window / 2); }));
    REQUIRE(path.convolution_dilated ==
            attn::dilated_layers(late - early, kernel, attn::Padding::kCausal));
  }
}

TEST_CASE("for 1000 random layers Table 1 orders work and waiting",
          "[work][property]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    attn::Rng rng(seed);
    const int n = 1 + rng.below(3000);
    const int d = 1 + rng.below(1000);
    const int kernel = 3 + 2 * rng.below(3);
    const int window = 3 + 2 * rng.below(100);
    const auto t = attn::compare_layers(n, d, kernel, window);
    const auto path = attn::path_lengths(0, n - 1, kernel, window);
    REQUIRE(t.attention.madds / t.recurrent.madds ==
            Approx(static_cast<double>(n) / d));
    REQUIRE(t.restricted_attention.madds <= t.attention.madds);
    REQUIRE(t.convolution.madds / t.recurrent.madds == std::min(kernel, n));
    REQUIRE(t.recurrent.sequential_operations == n);
    for (const auto& layer : {t.attention, t.convolution, t.dilated_convolution,
                              t.restricted_attention}) {
      REQUIRE(layer.sequential_operations == 1);
      REQUIRE(layer.longest_path <= t.recurrent.longest_path);
      REQUIRE(layer.longest_path >= t.attention.longest_path);
    }
    REQUIRE(t.dilated_convolution.longest_path ==
            static_cast<double>(path.convolution_dilated));
    REQUIRE(t.convolution.longest_path ==
            static_cast<double>(path.convolution_causal));

    const auto w = attn::sequential_work(n, d);
    REQUIRE(w.attention_flops == 4 * t.attention.madds);
    REQUIRE(w.rnn_flops == 4 * t.recurrent.madds);
    REQUIRE(w.projection_flops == 2 * w.rnn_flops);

    const double peak = 1 + 500 * rng.uniform();
    const double bandwidth = 0.1 + 3 * rng.uniform();
    const auto one = attn::matvec_bound(1, peak, bandwidth, 2);
    const auto many = attn::matvec_bound(1 + n, peak, bandwidth, 2);
    REQUIRE(many.fraction_of_peak ==
            Approx(std::min(1.0, bandwidth / peak * (1 + n))));
    REQUIRE(one.fraction_of_peak <= many.fraction_of_peak);
    REQUIRE(many.limited_by_arithmetic == (many.fraction_of_peak == 1));
  }
}

TEST_CASE("work functions refuse by code", "[work][error]") {
  const auto invalid = ErrorCode::kInvalidArgument;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::int64_t huge = std::int64_t{1} << 53;
  CHECK(refuses(invalid, [] { attn::path_lengths(-1, 0, 3, 3); }));
  CHECK(refuses(invalid, [] { attn::path_lengths(0, 1, 4, 3); }));
  CHECK(refuses(invalid, [] { attn::path_lengths(0, 1, 3, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::path_lengths(huge, 1, 3, 3); }));
  CHECK(refuses(invalid, [] { attn::compare_layers(0, 1, 3, 3); }));
  CHECK(refuses(invalid, [] { attn::compare_layers(1, 0, 3, 3); }));
  CHECK(refuses(invalid, [] { attn::compare_layers(1, 1, 3, 2); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::compare_layers(1 << 30, 1, 3, 3); }));
  CHECK_NOTHROW(attn::compare_layers(9, 1, 5, huge - 1));
  CHECK(refuses(invalid, [] { attn::sequential_work(0, 1); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::sequential_work(1 << 20, 1 << 20); }));
  CHECK(refuses(invalid, [] { attn::matvec_bound(0, 1, 1, 2); }));
  CHECK(refuses(invalid, [] { attn::matvec_bound(1, 0, 1, 2); }));
  CHECK(refuses(invalid, [] { attn::matvec_bound(1, 1, 1, -2); }));
  CHECK(refuses(ErrorCode::kNotFinite,
                [&] { attn::matvec_bound(1, nan, 1, 2); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::matvec_bound(huge, 1, 1, 2); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [] { attn::matvec_bound(1, 1e-300, 1e300, 2); }));
}
