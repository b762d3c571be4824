// fast/attention: equal to the reference on every remainder of the tiles and
// every mixture of options, exact where it must be exact, and refusals.
#include <array>
#include <attn/fast/attention.hpp>
#include <catch.hpp>
#include <limits>

#include "fast_support.hpp"
#include "refuses.hpp"

using attn::ErrorCode;
using attn::Index;
using fast_support::columns;
using fast_support::constant;
using fast_support::gap;
using fast_support::random_case;
using fast_support::random_floats;
using fast_support::reference_output;
using fast_support::stacked;
namespace fast = attn::fast;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double gap_of(const fast::Matrix& q, const fast::Matrix& k,
              const fast::Matrix& v,
              const fast::AttentionOptions& options = {}) {
  return gap(fast::attention(q, k, v, options).output,
             reference_output(q, k, v, options));
}

double gap_of_random(std::uint32_t seed, Index n, Index m, Index d,
                     const fast::AttentionOptions& options = {}) {
  attn::Rng rng(seed);
  const auto q = random_floats(rng, n, options.heads * d);
  const auto k = random_floats(rng, m, options.heads * d);
  const auto v = random_floats(rng, m, options.heads * d);
  return gap_of(q, k, v, options);
}

fast::AttentionOptions causal() {
  fast::AttentionOptions options;
  options.causal = true;
  return options;
}

}  // namespace

TEST_CASE("fast attention on every length around the groups and tiles",
          "[fast][attention]") {
  std::vector<Index> lengths;
  for (Index n = 1; n <= 18; ++n) lengths.push_back(n);
  for (Index n = 34; n <= 38; ++n) lengths.push_back(n);
  for (Index n = 62; n <= 74; ++n) lengths.push_back(n);
  for (const Index n : lengths) {
    INFO("n " << n);
    CHECK(gap_of_random(1, n, n, 16) <= 1e-5);
    CHECK(gap_of_random(2, n, n, 12, causal()) <= 1e-5);
    CHECK(gap_of_random(3, n, 131 - n, 64) <= 1e-5);
    CHECK(gap_of_random(4, n, 131 - n, 32, causal()) <= 1e-5);
    CHECK(gap_of_random(5, 9, n, 64, causal()) <= 1e-5);
  }
}

TEST_CASE("fast attention on every width of a head", "[fast][attention]") {
  for (Index d = 4; d <= 256; d += 4) {
    INFO("d " << d);
    CHECK(gap_of_random(6, 21, 37, d) <= 1e-5);
    fast::AttentionOptions options = causal();
    options.heads = 2;
    options.rotary.emplace();
    options.alibi_slopes = {0.5F, 0.0625F};
    CHECK(gap_of_random(7, 37, 37, d, options) <= 1e-5);
  }
}

TEST_CASE("fast attention equals the reference for 300 seeds",
          "[fast][attention][property]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const auto [q, k, v, options] = random_case(rng, 150);
    const auto result = fast::attention(q, k, v, options);
    CHECK(gap(result.output, reference_output(q, k, v, options)) <= 1e-5);
    const auto o = fast_support::head_operands(q, k, v, options, 0);
    const auto flags = attn::attention(o.q, o.k, o.v, o.options).fully_masked;
    CHECK(std::equal(flags.begin(), flags.end(), result.fully_masked.begin(),
                     result.fully_masked.end()));
  }
}

TEST_CASE("a head among others is bit for bit what it is alone",
          "[fast][attention]") {
  attn::Rng rng(8);
  for (const Index d : {Index{20}, Index{32}, Index{64}, Index{128}}) {
    INFO("d " << d);
    const auto q = random_floats(rng, 70, 3 * d);
    const auto k = random_floats(rng, 72, 3 * d);
    const auto v = random_floats(rng, 72, 3 * d);
    fast::AttentionOptions options = causal();
    options.heads = 3;
    options.alibi_slopes = {0.5F, 0.25F, 0};
    const auto together = fast::attention(q, k, v, options).output;
    for (Index t = 0; t < 3; ++t) {
      fast::AttentionOptions one = causal();
      one.alibi_slopes = {options.alibi_slopes[std::size_t(t)]};
      const auto alone =
          fast::attention(columns(q, t * d, d), columns(k, t * d, d),
                          columns(v, t * d, d), one)
              .output;
      CHECK(alone.data == columns(together, t * d, d).data);
    }
  }
}

TEST_CASE("stacked heads are bit for bit what they are side by side",
          "[fast][attention][property]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    const auto [q, k, v, options] = random_case(rng, 150);
    const auto beside = fast::attention(q, k, v, options);
    auto below = options;
    below.layout = fast::HeadLayout::kStacked;
    const auto h = options.heads;
    const auto result =
        fast::attention(stacked(q, h), stacked(k, h), stacked(v, h), below);
    CHECK(result.output.data == stacked(beside.output, h).data);
    CHECK(result.largest.data == beside.largest.data);
    CHECK(result.sum.data == beside.sum.data);
    CHECK(result.fully_masked == beside.fully_masked);
  }
}

TEST_CASE("heads of 64 in place, whatever is left over by the tiles",
          "[fast][attention]") {
  for (Index m = 60; m <= 84; ++m) {
    INFO("m " << m);
    CHECK(gap_of_random(13, 19, m, 64) <= 1e-5);
    CHECK(gap_of_random(14, m, m, 64, causal()) <= 1e-5);
  }
}

TEST_CASE("nothing of a hidden key leaks, not in the last bit",
          "[fast][attention]") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    attn::Rng rng(seed);
    auto [q, k, v, options] = random_case(rng, 150);
    options.causal = true;
    const Index seen = rng.below(static_cast<int>(k.rows));
    const auto before = fast::attention(q, k, v, options);
    for (Index j = seen + 1; j < k.rows; ++j) {
      std::fill_n(k.row(j), k.cols, 1e15F);
      std::fill_n(v.row(j), v.cols, -1e30F);
    }
    const auto after = fast::attention(q, k, v, options);
    const Index rows =
        std::min(q.rows, std::max<Index>(0, seen + 1 - options.query_offset));
    CHECK(std::equal(before.output.row(0), before.output.row(rows),
                     after.output.row(0)));
  }
}

TEST_CASE("a padded key of any size has no weight", "[fast][attention]") {
  attn::Rng rng(9);
  const auto q = random_floats(rng, 11, 8);
  auto k = random_floats(rng, 13, 8);
  auto v = random_floats(rng, 13, 8);
  fast::AttentionOptions options;
  options.real_keys.assign(13, 1);
  options.real_keys[0] = options.real_keys[7] = options.real_keys[12] = 0;
  const auto before = fast::attention(q, k, v, options).output;
  for (const Index j : {Index{0}, Index{7}, Index{12}}) {
    std::fill_n(k.row(j), 8, 1e18F);
    std::fill_n(v.row(j), 8, 3e38F);
  }
  CHECK(fast::attention(q, k, v, options).output.data == before.data);
}

TEST_CASE("a query that sees nothing gets zeros and a flag, at every place",
          "[fast][attention]") {
  for (Index row = 0; row < 19; ++row) {
    attn::Rng rng(10);
    const auto x = random_floats(rng, 19, 16);
    fast::AttentionOptions options;
    options.mask = fast::Mask(19, 19);
    std::fill(options.mask.data.begin(), options.mask.data.end(), 1);
    std::fill_n(options.mask.row(row), 19, 0);
    const auto result = fast::attention(x, x, x, options);
    for (Index i = 0; i < 19; ++i)
      CHECK(result.fully_masked[std::size_t(i)] == (i == row ? 1 : 0));
    CHECK(std::count(result.output.row(row), result.output.row(row) + 16,
                     0.0F) == 16);
    CHECK(gap(result.output, reference_output(x, x, x, options)) <= 1e-5);
  }
}

TEST_CASE("rows whose first tiles are hidden begin later",
          "[fast][attention]") {
  attn::Rng rng(11);
  const auto q = random_floats(rng, 20, 64);
  const auto k = random_floats(rng, 200, 64);
  fast::AttentionOptions options;
  options.mask = fast::Mask(20, 200);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 10 * i; j < 200; ++j) options.mask.row(i)[j] = 1;
  CHECK(gap_of(q, k, k, options) <= 1e-5);
}

TEST_CASE("extreme scores: one takes all, equals share, none overflows",
          "[fast][attention]") {
  // Whole numbers and powers of two, so that float32 holds each score exactly.
  const auto q = constant(3, 4, 1);
  for (const float size : {1.0F, 64.0F, 4096.0F, 1048576.0F, 1e30F, -1e30F}) {
    INFO("scores of " << size);
    fast::Matrix k(70, 4);
    fast::Matrix v(70, 4);
    attn::Rng rng(12);
    for (Index j = 0; j < 70; ++j)
      for (Index c = 0; c < 4; ++c) {
        k.row(j)[c] = size * static_cast<float>(j % 5);
        v.row(j)[c] = static_cast<float>(rng.normal());
      }
    CHECK(gap_of(q, k, v) <= 1e-5);
    CHECK(gap_of(q, k, v, causal()) <= 1e-5);
  }
  const auto equal = constant(70, 4, 1e15F);
  const auto v = constant(70, 4, 0.5F);
  CHECK(gap_of(equal, equal, v) <= 1e-6);
  CHECK(gap_of(constant(5, 8, 1e-30F), constant(9, 8, 1e-30F),
               constant(9, 8, 1e-30F)) <= 1e-5);
}

TEST_CASE("scores that leave float32 are refused, not invented",
          "[fast][attention][error]") {
  const auto big = constant(9, 4, 1e25F);
  const auto v = constant(9, 4, 1);
  auto opposite = big;
  for (float& x : opposite.data) x = -x;
  CHECK(refuses(ErrorCode::kDiverged, [&] { fast::attention(big, big, v); }));
  CHECK(refuses(ErrorCode::kDiverged,
                [&] { fast::attention(big, opposite, v); }));
  CHECK(refuses(ErrorCode::kDiverged, [] {
    fast::attention(constant(2, 4, 0), constant(2, 4, 0),
                    constant(2, 4, 3e38F));
  }));
}

TEST_CASE("places far on keep their angles and distances",
          "[fast][attention]") {
  for (const auto layout :
       {fast::RotaryLayout::kInterleaved, fast::RotaryLayout::kHalfSplit}) {
    fast::AttentionOptions options = causal();
    options.query_offset = 5000;
    options.rotary = fast::Rotary{layout, 500000, 0.5};
    options.alibi_slopes = {0.0078125F};
    CHECK(gap_of_random(13, 70, 5070, 24, options) <= 1e-5);
  }
}

TEST_CASE("rotary angles of any size stay angles", "[fast][attention]") {
  fast::AttentionOptions options = causal();
  options.rotary.emplace();
  for (const double scale : {1e-300, 1.5, 3.0, 6.0, 100.0}) {
    INFO("scale " << scale);
    options.rotary->position_scale = scale;
    CHECK(gap_of_random(14, 40, 40, 16, options) <= 1e-5);
  }
  // Beyond the reference; a number all the same.
  options.rotary->position_scale = 1e300;
  const auto x = constant(40, 16, 1);
  CHECK_NOTHROW(fast::attention(x, x, x, options));
}

TEST_CASE("the scratch is under 64 KiB for every width, and only for those",
          "[fast][attention]") {
  for (const auto& [d, d_v] : {std::pair{0, 64}, {64, 260}, {6, 64}})
    CHECK(refuses(ErrorCode::kInvalidArgument, [d = d, d_v = d_v] {
      fast::attention_scratch_bytes(d, d_v);
    }));
  for (Index d = 4; d <= 256; d += 4)
    for (Index d_v = 4; d_v <= 256; d_v += 4)
      CHECK(fast::attention_scratch_bytes(d, d_v) <= 65536);
}

TEST_CASE("fast attention refuses with a code", "[fast][attention][error]") {
  const auto q = constant(2, 8, 1);
  const auto k = constant(3, 8, 1);
  const auto with = [&](auto&& change) {
    fast::AttentionOptions options;
    change(options);
    return [=] { fast::attention(q, k, k, options); };
  };
  const auto invalid = [&](auto&& change) {
    return refuses(ErrorCode::kInvalidArgument, with(change));
  };
  CHECK(refusal([&] { fast::attention(q, constant(3, 4, 1), k); }) ==
        "shape-mismatch: k is 3x4 where 3x8 is needed");
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { fast::attention(q, k, constant(2, 8, 1)); }));
  fast::Matrix torn = q;
  torn.data.pop_back();
  CHECK(
      refuses(ErrorCode::kShapeMismatch, [&] { fast::attention(torn, k, k); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { fast::attention(fast::Matrix(), k, k); }));
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    for (std::size_t place = 0; place < q.data.size(); ++place) {
      fast::Matrix x = q;
      x.data[place] = bad;
      CHECK(refuses(ErrorCode::kNotFinite, [&] { fast::attention(x, k, k); }));
    }
  }
  fast::Matrix vast;
  vast.rows = (1 << 22) + 1;
  vast.cols = 4;
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { fast::attention(vast, vast, vast); }));
  CHECK(invalid([](auto& o) { o.heads = 0; }));
  CHECK(invalid([](auto& o) { o.heads = 3; }));
  CHECK(invalid([](auto& o) { o.heads = 4; }));
  CHECK(refusal(with([](auto& o) {
          o.heads = 2;
          o.layout = fast::HeadLayout::kStacked;
        })) == "invalid-argument: 2 heads do not divide the 3 rows of k");
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    const auto wide = constant(1, 260, 1);
    fast::attention(wide, wide, wide);
  }));
  CHECK(invalid([](auto& o) { o.query_offset = -1; }));
  CHECK(refuses(ErrorCode::kTooLarge,
                with([](auto& o) { o.query_offset = fast::kFastLimit; })));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                with([](auto& o) { o.mask = fast::Mask(3, 3); })));
  CHECK(invalid([](auto& o) {
    o.mask = fast::Mask(2, 3);
    o.mask.data[5] = 2;
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, with([](auto& o) {
                  o.real_keys = {1, 1};
                })));
  CHECK(invalid([](auto& o) { o.real_keys = {1, 1, 7}; }));
  CHECK(refuses(ErrorCode::kShapeMismatch, with([](auto& o) {
                  o.alibi_slopes = {1, 1};
                })));
  CHECK(refuses(ErrorCode::kNotFinite,
                with([](auto& o) { o.alibi_slopes = {kNan}; })));
  CHECK(invalid([](auto& o) { o.alibi_slopes = {-1}; }));
  CHECK(invalid([](auto& o) { o.rotary.emplace().base = 0.5; }));
  CHECK(invalid([](auto& o) { o.rotary.emplace().position_scale = 0; }));
  CHECK(refuses(ErrorCode::kNotFinite,
                with([](auto& o) { o.rotary.emplace().base = kInfinity; })));
}
