#include <attn/fast/attention.hpp>

#include "marshal.hpp"

namespace attn::fast::wasm {
namespace {

Rotary rotary_from_js(const val& from) {
  Rotary to;
  if_given(from, "layout", [&](const val& v) {
    to.layout = v.strictlyEquals(val("halfSplit")) ? RotaryLayout::kHalfSplit
                                                   : RotaryLayout::kInterleaved;
  });
  if_given(from, "base", [&](const val& v) { to.base = v.as<double>(); });
  if_given(from, "positionScale",
           [&](const val& v) { to.position_scale = v.as<double>(); });
  return to;
}

AttentionOptions options_from_js(const val& from) {
  AttentionOptions to;
  if_given(from, "heads", [&](const val& v) { to.heads = v.as<int>(); });
  if_given(from, "layout", [&](const val& v) {
    to.layout = v.strictlyEquals(val("stacked")) ? HeadLayout::kStacked
                                                 : HeadLayout::kSideBySide;
  });
  if_given(from, "causal", [&](const val& v) { to.causal = v.as<bool>(); });
  if_given(from, "queryOffset",
           [&](const val& v) { to.query_offset = v.as<int>(); });
  if_given(from, "scaled", [&](const val& v) { to.scaled = v.as<bool>(); });
  if_given(from, "realKeys",
           [&](const val& v) { to.real_keys = list_from_js<std::uint8_t>(v); });
  if_given(from, "mask",
           [&](const val& v) { to.mask = matrix_from_js<std::uint8_t>(v); });
  if_given(from, "alibiSlopes",
           [&](const val& v) { to.alibi_slopes = list_from_js<float>(v); });
  if_given(from, "rotary",
           [&](const val& v) { to.rotary = rotary_from_js(v); });
  return to;
}

val result_to_js(const AttentionResult& from) {
  val to = val::object();
  to.set("output", matrix_to_js(from.output));
  to.set("largest", matrix_to_js(from.largest));
  to.set("sum", matrix_to_js(from.sum));
  to.set("fullyMasked", list_to_js(from.fully_masked));
  return to;
}

AttentionResult result_from_js(const val& from) {
  return {matrix_from_js<float>(from["output"]),
          matrix_from_js<float>(from["largest"]),
          matrix_from_js<float>(from["sum"]),
          list_from_js<std::uint8_t>(from["fullyMasked"])};
}

val attention_js(const val& q, const val& k, const val& v, const val& options) {
  return guarded([&] {
    return result_to_js(
        attention(matrix_from_js<float>(q), matrix_from_js<float>(k),
                  matrix_from_js<float>(v), options_from_js(options)));
  });
}

val gradients_js(const val& q, const val& k, const val& v, const val& forward,
                 const val& d_output, const val& options) {
  return guarded([&] {
    const AttentionGradients g = attention_gradients(
        matrix_from_js<float>(q), matrix_from_js<float>(k),
        matrix_from_js<float>(v), result_from_js(forward),
        matrix_from_js<float>(d_output), options_from_js(options));
    val to = val::object();
    to.set("dQ", matrix_to_js(g.d_q));
    to.set("dK", matrix_to_js(g.d_k));
    to.set("dV", matrix_to_js(g.d_v));
    return to;
  });
}

val scratch_js(int d, int d_v) {
  return guarded([&] {
    return val(static_cast<double>(attention_scratch_bytes(d, d_v)));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attn_fast_attention) {
  emscripten::function("attention", &attention_js);
  emscripten::function("attentionGradients", &gradients_js);
  emscripten::function("attentionScratchBytes", &scratch_js);
}

}  // namespace attn::fast::wasm
