#pragma once

#include <attn/matrix.hpp>
#include <cmath>

namespace attn {

template <class T>
struct RnnSteps {
  MatrixOf<T> before;
  MatrixOf<T> states;
};

/// rnn_forward without its checks, over any scalar, so that a test can count
/// the operations: 2·d·(d + m) a token.
// #region rnn_steps
template <class T>
RnnSteps<T> rnn_steps(const MatrixOf<T>& x, const MatrixOf<T>& w,
                      const MatrixOf<T>& u, const MatrixOf<T>& bias,
                      const MatrixOf<T>& start) {
  using std::tanh;
  const Index d = w.rows();
  RnnSteps<T> t{MatrixOf<T>(x.rows(), d), MatrixOf<T>(x.rows(), d)};
  for (Index i = 0; i < x.rows(); ++i)
    for (Index r = 0; r < d; ++r) {
      T sum = bias(0, r);
      for (Index c = 0; c < d; ++c)
        sum += w(r, c) * (i == 0 ? start(0, c) : t.states(i - 1, c));
      for (Index c = 0; c < x.cols(); ++c) sum += u(r, c) * x(i, c);
      t.before(i, r) = sum;
      t.states(i, r) = tanh(sum);
    }
  return t;
}
// #endregion rnn_steps

}  // namespace attn
