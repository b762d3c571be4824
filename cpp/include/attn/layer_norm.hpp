#pragma once

#include <attn/matrix.hpp>
#include <vector>

namespace attn {

/// Which normalisation a layer uses.
enum class Norm {
  kNone,
  kLayerNorm,  ///< (x − mean) / √(variance + ε), Ba et al. 2016
  kRmsNorm,    ///< x / √(mean of x² + ε), Zhang & Sennrich 2019
};

/// One normalisation over the d numbers of each row (each token by itself).
struct NormTrace {
  std::vector<double> mean;  ///< n, of each row; zeros for RMSNorm
  /// n; LayerNorm: population variance (divided by d, not d − 1);
  /// RMSNorm: mean of the squares
  std::vector<double> variance;
  Matrix output;  ///< n × d
};

/// Scale and shift after normalising. Empty vectors mean γ = 1 and β = 0.
struct Affine {
  std::vector<double> gamma;  ///< d or empty
  std::vector<double> beta;   ///< d or empty; must be empty for RMSNorm
};

/// y = γ · (x − mean) / √(variance + ε) + β for each row.
///
/// @param x        n × d, n·d ≤ kReferenceLimit
/// @param epsilon  > 0; 1e-5 in the usual libraries
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch (γ, β not
///   of d numbers), kInvalidArgument (ε ≤ 0), kDiverged (squares overflow)
NormTrace layer_norm(const Matrix& x, const Affine& affine = {},
                     double epsilon = 1e-5);

/// y = γ · x / √(mean(x²) + ε) for each row: no mean is subtracted.
/// @throws Error as layer_norm; kInvalidArgument also when β is given
NormTrace rms_norm(const Matrix& x, const Affine& affine = {},
                   double epsilon = 1e-6);

/// The input gradient of `layer_norm` or `rms_norm` for an output gradient.
///
/// @param norm      kNone passes the gradient through
/// @param d_output  n × d
/// @returns n × d
/// @throws Error as layer_norm; kShapeMismatch when d_output is not like x
Matrix norm_backward(Norm norm, const Matrix& x, const Matrix& d_output,
                     const Affine& affine, double epsilon);

/// Applies `norm` and returns its output alone.
Matrix normalize(Norm norm, const Matrix& x, const Affine& affine = {},
                 double epsilon = 1e-5);

}  // namespace attn
