#pragma once

#include <attn/matrix.hpp>
#include <vector>

/// ALiBi: no position vectors, but a penalty on the score that grows with
/// distance, −m·(i − j), with a different slope m for each head. Press et al.
/// 2022, section 3.
///
/// Conventions. One row is one query, one column one key, both counted from 0;
/// the bias is causal: −∞ where j > i.
/// Limit: 2^22 doubles for a result.
namespace attn {

enum class AlibiSlopes {
  kPaper,     ///< 2^(−8h/H) for h = 1 … H, the paper's general sentence
  kReleased,  ///< the authors' get_slopes: the same for a power of two; else
              ///< the slopes of the power of two below H, then every other one
              ///< of the power above, which need not fall from head to head
};

/// One slope for each of `heads`.
/// @throws Error kInvalidArgument when heads < 1; kTooLarge over 2^16
std::vector<double> alibi_slopes(Index heads, AlibiSlopes rule);

enum class AlibiForm {
  kDistance,  ///< −m·(i − j), as in the paper
  kShifted,   ///< m·j, as in the released code: each row differs from the
              ///< paper's by the constant m·i, which a softmax does not see
};

/// n × n.
/// @throws Error kNotFinite; kInvalidArgument unless slope ≥ 0 and n ≥ 1;
/// kTooLarge when n² > 2^22; kDiverged when slope · n overflows
Matrix alibi_bias(double slope, Index n, AlibiForm form);

/// Softmax of row i of the bias, 1 × (i + 1): the weights of a query at place
/// `i` when every key's content scores the same; geometric, ratio e^−m.
/// @throws Error kNotFinite; kInvalidArgument unless slope ≥ 0 and i ≥ 0;
/// kTooLarge when i ≥ 2^22
Matrix alibi_weights(double slope, Index i);

/// ln(1/share)/m: the distance at which a weight has fallen to `share` of the
/// weight at distance 0 (share = 0.01 gives ln 100/m).
/// @throws Error kNotFinite; kInvalidArgument unless slope > 0 and
/// 0 < share ≤ 1
double alibi_reach(double slope, double share);

}  // namespace attn
