#pragma once

#include <attn/encoder.hpp>
#include <attn/feed_forward.hpp>
#include <attn/layer_norm.hpp>
#include <attn/matrix.hpp>
#include <attn/multi_head.hpp>
#include <cstdint>
#include <vector>

namespace attn {

/// A decoder layer has two windows: it looks at itself, at places up to its
/// own, and at the encoder's output (Vaswani et al. 2017, sec. 3.1).
struct DecoderOptions : LayerOptions {
  DecoderOptions() { causal = true; }
  bool cross = true;  ///< the window on the encoder; without it x passes
};

struct DecoderWeights {
  MultiHeadWeights attention;
  MultiHeadWeights cross;
  FeedForward network;
  Affine attention_norm;
  Affine cross_norm;
  Affine network_norm;
};

struct DecoderTrace {
  MultiHeadTrace attention;  ///< each branch without matrices when it is off
  Matrix after_attention;    ///< n × d
  MultiHeadTrace cross;      ///< weights n × m
  Matrix after_cross;        ///< n × d
  FeedForwardTrace network;
  Matrix output;  ///< n × d
};

/// @param x       n × d, of the sequence being written
/// @param memory  m × d_memory, the encoder's output
/// @throws Error as encoder_layer; kEmptyInput when `cross` is on and memory
///   is empty
DecoderTrace decoder_layer(const Matrix& x, const Matrix& memory,
                           const DecoderWeights& weights,
                           const DecoderOptions& options = {});

/// What the output owes to each of the two inputs.
struct DecoderGradients {
  Matrix d_x;       ///< n × d
  Matrix d_memory;  ///< m × d_memory; zeros when `cross` is off
};

/// @param d_output  n × d
/// @throws Error as decoder_layer
DecoderGradients decoder_layer_backward(const Matrix& x, const Matrix& memory,
                                        const DecoderWeights& weights,
                                        const Matrix& d_output,
                                        const DecoderOptions& options = {});

/// A stack over one memory: x, then what leaves each layer.
/// @throws Error as decoder_layer; kEmptyInput without layers
std::vector<Matrix> decoder_stack(const Matrix& x, const Matrix& memory,
                                  const std::vector<DecoderWeights>& layers,
                                  const DecoderOptions& options = {});

/// Weights drawn from `seed` as random_encoder_weights draws them.
/// @throws Error kInvalidArgument, kTooLarge
DecoderWeights random_decoder_weights(std::uint32_t seed, Index d,
                                      Index d_memory, Index d_ff, Index heads);

}  // namespace attn
