#include <attn/encoder.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>

#include "sublayer.hpp"

namespace attn {
namespace {

MultiHeadOptions self_options(const LayerOptions& options) {
  MultiHeadOptions o;
  o.causal = options.causal;
  return o;
}

void require_same_width(const Matrix& branch, const Matrix& x) {
  require_same_cols("the branch", branch, "x", x);
}

}  // namespace

// #region encoder_layer
EncoderTrace encoder_layer(const Matrix& x, const EncoderWeights& weights,
                           const LayerOptions& options) {
  require_valid("x", x);
  EncoderTrace t;
  t.after_attention = x;
  if (options.attention) {
    const Matrix in = branch_input(x, options, weights.attention_norm);
    t.attention =
        multi_head(in, weights.attention, options.heads, self_options(options));
    require_same_width(t.attention.output, x);
    t.after_attention =
        leave_branch(x, t.attention.output, options, weights.attention_norm);
  }
  t.output = t.after_attention;
  if (options.network) {
    const Matrix& y = t.after_attention;
    const Matrix in = branch_input(y, options, weights.network_norm);
    t.network = feed_forward(in, weights.network);
    require_same_width(t.network.output, x);
    t.output = leave_branch(y, t.network.output, options, weights.network_norm);
  }
  return t;
}
// #endregion encoder_layer

Matrix encoder_layer_backward(const Matrix& x, const EncoderWeights& weights,
                              const Matrix& d_output,
                              const LayerOptions& options) {
  const EncoderTrace t = encoder_layer(x, weights, options);
  require_same_rows("d_output", d_output, "x", x);
  require_same_cols("d_output", d_output, "x", x);
  require_finite("d_output", d_output);
  Matrix d = d_output;
  if (options.network) {
    const Matrix& y = t.after_attention;
    const Matrix in = branch_input(y, options, weights.network_norm);
    d = sublayer_backward(y, t.network.output, options, weights.network_norm, d,
                          [&](const Matrix& g) {
                            return feed_forward_backward(in, weights.network,
                                                         g);
                          });
  }
  if (options.attention) {
    const Matrix in = branch_input(x, options, weights.attention_norm);
    d = sublayer_backward(x, t.attention.output, options,
                          weights.attention_norm, d, [&](const Matrix& g) {
                            const auto both = multi_head_input_gradients(
                                in, weights.attention, options.heads,
                                self_options(options), g);
                            return Matrix(both.d_x + both.d_memory);
                          });
  }
  return d;
}

std::vector<Matrix> encoder_stack(const Matrix& x,
                                  const std::vector<EncoderWeights>& layers,
                                  const LayerOptions& options) {
  if (layers.empty())
    throw Error(ErrorCode::kEmptyInput, "the stack has no layer");
  std::vector<Matrix> values{x};
  for (const EncoderWeights& weights : layers)
    values.push_back(encoder_layer(values.back(), weights, options).output);
  return values;
}

std::vector<double> encoder_gradient_norms(
    const Matrix& x, const std::vector<EncoderWeights>& layers,
    const Matrix& d_output, const LayerOptions& options) {
  const std::vector<Matrix> values = encoder_stack(x, layers, options);
  std::vector<double> norms(values.size());
  Matrix d = d_output;
  norms.back() = frobenius_norm(d);
  for (size_t l = layers.size(); l > 0; --l) {
    d = encoder_layer_backward(values[l - 1], layers[l - 1], d, options);
    norms[l - 1] = frobenius_norm(d);
  }
  return norms;
}

EncoderWeights random_encoder_weights(std::uint32_t seed, Index d, Index d_ff,
                                      Index heads) {
  if (d < 1 || d_ff < 1 || heads < 1 || d % heads != 0)
    throw Error(ErrorCode::kInvalidArgument,
                "widths must be positive and heads must divide d");
  require_size("w1", d, d_ff);
  require_size("w_q", d, d);
  Rng rng(seed);
  EncoderWeights w;
  w.attention = {scaled_normals(rng, d, d), scaled_normals(rng, d, d),
                 scaled_normals(rng, d, d), scaled_normals(rng, d, d)};
  w.network.w1 = scaled_normals(rng, d, d_ff);
  w.network.w2 = scaled_normals(rng, d_ff, d);
  return w;
}

// #region row_spread
double row_spread(const Matrix& x) {
  require_valid("x", x);
  Matrix centred = x;
  for (Index j = 0; j < x.cols(); ++j) {
    double mean = 0;
    for (Index i = 0; i < x.rows(); ++i) mean += x(i, j);
    mean /= static_cast<double>(x.rows());
    for (Index i = 0; i < x.rows(); ++i) centred(i, j) -= mean;
  }
  const double size = frobenius_norm(x);
  return size == 0 ? 0 : frobenius_norm(centred) / size;
}
// #endregion row_spread

}  // namespace attn
