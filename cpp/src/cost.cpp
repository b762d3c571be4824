#include <attn/cost.hpp>
#include <attn/error.hpp>
#include <attn/feed_forward.hpp>
#include <cmath>
#include <initializer_list>

namespace attn {
namespace {

constexpr double kExactLimit = 9007199254740992.0;  // 2^53

void require_whole(std::initializer_list<double> values) {
  for (const double v : values)
    if (!(v >= 1) || v != std::floor(v) || v > kExactLimit)
      throw Error(ErrorCode::kInvalidArgument,
                  "sizes must be whole numbers from 1 to 2^53");
}

double exact(double count) {
  if (!(count <= kExactLimit))
    throw Error(ErrorCode::kTooLarge, "the count is over 2^53");
  return count;
}

double norm_parameters(double d) { return 2 * d; }

}  // namespace

double bytes_of(Precision precision) {
  switch (precision) {
    case Precision::kInt8:
      return 1;
    case Precision::kFloat16:
      return 2;
    case Precision::kFloat32:
      return 4;
    case Precision::kFloat64:
      return 8;
  }
  throw Error(ErrorCode::kInvalidArgument, "unknown precision");
}

AttentionMatrixCost attention_matrix_cost(double n, double heads, double layers,
                                          Precision precision) {
  require_whole({n, heads, layers});
  const double bytes = bytes_of(precision);
  const double elements = exact(n * n);
  const double all = exact(elements * heads * layers);
  return {elements, all, exact(elements * bytes), exact(all * bytes)};
}

double attention_pairs(double n, bool causal) {
  require_whole({n});
  return causal ? exact(n * (n + 1)) / 2 : exact(n * n);
}

LayerFlops layer_flops(double n, double d, double d_ff, bool causal) {
  require_whole({n, d, d_ff});
  LayerFlops f{exact(8 * n * d * d), exact(4 * attention_pairs(n, causal) * d),
               exact(4 * n * d * d_ff), 0};
  f.total = exact(f.projections + f.attention_products + f.feed_forward);
  return f;
}

double attention_crossover(double d, double d_ff) {
  require_whole({d, d_ff});
  return exact(2 * d + d_ff);
}

SquareCosts square_costs(double n, double d, double layers) {
  require_whole({n, d, layers});
  const double elements = exact(n * n);
  const double score = exact(elements * d);
  return {elements, score, exact(2 * score * layers),
          exact(4 * score * layers)};
}

double transformer_parameters(const TransformerShape& s) {
  require_whole({s.layers, s.d, s.d_ff, s.heads, s.d_k, s.d_v, s.vocabulary});
  const double attention =
      2 * s.d * s.heads * s.d_k + 2 * s.d * s.heads * s.d_v;
  const double network = feed_forward_parameters(s.d, s.d_ff, true);
  const double encoder_layer = attention + network + 2 * norm_parameters(s.d);
  const double decoder_layer =
      2 * attention + network + 3 * norm_parameters(s.d);
  return exact(s.vocabulary * s.d + s.layers * (encoder_layer + decoder_layer));
}

double stack_layer_parameters(const StackShape& s) {
  require_whole({s.layers, s.d, s.d_ff});
  return exact(4 * s.d * s.d + 4 * s.d +
               feed_forward_parameters(s.d, s.d_ff, true) +
               2 * norm_parameters(s.d));
}

double bert_parameters(const StackShape& s, double vocabulary, double positions,
                       double segments) {
  require_whole({vocabulary, positions, segments});
  const double embeddings =
      (vocabulary + positions + segments) * s.d + norm_parameters(s.d);
  const double pooler = s.d * s.d + s.d;
  return exact(embeddings + s.layers * stack_layer_parameters(s) + pooler);
}

double gpt_parameters(const StackShape& s, double vocabulary,
                      double positions) {
  require_whole({vocabulary, positions});
  return exact((vocabulary + positions) * s.d +
               s.layers * stack_layer_parameters(s) + norm_parameters(s.d));
}

VisionParameters vision_parameters(const StackShape& s, double side,
                                   double patch, double channels,
                                   double classes) {
  require_whole({side, patch, channels, classes});
  const double across = side / patch;
  if (across != std::floor(across))
    throw Error(ErrorCode::kShapeMismatch,
                "side is not divisible by the patch");
  VisionParameters p{};
  p.patch_embedding = exact(patch * patch * channels * s.d + s.d);
  p.class_token = s.d;
  p.position_embedding = exact((across * across + 1) * s.d);
  p.per_layer = stack_layer_parameters(s);
  p.final_norm = norm_parameters(s.d);
  p.head = exact(s.d * classes + classes);
  p.total_without_head =
      exact(p.patch_embedding + p.class_token + p.position_embedding +
            s.layers * p.per_layer + p.final_norm);
  return p;
}

double kv_cache_bytes(double layers, double n, double d, Precision precision) {
  require_whole({layers, n, d});
  return exact(2 * layers * n * d * bytes_of(precision));
}

double activation_bytes(double n, double batch, double d, double heads) {
  require_whole({n, batch, d, heads});
  return exact(34 * n * batch * d + 5 * heads * batch * n * n);
}

GrowthAudit growth_audit(double length_ratio, double memory_ratio) {
  if (!(length_ratio > 1) || !(memory_ratio > 1) ||
      !std::isfinite(length_ratio) || !std::isfinite(memory_ratio))
    throw Error(ErrorCode::kInvalidArgument,
                "both ratios must be finite and above 1");
  const double square = length_ratio * length_ratio;
  return {length_ratio, square, std::log(memory_ratio) / std::log(length_ratio),
          (memory_ratio - length_ratio) / (square - length_ratio)};
}

}  // namespace attn
