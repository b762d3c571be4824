// Every header's limits: refused one above, not refused as too large at the
// limit where that is quick. tests/core/limits.test.ts holds the table of
// lessons/STYLE.md to the first three columns.
#include <attn/alibi.hpp>
#include <attn/attention.hpp>
#include <attn/bleu.hpp>
#include <attn/convolution.hpp>
#include <attn/cost.hpp>
#include <attn/decoder.hpp>
#include <attn/encoder.hpp>
#include <attn/feed_forward.hpp>
#include <attn/flash.hpp>
#include <attn/kv_cache.hpp>
#include <attn/layer_norm.hpp>
#include <attn/learned_position.hpp>
#include <attn/linformer.hpp>
#include <attn/lstm.hpp>
#include <attn/mask.hpp>
#include <attn/masked_language.hpp>
#include <attn/matching.hpp>
#include <attn/matrix.hpp>
#include <attn/mixture_of_experts.hpp>
#include <attn/multi_head.hpp>
#include <attn/online_softmax.hpp>
#include <attn/patchify.hpp>
#include <attn/performer.hpp>
#include <attn/probe.hpp>
#include <attn/projection.hpp>
#include <attn/recurrent.hpp>
#include <attn/rng.hpp>
#include <attn/rotary.hpp>
#include <attn/scaling.hpp>
#include <attn/sinusoidal.hpp>
#include <attn/softmax.hpp>
#include <attn/work.hpp>
#include <catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "refuses.hpp"

namespace attn {
namespace {

using Call = std::function<void()>;

struct Limit {
  std::string header;
  std::string largest;
  std::string limit;
  Call above;
  Call at = {};
};

constexpr Index kSide = 2048;
constexpr std::int64_t kWhole = std::int64_t{1} << 53;
constexpr double kHalfWhole = 67108864;  // 2^26

Matrix zeros(Index rows, Index cols) { return Matrix::Zero(rows, cols); }
Matrix column(Index rows) { return zeros(rows, 1); }
Matrix row(Index cols) { return zeros(1, cols); }

std::vector<double> list(Index count) {
  return std::vector<double>(static_cast<size_t>(count), 0.0);
}

Image image(int height, int width) {
  return {height, width, 1, list(Index{height} * width)};
}

LstmTrace lstm_trace(Index d) {
  return {row(d), row(d), row(d), row(d), zeros(2, d), zeros(2, d)};
}

FlashOptions recorded() {
  FlashOptions options;
  options.sram = 4;
  options.record_steps = true;
  return options;
}

void flash(Index n, Index m, const FlashOptions& options = {}) {
  flash_attention(column(n), column(m), column(m), options);
}

void encode(Index n) {
  encoder_layer(column(n), random_encoder_weights(1, 1, 1, 1));
}

void decode(Index n) {
  decoder_layer(column(n), column(1), random_decoder_weights(1, 1, 1, 1, 1));
}

void many_heads(Index n) {
  const Matrix eye = Matrix::Identity(4, 4);
  multi_head(zeros(n, 4), {eye, eye, eye, eye}, 4);
}

FeedForward network(Index d_ff) { return {row(d_ff), {}, column(d_ff), {}}; }

// clang-format off
const std::vector<Limit> kMatrices{
    {"matrix", "an operand or a result", "2^22",
     [] { product(column(kSide + 1), row(kSide)); },
     [] { product(column(kSide), row(kSide)); }},
    {"rng", "the numbers drawn", "2^22",
     [] { uniforms(1, kReferenceLimit + 1); },
     [] { uniforms(1, kReferenceLimit); }},
    {"softmax", "the scores", "2^22",
     [] { softmax_rows(row(kReferenceLimit + 1)); },
     [] { softmax_rows(row(kReferenceLimit)); }},
    {"scaling", "d_k · keys · trials", "2^26",
     [] { score_statistics(1 << 20, 65, 1, 1, Scale::kNone); }},
    {"mask", "n · m", "2^22",
     [] { causal_mask(kSide + 1, kSide); },
     [] { causal_mask(kSide, kSide); }},
    {"mask", "pairs counted without a mask", "2^53",
     [] { causal_pairs(134217728); },
     [] { causal_pairs(134217727); }},
    {"projection", "X · W", "2^22",
     [] { project(column(kSide + 1), row(kSide)); },
     [] { project(column(kSide), row(kSide)); }},
};

const std::vector<Limit> kAttention{
    {"attention", "the scores, n · m", "2^22",
     [] { attention(column(kSide + 1), column(kSide), column(kSide)); },
     [] { attention(column(kSide), column(kSide), column(kSide)); }},
    {"attention", "work that is counted, n · m · (d + d_v)", "2^24",
     [] { attention_operations(4097, kSide, 1, 1); }},
    {"kv_cache", "the scores of the new rows, n · (t + n)", "2^22",
     [] { cache_step({}, {}, column(kSide + 1), column(kSide + 1), column(kSide + 1)); },
     [] { cache_step({}, {}, column(kSide), column(kSide), column(kSide)); }},
    {"multi_head", "the scores of all heads, h · n · m", "2^22",
     [] { many_heads(1025); },
     [] { many_heads(1024); }},
    {"multi_head", "a count", "2^53",
     [] { multi_head_cost(1, std::int64_t{1} << 26, 1); },
     [] { multi_head_cost(1, std::int64_t{1} << 25, 1); }},
    {"online_softmax", "the scores", "2^22",
     [] { online_scan(list(kReferenceLimit + 1)); },
     [] { online_scan(list(kReferenceLimit)); }},
    {"flash", "pairs of query and key, n · m", "2^26",
     [] { flash(8193, 8192); }},
    {"flash", "recorded steps", "2^16",
     [] { flash(257, 256, recorded()); },
     [] { flash(256, 256, recorded()); }},
    {"flash", "the scores of the whole-matrix method", "2^22",
     [] { standard_attention(column(kSide + 1), column(kSide), column(kSide)); },
     [] { standard_attention(column(kSide), column(kSide), column(kSide)); }},
    {"flash", "tokens whose traffic is counted", "2^22",
     [] { standard_traffic(kReferenceLimit + 1, 1); },
     [] { standard_traffic(kReferenceLimit, 1); }},
    {"flash", "a count of operations", "2^53",
     [] { standard_operations(1 << 22, 64); }},
    {"linformer", "the scores, n · slots", "2^22",
     [] { linformer_attention(column(kSide + 1), row(1), row(1), column(kSide), column(kSide)); },
     [] { linformer_attention(column(kSide), row(1), row(1), column(kSide), column(kSide)); }},
    {"linformer", "work that is counted, 4 · n · slots · d", "2^24",
     [] { linformer_operations(kSide + 1, kSide, 1); }},
    {"linformer", "normals drawn, draws · slots · tokens", "2^26",
     [] { linformer_errors(row(1), column(kSide), column(kSide), kSide, 17, 1); }},
    {"performer", "the features, n · r", "2^22",
     [] { random_features(column(kSide + 1), column(kSide), FeatureKind::kPositive); },
     [] { random_features(column(kSide), column(kSide), FeatureKind::kPositive); }},
    {"performer", "normals drawn, draws · features · d", "2^26",
     [] { measure_kernel(row(1), row(1), kSide, FeatureKind::kPositive, false, 32769, 1); }},
    {"performer", "work that is counted, n · (n + r) · (r + d_v)", "2^24",
     [] { performer_operations(kSide, 1, 3, false); }},
};

const std::vector<Limit> kPositions{
    {"sinusoidal", "the table, n · d", "2^22",
     [] { sinusoidal_table(kReferenceLimit / 2 + 1, 2, 10000); },
     [] { sinusoidal_table(kReferenceLimit / 2, 2, 10000); }},
    {"learned_position", "the table, length · d", "2^22",
     [] { interpolate_positions(row(kSide), kSide + 1); },
     [] { interpolate_positions(row(kSide), kSide); }},
    {"rotary", "the turned rows, n · d", "2^22",
     [] { rotate(zeros(kReferenceLimit / 2 + 1, 2), list(kReferenceLimit / 2 + 1), {}); },
     [] { rotate(zeros(kReferenceLimit / 2, 2), list(kReferenceLimit / 2), {}); }},
    {"alibi", "the bias, n²", "2^22",
     [] { alibi_bias(1, kSide + 1, AlibiForm::kDistance); },
     [] { alibi_bias(1, kSide, AlibiForm::kDistance); }},
};

const std::vector<Limit> kChains{
    {"recurrent", "powers, steps · d²", "2^22",
     [] { matrix_powers(zeros(kSide, kSide), 2); },
     [] { matrix_powers(zeros(kSide, kSide), 1); }},
    {"recurrent", "the smaller side of a matrix whose norm is wanted", "256",
     [] { spectral_norm(zeros(257, 257)); },
     [] { spectral_norm(zeros(256, 257)); }},
    {"lstm", "a Jacobian, 4d²", "2^22",
     [] { lstm_jacobian(lstm_trace(1025), zeros(4100, 1025), 0); },
     [] { lstm_jacobian(lstm_trace(1024), zeros(4096, 1024), 0); }},
    {"convolution", "the output, n · d", "2^22",
     [] { convolution(column(kSide + 1), row(kSide), 1, 1, Padding::kCausal); },
     [] { convolution(column(kSide), row(kSide), 1, 1, Padding::kCausal); }},
    {"convolution", "a receptive field", "2^53",
     [] { receptive_field(2, {kWhole}); },
     [] { receptive_field(2, {kWhole - 1}); }},
    {"work", "a place", "2^52",
     [] { path_lengths(0, kWhole / 2 + 1, 3, 3); },
     [] { path_lengths(0, kWhole / 2, 3, 3); }},
    {"work", "a count", "2^53",
     [] { sequential_work(1, (std::int64_t{1} << 25) + 1); },
     [] { sequential_work(1, std::int64_t{1} << 25); }},
};

const std::vector<Limit> kLayers{
    {"layer_norm", "n · d", "2^22",
     [] { layer_norm(row(kReferenceLimit + 1)); },
     [] { layer_norm(row(kReferenceLimit)); }},
    {"feed_forward", "the hidden rows, n · d_ff", "2^22",
     [] { feed_forward(column(kSide + 1), network(kSide)); },
     [] { feed_forward(column(kSide), network(kSide)); }},
    {"feed_forward", "a count", "2^53",
     [] { feed_forward_parameters(kHalfWhole + 1, kHalfWhole, false); },
     [] { feed_forward_parameters(kHalfWhole, kHalfWhole, false); }},
    {"encoder", "the scores of all heads, h · n²", "2^22",
     [] { encode(kSide + 1); },
     [] { encode(kSide); }},
    {"decoder", "the scores of all heads in either window", "2^22",
     [] { decode(kSide + 1); },
     [] { decode(kSide); }},
    {"mixture_of_experts", "the router's numbers, tokens · experts", "2^22",
     [] { route_tokens(row(kReferenceLimit + 1), 1, Gating::kRaw); },
     [] { route_tokens(row(kReferenceLimit), 1, Gating::kRaw); }},
    {"mixture_of_experts", "a count", "2^53",
     [] { mixture_counts(kHalfWhole, kHalfWhole, 1, 1); },
     [] { mixture_counts(kHalfWhole / 4, kHalfWhole, 1, 1); }},
};

const std::vector<Limit> kBeyondText{
    {"patchify", "a picture", "2^22",
     [] { patchify(image(2049, 2048), 1); },
     [] { patchify(image(2048, 2048), 1); }},
    {"patchify", "a position code, rows · cols · d", "2^22",
     [] { grid_positions(1024, 1025, 4); },
     [] { grid_positions(1024, 1024, 4); }},
    {"matching", "the costs, rows · columns", "2^22",
     [] { match_pairs(row(kReferenceLimit + 1)); },
     [] { match_pairs(row(kReferenceLimit)); }},
    {"masked_language", "tokens", "2^22",
     [] { plan_masks_seeded(1, kReferenceLimit + 1); },
     [] { plan_masks_seeded(1, kReferenceLimit); }},
    {"bleu", "tokens of a sentence", "10000",
     [] { bleu(Tokens(10001, "a"), {{"a"}}, 1); },
     [] { bleu(Tokens(10000, "a"), {{"a"}}, 1); }},
    {"probe", "the features, n · d", "2^22",
     [] { probe_gradient({column(kReferenceLimit + 1), {0}}, row(kReferenceLimit + 1), {0}); },
     [] { probe_gradient({column(kReferenceLimit), {0}}, row(kReferenceLimit), {0}); }},
    {"cost", "a count", "2^53",
     [] { attention_pairs(94906266, false); },
     [] { attention_pairs(94906265, false); }},
};
// clang-format on

void walk(const std::vector<Limit>& limits) {
  for (const Limit& limit : limits) {
    INFO(limit.header << ": " << limit.largest << " over " << limit.limit);
    CHECK(refuses(ErrorCode::kTooLarge, limit.above));
    if (limit.at) CHECK(refusal(limit.at).empty());
  }
}

TEST_CASE("Matrices, masks and draws over the limit are too large.") {
  walk(kMatrices);
}

TEST_CASE("Every form of attention has a limit that it keeps.") {
  walk(kAttention);
}

TEST_CASE("Positions over the limit are too large.") { walk(kPositions); }

TEST_CASE("Chains over the limit are too large.") { walk(kChains); }

TEST_CASE("Layers over the limit are too large.") { walk(kLayers); }

TEST_CASE("Pictures, matchings, plans and scores keep their limits.") {
  walk(kBeyondText);
}

}  // namespace
}  // namespace attn
