#pragma once

#include <attn/feed_forward.hpp>
#include <attn/layer_norm.hpp>
#include <attn/matrix.hpp>
#include <attn/multi_head.hpp>
#include <cstdint>
#include <vector>

namespace attn {

/// What a layer is assembled from. Conventions: post-norm is
/// norm(x + branch(x)) (Vaswani et al. 2017, sec. 3.1), pre-norm is
/// x + branch(norm(x)) (Xiong et al. 2020). Without `residual` the x + is gone.
struct LayerOptions {
  Index heads = 1;
  Norm norm = Norm::kLayerNorm;
  bool norm_first = false;  ///< pre-norm
  bool residual = true;
  bool attention = true;  ///< the self-attention branch; without it x passes
  bool network = true;    ///< the feed-forward branch; without it x passes
  bool causal = false;    ///< in self-attention
  double epsilon = 1e-5;
};

struct EncoderWeights {
  MultiHeadWeights attention;
  FeedForward network;
  Affine attention_norm;
  Affine network_norm;
};

struct EncoderTrace {
  MultiHeadTrace attention;  ///< without matrices when the branch is off
  Matrix after_attention;    ///< n × d
  FeedForwardTrace network;  ///< without matrices when the branch is off
  Matrix output;             ///< n × d
};

/// One encoder layer: self-attention, then the feed-forward network.
///
/// @param x  n × d
/// @throws Error as multi_head, feed_forward and layer_norm; kShapeMismatch
///   when a branch does not return d columns
EncoderTrace encoder_layer(const Matrix& x, const EncoderWeights& weights,
                           const LayerOptions& options = {});

/// The gradient of a loss with respect to the layer's input.
/// @param d_output  n × d
/// @throws Error as encoder_layer
Matrix encoder_layer_backward(const Matrix& x, const EncoderWeights& weights,
                              const Matrix& d_output,
                              const LayerOptions& options = {});

/// A stack: x, then what leaves each layer, layers + 1 matrices of n × d.
/// @throws Error as encoder_layer; kEmptyInput without layers
std::vector<Matrix> encoder_stack(const Matrix& x,
                                  const std::vector<EncoderWeights>& layers,
                                  const LayerOptions& options = {});

/// For a stack, the norm of the gradient at x and at each layer's output, when
/// the loss is ⟨d_output, output⟩: layers + 1 numbers.
/// @throws Error as encoder_stack
std::vector<double> encoder_gradient_norms(
    const Matrix& x, const std::vector<EncoderWeights>& layers,
    const Matrix& d_output, const LayerOptions& options = {});

/// Weights drawn from `seed`: every matrix normal, divided by the root of its
/// rows; no biases, no affine.
///
/// @param d_ff    width inside the network
/// @param heads   divides d
/// @throws Error kInvalidArgument, kTooLarge
EncoderWeights random_encoder_weights(std::uint32_t seed, Index d, Index d_ff,
                                      Index heads);

/// How far the rows are from being one and the same:
/// ‖X − 1·mean row‖_F / ‖X‖_F (Dong et al. 2021), 0 for equal rows or X = 0.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge
double row_spread(const Matrix& x);

}  // namespace attn
