#pragma once

#include <attn/matrix.hpp>
#include <cstdint>
#include <vector>

namespace attn {

/// A softmax classifier on frozen features: z = x·W + b.
struct LinearProbe {
  Matrix w;               ///< d × classes
  std::vector<double> b;  ///< classes
};

/// One hidden layer: z = relu(x·W1 + b1)·W2 + b2.
struct MlpProbe {
  Matrix w1;               ///< d × hidden
  std::vector<double> b1;  ///< hidden
  Matrix w2;               ///< hidden × classes
  std::vector<double> b2;  ///< classes
};

/// Mean cross-entropy in nats and its gradient.
struct ProbeGradient {
  double loss;
  double
      accuracy;  ///< share of examples whose largest z (first of ties) is right
  Matrix d_w;    ///< d × classes
  std::vector<double> d_b;  ///< classes
};

/// @param x       n × d features
/// @param labels  n classes in 0 … classes − 1
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge,
///   kInvalidArgument (a label that is no class)
ProbeGradient probe_gradient(const LinearProbe& probe, const Matrix& x,
                             const std::vector<int>& labels);

/// Loss and accuracy before the first step and after each.
struct ProbeHistory {
  std::vector<double> loss;      ///< steps + 1
  std::vector<double> accuracy;  ///< steps + 1
};

struct LinearProbeRun {
  LinearProbe probe;
  ProbeHistory history;
};

/// Full-batch gradient descent from zero.
///
/// @param classes        1 … 1000
/// @param steps          0 … 10,000
/// @param learning_rate  > 0
/// @throws Error as probe_gradient; kDiverged when the weights leave the
///   finite numbers
LinearProbeRun train_linear_probe(const Matrix& x,
                                  const std::vector<int>& labels, int classes,
                                  int steps, double learning_rate);

struct MlpProbeRun {
  MlpProbe probe;
  ProbeHistory history;
};

/// The same with a hidden layer whose weights start as normals of `seed`
/// divided by the root of their fan-in.
/// @param hidden  1 … 1000
/// @throws Error as train_linear_probe
MlpProbeRun train_mlp_probe(const Matrix& x, const std::vector<int>& labels,
                            int classes, int hidden, std::uint32_t seed,
                            int steps, double learning_rate);

/// Labels that say nothing but the type of the word: each type draws one class
/// and keeps it (Hewitt & Liang 2019, sec. 2). A probe that learns them has
/// memorised, not read.
///
/// @param types  one number a token, equal for equal words, ≥ 0
/// @throws Error kEmptyInput, kInvalidArgument
std::vector<int> control_labels(const std::vector<int>& types, int classes,
                                std::uint32_t seed);

/// Accuracy on the task minus accuracy on the control task.
double selectivity(double task_accuracy, double control_accuracy);

/// h = γ · Σ softmax(a)ₗ · hₗ over layers (Peters et al. 2018; Tenney et al.
/// 2019) and where its weight lies.
struct ScalarMix {
  std::vector<double> weights;  ///< one a layer
  std::vector<double> mixed;    ///< d
  double center_of_gravity;     ///< Σ l · weightₗ, l from 0
};
/// @param layers  layers × d
/// @param a       one number a layer
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge
ScalarMix scalar_mix(const Matrix& layers, const std::vector<double>& a,
                     double gamma);

/// What each further layer adds, and the layer where the gain is centred:
/// Σ l·Δₗ / Σ Δₗ for l ≥ 1 (Tenney et al. 2019, sec. 3.2).
struct ExpectedLayer {
  std::vector<double> gains;  ///< one fewer than the scores
  double layer;
};
/// @param cumulative  scores with layers 0 … l, at least two
/// @throws Error kEmptyInput, kNotFinite, kInvalidArgument (no gain in all)
ExpectedLayer expected_layer(const std::vector<double>& cumulative);

}  // namespace attn
