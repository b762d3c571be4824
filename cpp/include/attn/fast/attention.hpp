#pragma once

#include <attn/fast/matrix.hpp>
#include <cstdint>
#include <optional>
#include <vector>

/// Scaled dot-product attention of h heads, in tiles: the n × m scores are
/// never in memory at once. Beyond operands and output, `attention` needs at
/// most 64 KiB whatever n and m.
///
///   q  n × h·d queries,  k  m × h·d keys,  v  m × h·d_v values
///
/// Head t owns the columns t·d … (t + 1)·d − 1, as in attn::multi_head; or,
/// when heads are stacked, operands and output are h·n × d, h·m × d, h·m × d_v
/// and h·n × d_v, and head t owns the rows from t·n or t·m on: a tenth faster,
/// since what a tile reads lies together. Limits: d and d_v are multiples of 4
/// from 4 to 256; 2^24 numbers an operand.
///
/// Error against the reference: the score s of a pair is off by about 1e-7
/// times Σ|q·k|/√d, so scores up to ± 30 or so keep 1e-5; scores in the
/// thousands keep it only where float32 holds them exactly.
namespace attn::fast {

enum class RotaryLayout {
  kInterleaved,  ///< pairs (x_0, x_1), (x_2, x_3), …
  kHalfSplit,    ///< pairs (x_0, x_{d/2}), (x_1, x_{d/2+1}), …
};

enum class HeadLayout {
  kSideBySide,  ///< one beside the other, in the columns
  kStacked,     ///< one below the other, in the rows
};

/// Queries and keys turned by their places before they meet, as attn::rotate.
struct Rotary {
  RotaryLayout layout = RotaryLayout::kInterleaved;
  double base = 10000;
  double position_scale = 1;
};

/// Key j stands at place j, query i at place query_offset + i.
struct AttentionOptions {
  int heads = 1;
  HeadLayout layout = HeadLayout::kSideBySide;
  bool causal = false;     ///< hide every key that lies after the query
  Index query_offset = 0;  ///< for `causal`, ALiBi and rotary
  bool scaled = true;      ///< divide by √d
  std::vector<std::uint8_t> real_keys;  ///< m of 0 (padding) and 1, or empty
  Mask mask;                            ///< n × m, or 0 × 0 to hide nothing
  /// One slope a head, or empty: −slope · |place of query − place of key| is
  /// added to the scores (with `causal`, ALiBi as published).
  std::vector<float> alibi_slopes;
  std::optional<Rotary> rotary;
};

/// The output, and what the gradients need to form the weights again: with
/// score₂ the score times log₂ e, a weight is 2^(score₂ − largest) / sum.
struct AttentionResult {
  Matrix output;   ///< n × h·d_v, or h·n × d_v
  Matrix largest;  ///< n × h, in units of log₂ e
  Matrix sum;      ///< n × h; 0 for a row of no weights
  std::vector<std::uint8_t> fully_masked;  ///< n; 1: sees nothing, all zeros
};

/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kTooLarge;
/// kInvalidArgument for a count of heads that does not divide the operands, a
/// width out of range, a query_offset below 0, a mask with other numbers than
/// 0 and 1, a negative slope, a rotary base below 1 or scale not above 0;
/// kDiverged when a score or a sum leaves the range of float32
AttentionResult attention(const Matrix& q, const Matrix& k, const Matrix& v,
                          const AttentionOptions& options = {});

/// What `attention` holds at most beside operands and output, on heads of these
/// widths and any number of queries and keys.
/// @throws Error kInvalidArgument for a width out of range
std::size_t attention_scratch_bytes(Index d, Index d_v);

/// Of a loss whose gradient with respect to the output is given.
struct AttentionGradients {
  Matrix d_q;  ///< as q
  Matrix d_k;  ///< as k
  Matrix d_v;  ///< as v
};

/// The weights are formed again, tile by tile, from `forward`: memory grows
/// with n and m, not with n·m.
/// @param forward   what `attention` returned for the same operands, options
/// @param d_output  as the output
/// @throws Error as attention
AttentionGradients attention_gradients(const Matrix& q, const Matrix& k,
                                       const Matrix& v,
                                       const AttentionResult& forward,
                                       const Matrix& d_output,
                                       const AttentionOptions& options = {});

}  // namespace attn::fast
