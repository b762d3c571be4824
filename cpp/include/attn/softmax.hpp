#pragma once

#include <attn/matrix.hpp>
#include <vector>

namespace attn {

/// Everything here takes −∞ as the logit of a masked place: its weight is
/// exactly 0. A row that is masked everywhere has no distribution; its weights
/// are all 0 and `fully_masked_rows` says so. +∞ and NaN are refused.
/// Limit: 2^22 numbers in a matrix.

/// pⱼ = exp((xⱼ − max x) / T) / Σ exp((xₗ − max x) / T). The shift changes no
/// weight and keeps every exponent at or under 0, so that nothing overflows.
/// @param temperature  T; above 1 flattens the weights, below 1 sharpens them
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument unless
/// T is finite and above 0
std::vector<double> softmax(const std::vector<double>& logits,
                            double temperature = 1);

/// The same for each row of `scores`  n × m.
/// @throws Error as softmax
Matrix softmax_rows(const Matrix& scores, double temperature = 1);

/// One flag a row: true when every place of it is −∞.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge
std::vector<bool> fully_masked_rows(const Matrix& scores);

/// −Σ pⱼ ln pⱼ in nats, where 0 · ln 0 is 0: from 0 (one place has all the
/// weight) to ln m (all are equal). A list of zeros, a fully masked row, has 0.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument for a
/// weight outside [0, 1] or a sum that is neither 1 (to 1e-9) nor exactly 0
double entropy(const std::vector<double>& weights);

/// The entropy of each row.
/// @throws Error as entropy
std::vector<double> entropy_rows(const Matrix& weights);

/// ∂pᵢ/∂xⱼ = pᵢ (δᵢⱼ − pⱼ) for p = softmax(x) at temperature 1, m × m. All but
/// zero when one weight is all but 1: a saturated softmax passes no gradient.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument as
/// entropy
Matrix softmax_jacobian(const std::vector<double>& weights);

/// ln(p / (1 − p)): how far one score must lie above a single rival to be given
/// the weight p.
/// @throws Error kInvalidArgument unless 0 < p < 1
double required_gap(double p);

}  // namespace attn
