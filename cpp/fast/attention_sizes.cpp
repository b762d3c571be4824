#include "attention_sizes.hpp"

#include <cmath>

#include "checks.hpp"
#include "simd.hpp"

namespace attn::fast {
namespace {

[[noreturn]] void refuse_value(const char* what) {
  refuse(ErrorCode::kInvalidArgument, {what});
}

Index part_of(const char* name, const char* what, Index whole, Index heads) {
  const Index part = whole / heads;
  if (part * heads != whole)
    refuse(ErrorCode::kInvalidArgument,
           {heads, " heads do not divide the ", whole, what, name});
  return part;
}

AttentionSizes divided(const Matrix& q, const Matrix& k, const Matrix& v,
                       const AttentionOptions& options) {
  const Index h = options.heads;
  if (h < 1) refuse_value("there is no head");
  if (options.layout == HeadLayout::kStacked)
    return {part_of("q", " rows of ", q.rows, h),
            part_of("k", " rows of ", k.rows, h),
            h,
            q.cols,
            v.cols,
            options.layout};
  return {q.rows,
          k.rows,
          h,
          part_of("q", " columns of ", q.cols, h),
          part_of("v", " columns of ", v.cols, h),
          options.layout};
}

void require_truths(const char* name, const std::vector<std::uint8_t>& truths) {
  for (const std::uint8_t truth : truths)
    if (truth > 1)
      refuse(ErrorCode::kInvalidArgument,
             {name, " holds other numbers than 0 and 1"});
}

void require_places(const AttentionOptions& options, Index n) {
  if (options.query_offset < 0) refuse_value("query_offset is below 0");
  // Beyond this, a float no longer tells two places apart.
  if (options.query_offset > kFastLimit - n)
    refuse(ErrorCode::kTooLarge, {"a place is over 2^24"});
}

void require_masks(const AttentionOptions& options, Index n, Index m) {
  const auto& [rows, cols, data] = options.mask;
  const auto held = static_cast<Index>(data.size());
  if (rows != 0 || cols != 0 || held != 0) {
    require_size("mask", rows, cols);
    if (rows != n || cols != m || held != n * m)
      refuse(ErrorCode::kShapeMismatch,
             {"mask is ", rows, "x", cols, " but there are ", n,
              " queries and ", m, " keys"});
    require_truths("mask", data);
  }
  const auto real = static_cast<Index>(options.real_keys.size());
  if (real != 0 && real != m)
    refuse(ErrorCode::kShapeMismatch,
           {"real_keys has ", real, " places but there are ", m, " keys"});
  require_truths("real_keys", options.real_keys);
}

void require_positions(const AttentionOptions& options, Index heads) {
  require_row("alibi_slopes", options.alibi_slopes, heads);
  for (const float slope : options.alibi_slopes)
    if (slope < 0) refuse_value("a slope is below 0");
  if (!options.rotary) return;
  const auto [layout, base, scale] = *options.rotary;
  if (!std::isfinite(base) || !std::isfinite(scale))
    refuse(ErrorCode::kNotFinite, {"rotary holds NaN or an infinity"});
  if (base < 1) refuse_value("the rotary base is below 1");
  if (scale <= 0) refuse_value("position_scale is not above 0");
}

}  // namespace

void require_width(const char* name, Index width) {
  if (width < kWidth || width > kWidest || width % kWidth != 0)
    refuse(ErrorCode::kInvalidArgument,
           {"a head of ", name, " is ", width,
            " wide: not a multiple of 4 from 4 to 256"});
}

AttentionSizes checked_sizes(const Matrix& q, const Matrix& k, const Matrix& v,
                             const AttentionOptions& options) {
  require_valid("q", q);
  require_valid("k", k);
  require_valid("v", v);
  require_like("k", k, k.rows, q.cols);
  require_like("v", v, k.rows, v.cols);
  const AttentionSizes sizes = divided(q, k, v, options);
  require_width("q", sizes.d);
  require_width("v", sizes.d_v);
  require_size("output", q.rows, v.cols);
  require_places(options, sizes.n);
  require_masks(options, sizes.n, sizes.m);
  require_positions(options, sizes.h);
  return sizes;
}

}  // namespace attn::fast
