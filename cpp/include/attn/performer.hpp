#pragma once

#include <attn/counted.hpp>
#include <attn/matrix.hpp>
#include <attn/spread.hpp>
#include <cstdint>
#include <vector>

/// Random features φ with E[φ(x)·φ(y)] = exp(x·y), and attention in linear time
/// with them (FAVOR+).
///
/// Shapes: rows are tokens; q n × d, k m × d, v m × d_v; omega r × d holds one
/// random direction per row (r is the paper's m); features n × r for kPositive,
/// n × 2r for the other kinds. x and y are 1 × d.
/// Conventions: 1/√r (1/√2r for kHyperbolic) is inside φ; attention multiplies
/// q and k by d^−1/4 each, so that φ estimates exp(q·k / √d); no constant is
/// added for stability. An estimate is unbiased for exp(x·y), but the attention
/// output is a ratio of estimates and is not.
/// Limits: every matrix has at most kReferenceLimit numbers, so the quadratic
/// order needs n · m ≤ 2^22; measuring draws at most 2^26 normals.
///
/// Source: Choromanski et al. 2021, "Rethinking Attention with Performers",
/// Lemmas 1 and 2, sections 2.3 and 2.4, appendix B.1.
namespace attn {

enum class FeatureKind {
  kPositive,      ///< exp(ω·x − |x|²/2)
  kHyperbolic,    ///< exp(±ω·x − |x|²/2), all + then all −
  kTrigonometric  ///< exp(|x|²/2)·sin(ω·x), then the cosines
};

/// φ of each row of x.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch; kDiverged
/// when a feature overflows
Matrix random_features(const Matrix& x, const Matrix& omega, FeatureKind kind);

/// Directions that are independent normals, drawn row by row.
/// @throws Error kInvalidArgument unless features, d ≥ 1; kTooLarge
Matrix gaussian_omega(Index features, Index d, std::uint32_t seed);
/// Directions orthogonal within each group of d rows, each as long as an
/// independent normal vector (χ(d)), so that each row is still a normal vector.
/// @throws Error as gaussian_omega
Matrix orthogonal_omega(Index features, Index d, std::uint32_t seed);
/// Rows made orthonormal one after another; each is projected twice, which
/// keeps them orthogonal to rounding.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge; kInvalidArgument when a
/// row depends on those before it, as it must when rows > cols
Matrix gram_schmidt(const Matrix& vectors);

struct KernelEstimate {
  double exact = 0;     ///< exp(x·y)
  double estimate = 0;  ///< φ(x)·φ(y)
  double relative_error = 0;
};

/// One draw.
/// @throws Error as random_features
KernelEstimate kernel_estimate(const Matrix& x, const Matrix& y,
                               const Matrix& omega, FeatureKind kind);

/// E[φ(x)·φ(y)] over ω without chance: 40 × 40 Gauss–Hermite points in the
/// plane of x and y, to which the rest of ω does not matter. Good to 1e-12
/// relative while |x ± y|² ≤ 8.
/// @throws Error as random_features
double kernel_expectation(const Matrix& x, const Matrix& y, FeatureKind kind);

/// Lemma 2, mean squared errors with independent directions.
struct KernelMse {
  double exact = 0;             ///< SM = exp(x·y)
  double norm2_sum = 0;         ///< |x + y|²
  double norm2_difference = 0;  ///< |x − y|²
  double positive = 0;    ///< e^{|x+y|²}·SM²·(1 − e^{−|x+y|²}) / r
  double hyperbolic = 0;  ///< (1 − e^{−|x+y|²}) / 2 · positive
  double trigonometric = 0;  ///< e^{|x+y|²}·SM⁻²·(1 − e^{−|x−y|²})² / 2r
};

/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch;
/// kInvalidArgument unless features ≥ 1; kDiverged on overflow
KernelMse kernel_mse(const Matrix& x, const Matrix& y, Index features);

/// The square root of the error of one kind: the standard deviation of its
/// estimate, which is unbiased.
/// @throws Error as kernel_mse
double kernel_deviation(const Matrix& x, const Matrix& y, Index features,
                        FeatureKind kind);

/// Standard deviation of the positive estimate over its mean,
/// √((e^{|x+y|²} − 1) / r).
/// @throws Error kNotFinite, kInvalidArgument unless norm2_sum ≥ 0 and
/// features ≥ 1; kDiverged on overflow
double relative_deviation(double norm2_sum, Index features);

/// How many features make that deviation `relative_error`:
/// (e^{|x+y|²} − 1) / relative_error². A real number, not rounded up.
/// @throws Error kNotFinite, kInvalidArgument unless norm2_sum ≥ 0 and
/// relative_error > 0; kDiverged on overflow
double features_needed(double norm2_sum, double relative_error);

/// What `draws` draws gave.
struct KernelMeasurement {
  double exact = 0;
  double mean = 0;
  double bias = 0;            ///< mean − exact
  double variance = 0;        ///< about the mean, divided by draws
  double mse = 0;             ///< about exact: bias² + variance
  double standard_error = 0;  ///< of the mean: √(variance / draws)
};

/// Draw i uses seed `seed` + i (modulo 2^32): parts of a long run may be
/// measured apart and pooled.
/// @throws Error as random_features; kInvalidArgument unless features ≥ 1 and
/// draws ≥ 1; kTooLarge when draws · features · d > 2^26
KernelMeasurement measure_kernel(const Matrix& x, const Matrix& y,
                                 Index features, FeatureKind kind,
                                 bool orthogonal, Index draws,
                                 std::uint32_t seed);

struct PerformerTrace {
  Matrix query_features;           ///< n × r or n × 2r
  Matrix key_features;             ///< m × r or m × 2r
  Matrix key_values;               ///< Σ φ(kⱼ)ᵀ·vⱼ over all keys
  Matrix key_sum;                  ///< Σ φ(kⱼ), one row
  std::vector<double> normaliser;  ///< φ(qᵢ)·(sum of the keys it sees)
  Matrix output;                   ///< n × d_v
  std::vector<bool> vanished;      ///< normaliser is exactly 0: output zeros
};

/// φ(Q)·(φ(K)ᵀ·V): no n × m matrix. Causal (m = n): the two sums are running
/// sums, and query i sees keys 0 … i. Only kPositive and kHyperbolic are sure
/// of a normaliser that is not negative.
/// @throws Error as random_features
PerformerTrace performer_attention(const Matrix& q, const Matrix& k,
                                   const Matrix& v, const Matrix& omega,
                                   FeatureKind kind, bool causal = false);

/// How far the output is from exact softmax attention, as the largest
/// difference of a place, over `draws` draws; draw i uses seed `seed` + i
/// (modulo 2^32).
/// @throws Error as performer_attention and measure_kernel
Spread performer_errors(const Matrix& q, const Matrix& k, const Matrix& v,
                        Index features, FeatureKind kind, bool orthogonal,
                        Index draws, std::uint32_t seed);

struct PerformerQuadraticTrace {
  Matrix kernel;  ///< φ(Q)·φ(K)ᵀ, n × m, 0 where masked
  std::vector<double> normaliser;
  Matrix output;
  std::vector<bool> vanished;
};

/// (φ(Q)·φ(K)ᵀ)·V: the same numbers in the order that needs n · m of them.
/// @throws Error as performer_attention
PerformerQuadraticTrace performer_quadratic(const Matrix& q, const Matrix& k,
                                            const Matrix& v,
                                            const Matrix& omega,
                                            FeatureKind kind,
                                            bool causal = false);

/// The two orders of the same product.
struct PerformerOperations {
  Tally linear;     ///< n·r·(2·d_v + 1) multiplications
  Tally quadratic;  ///< pairs·(r + d_v): n² pairs, or n(n + 1)/2
};

/// What either order does on n tokens after their features are made, by running
/// it on numbers that count. `features` counts columns of φ.
/// Limit: n·(n + features)·(features + d_v) ≤ 2^24.
/// @throws Error kInvalidArgument for a size below 1, kTooLarge
PerformerOperations performer_operations(Index n, Index features, Index d_v,
                                         bool causal);

}  // namespace attn
