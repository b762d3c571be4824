#include <attn/decoder.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <utility>

#include "sublayer.hpp"

namespace attn {
namespace {

MultiHeadOptions cross_options(const Matrix& memory) {
  MultiHeadOptions o;
  o.memory = memory;
  return o;
}

void require_same_width(const Matrix& branch, const Matrix& x) {
  require_same_cols("the branch", branch, "x", x);
}

/// A decoder layer without its window on the encoder is an encoder layer; these
/// are its first half, up to that window, and its last.
LayerOptions first_half(const DecoderOptions& options) {
  LayerOptions half = options;
  half.network = false;
  return half;
}

LayerOptions last_half(const DecoderOptions& options) {
  LayerOptions half = options;
  half.attention = false;
  return half;
}

EncoderWeights outer_weights(const DecoderWeights& w) {
  return {w.attention, w.network, w.attention_norm, w.network_norm};
}

}  // namespace

// #region decoder_layer
DecoderTrace decoder_layer(const Matrix& x, const Matrix& memory,
                           const DecoderWeights& weights,
                           const DecoderOptions& options) {
  DecoderTrace t;
  const EncoderWeights outer = outer_weights(weights);
  EncoderTrace first = encoder_layer(x, outer, first_half(options));
  t.attention = std::move(first.attention);
  t.after_attention = t.after_cross = first.output;
  if (options.cross) {
    const Matrix& y = t.after_attention;
    require_valid("memory", memory);
    t.cross = multi_head(branch_input(y, options, weights.cross_norm),
                         weights.cross, options.heads, cross_options(memory));
    require_same_width(t.cross.output, x);
    t.after_cross =
        leave_branch(y, t.cross.output, options, weights.cross_norm);
  }
  EncoderTrace last = encoder_layer(t.after_cross, outer, last_half(options));
  t.network = std::move(last.network);
  t.output = std::move(last.output);
  return t;
}
// #endregion decoder_layer

DecoderGradients decoder_layer_backward(const Matrix& x, const Matrix& memory,
                                        const DecoderWeights& weights,
                                        const Matrix& d_output,
                                        const DecoderOptions& options) {
  const DecoderTrace t = decoder_layer(x, memory, weights, options);
  const EncoderWeights outer = outer_weights(weights);
  DecoderGradients g;
  g.d_memory = Matrix::Zero(memory.rows(), memory.cols());
  Matrix d = encoder_layer_backward(t.after_cross, outer, d_output,
                                    last_half(options));
  if (options.cross) {
    const Matrix& y = t.after_attention;
    const Matrix in = branch_input(y, options, weights.cross_norm);
    d = sublayer_backward(y, t.cross.output, options, weights.cross_norm, d,
                          [&](const Matrix& d_branch) {
                            auto both = multi_head_input_gradients(
                                in, weights.cross, options.heads,
                                cross_options(memory), d_branch);
                            g.d_memory = std::move(both.d_memory);
                            return both.d_x;
                          });
  }
  g.d_x = encoder_layer_backward(x, outer, d, first_half(options));
  return g;
}

std::vector<Matrix> decoder_stack(const Matrix& x, const Matrix& memory,
                                  const std::vector<DecoderWeights>& layers,
                                  const DecoderOptions& options) {
  if (layers.empty())
    throw Error(ErrorCode::kEmptyInput, "the stack has no layer");
  std::vector<Matrix> values{x};
  for (const DecoderWeights& weights : layers)
    values.push_back(
        decoder_layer(values.back(), memory, weights, options).output);
  return values;
}

DecoderWeights random_decoder_weights(std::uint32_t seed, Index d,
                                      Index d_memory, Index d_ff, Index heads) {
  const EncoderWeights outer = random_encoder_weights(seed, d, d_ff, heads);
  if (d_memory < 1)
    throw Error(ErrorCode::kInvalidArgument, "widths must be positive");
  require_size("w_k", d_memory, d);
  // Another stream than the outer weights', from a seed that differs from it.
  Rng rng(seed ^ 0x9e3779b9U);
  DecoderWeights w;
  w.attention = outer.attention;
  w.network = outer.network;
  w.cross = {scaled_normals(rng, d, d), scaled_normals(rng, d_memory, d),
             scaled_normals(rng, d_memory, d), scaled_normals(rng, d, d)};
  return w;
}

}  // namespace attn
