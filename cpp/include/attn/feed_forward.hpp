#pragma once

#include <attn/matrix.hpp>
#include <vector>

namespace attn {

enum class Activation {
  kRelu,
  kGelu,      ///< exact: x · Φ(x), Hendrycks & Gimpel 2016
  kGeluTanh,  ///< their approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³)))
};

double activation_value(Activation activation, double x);
/// Its slope; ReLU's at 0 is taken as 0.
double activation_slope(Activation activation, double x);
/// Element by element, x of any shape.
/// @throws Error kEmptyInput, kNotFinite, kTooLarge
Matrix activate(Activation activation, const Matrix& x);

/// The weights of one position-wise network: the same for every token.
struct FeedForward {
  Matrix w1;               ///< d × d_ff
  std::vector<double> b1;  ///< d_ff, or empty for none
  Matrix w2;               ///< d_ff × d
  std::vector<double> b2;  ///< d, or empty for none
  Activation activation = Activation::kRelu;
};

struct FeedForwardTrace {
  Matrix before;  ///< n × d_ff, x·W1 + b1
  Matrix hidden;  ///< n × d_ff, after the activation
  Matrix output;  ///< n × d, hidden·W2 + b2
};

/// FFN(x) = activation(x·W1 + b1)·W2 + b2 (Vaswani et al. 2017, eq. 2). No
/// position sees another one.
///
/// @param x  n × d; n·d_ff ≤ kReferenceLimit
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge
FeedForwardTrace feed_forward(const Matrix& x, const FeedForward& weights);

/// The input gradient of `feed_forward`.
/// @param d_output  n × d
/// @returns n × d
Matrix feed_forward_backward(const Matrix& x, const FeedForward& weights,
                             const Matrix& d_output);

/// 2·d·d_ff, and d + d_ff more with biases; exact up to 2^53.
/// @throws Error kInvalidArgument (a width below 1), kTooLarge
double feed_forward_parameters(double d, double d_ff, bool biases);

}  // namespace attn
