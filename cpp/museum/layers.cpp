#include <attn/error.hpp>
#include <cmath>
#include <museum/layers.hpp>
#include <string>

namespace attn::museum {
namespace {

void require_two_columns(const Matrix& x) {
  if (x.cols() < 2)
    throw Error(ErrorCode::kInvalidArgument,
                "one number has no sample variance");
}

/// Of an empty list, the value that changes nothing.
double at(const std::vector<double>& list, Index j, double neutral) {
  return list.empty() ? neutral : list[static_cast<size_t>(j)];
}

}  // namespace

// #region layer_norm_sample
NormTrace layer_norm_sample(const Matrix& x, const Affine& affine,
                            double epsilon) {
  NormTrace t = layer_norm(x, affine, epsilon);
  require_two_columns(x);
  const auto d = static_cast<double>(x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    double& variance = t.variance[static_cast<size_t>(i)];
    variance *= d / (d - 1);
    const double scale = 1 / std::sqrt(variance + epsilon);
    for (Index j = 0; j < x.cols(); ++j)
      t.output(i, j) = at(affine.gamma, j, 1) *
                           (x(i, j) - t.mean[static_cast<size_t>(i)]) * scale +
                       at(affine.beta, j, 0);
  }
  return t;
}
// #endregion layer_norm_sample

// #region encoder_layer_swapped
EncoderTrace encoder_layer_swapped(const Matrix& x,
                                   const EncoderWeights& weights,
                                   const LayerOptions& options) {
  LayerOptions swapped = options;
  swapped.norm_first = !options.norm_first;
  return encoder_layer(x, weights, swapped);
}
// #endregion encoder_layer_swapped

// #region mean_row_padded
Matrix mean_row_padded(const Matrix& m, const std::vector<bool>& real_rows) {
  if (static_cast<Index>(real_rows.size()) != m.rows())
    throw Error(ErrorCode::kShapeMismatch,
                "there are " + std::to_string(real_rows.size()) +
                    " flags for " + shape(m));
  Matrix cleared = m;
  for (Index i = 0; i < m.rows(); ++i)
    if (!real_rows[static_cast<size_t>(i)]) cleared.row(i).setZero();
  return mean_row(cleared);
}
// #endregion mean_row_padded

}  // namespace attn::museum
