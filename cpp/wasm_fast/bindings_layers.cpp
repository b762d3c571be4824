#include <attn/fast/gelu.hpp>
#include <attn/fast/layer_norm.hpp>
#include <attn/fast/linear.hpp>
#include <attn/fast/softmax.hpp>

#include "marshal.hpp"

namespace attn::fast::wasm {
namespace {

std::vector<float> row_from_js(const val& from) {
  return from.isUndefined() ? std::vector<float>{} : list_from_js<float>(from);
}

val linear_js(const val& x, const val& w, const val& b) {
  return guarded([&] {
    return matrix_to_js(linear(matrix_from_js<float>(x),
                               matrix_from_js<float>(w), row_from_js(b)));
  });
}

val linear_gradients_js(const val& x, const val& w, const val& d_output) {
  return guarded([&] {
    const LinearGradients g =
        linear_gradients(matrix_from_js<float>(x), matrix_from_js<float>(w),
                         matrix_from_js<float>(d_output));
    val to = val::object();
    to.set("dX", matrix_to_js(g.d_x));
    to.set("dW", matrix_to_js(g.d_w));
    to.set("dB", list_to_js(g.d_b));
    return to;
  });
}

val layer_norm_js(const val& x, const val& gamma, const val& beta,
                  double epsilon) {
  return guarded([&] {
    return matrix_to_js(layer_norm(matrix_from_js<float>(x), row_from_js(gamma),
                                   row_from_js(beta), epsilon));
  });
}

template <Matrix (*kFunction)(const Matrix&)>
val mapped_js(const val& x) {
  return guarded(
      [&] { return matrix_to_js(kFunction(matrix_from_js<float>(x))); });
}

val softmax_rows_js(const val& scores, double temperature) {
  return guarded([&] {
    return matrix_to_js(
        softmax_rows(matrix_from_js<float>(scores), temperature));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attn_fast_layers) {
  emscripten::function("linear", &linear_js);
  emscripten::function("linearGradients", &linear_gradients_js);
  emscripten::function("layerNorm", &layer_norm_js);
  emscripten::function("gelu", &mapped_js<&gelu>);
  emscripten::function("geluTanh", &mapped_js<&gelu_tanh>);
  emscripten::function("softmaxRows", &softmax_rows_js);
}

}  // namespace attn::fast::wasm
