#pragma once

namespace attn {

/// Exact counters of what a Transformer needs. Every count is a whole number of
/// at most 2^53 held in a double (JavaScript's own limit), else kTooLarge.
/// Conventions: one multiply-add is 2 FLOPs; n tokens, width d, h heads, L
/// layers; 1 KiB = 1024 bytes. All functions throw Error kInvalidArgument for
/// an argument that is not a whole number from 1.

/// How one number is stored.
enum class Precision { kInt8, kFloat16, kFloat32, kFloat64 };
double bytes_of(Precision precision);

/// The score matrices of a model, if they are kept.
struct AttentionMatrixCost {
  double elements;        ///< n², one matrix
  double total_elements;  ///< n² · heads · layers
  double bytes;           ///< one matrix
  double total_bytes;
};
AttentionMatrixCost attention_matrix_cost(double n, double heads, double layers,
                                          Precision precision);

/// Query–key pairs that a head looks at: n², or n(n + 1)/2 when causal.
double attention_pairs(double n, bool causal);

/// FLOPs of one layer, forward, without biases, norms or softmax.
struct LayerFlops {
  double projections;         ///< 8·n·d²: Q, K, V and the output
  double attention_products;  ///< 4·pairs·d: QKᵀ and weights · V
  double feed_forward;        ///< 4·n·d·d_ff
  double total;
};
LayerFlops layer_flops(double n, double d, double d_ff, bool causal);

/// The n at which the attention products equal the rest of the layer:
/// (8d² + 4d·d_ff) / 4d = 2d + d_ff, which is 6d when d_ff = 4d.
double attention_crossover(double d, double d_ff);

/// The three numbers that are easily mixed up.
struct SquareCosts {
  double elements;     ///< n², of one head's matrix
  double score_madds;  ///< n²·d, QKᵀ over all heads
  double model_madds;  ///< 2·n²·d·L, both products over L layers
  double model_flops;  ///< 4·n²·d·L
};
SquareCosts square_costs(double n, double d, double layers);

/// An encoder–decoder as in Vaswani et al. 2017: no biases in attention, biases
/// in the feed-forward network, two numbers a column for each LayerNorm, one
/// embedding shared by input, output and decoder.
struct TransformerShape {
  double layers = 6;  ///< in the encoder and in the decoder
  double d = 512;
  double d_ff = 2048;
  double heads = 8;
  double d_k = 64;
  double d_v = 64;
  double vocabulary = 37000;
};
double transformer_parameters(const TransformerShape& shape);

/// One stack of layers with biases everywhere, d_k = d_v = d / heads.
struct StackShape {
  double layers = 12;
  double d = 768;
  double d_ff = 3072;
};
/// 4d² + 4d + 2·d·d_ff + d_ff + d + 4d.
double stack_layer_parameters(const StackShape& shape);
/// Embeddings (words, places, segments), their norm, layers, pooler: Devlin et
/// al. 2019; 109,482,240 for base.
double bert_parameters(const StackShape& shape, double vocabulary,
                       double positions, double segments);
/// Embeddings shared with the output, layers, last norm: Radford et al. 2019.
double gpt_parameters(const StackShape& shape, double vocabulary,
                      double positions);

/// A picture model without its head (Dosovitskiy et al. 2021).
struct VisionParameters {
  double patch_embedding;
  double class_token;
  double position_embedding;
  double per_layer;
  double final_norm;
  double head;
  double total_without_head;
};
VisionParameters vision_parameters(const StackShape& shape, double side,
                                   double patch, double channels,
                                   double classes);

/// 2·L·n·d·bytes: keys and values of every layer.
double kv_cache_bytes(double layers, double n, double d, Precision precision);

/// Activations of one layer kept for training in 16 bits,
/// n·b·d·(34 + 5·h·n/d) bytes (Korthikanti et al. 2022, eq. 2).
double activation_bytes(double n, double batch, double d, double heads);

/// What must be true if memory grew `memory_ratio`-fold while the length grew
/// `length_ratio`-fold, both above 1.
struct GrowthAudit {
  double if_linear;        ///< length_ratio
  double if_quadratic;     ///< length_ratio²
  double exponent;         ///< ln(memory) / ln(length)
  double quadratic_share;  ///< share at the start that must grow quadratically,
                           ///< the rest growing linearly; outside 0 … 1 when no
                           ///< such mixture exists
};
/// @throws Error kInvalidArgument unless both are finite and above 1
GrowthAudit growth_audit(double length_ratio, double memory_ratio);

}  // namespace attn
