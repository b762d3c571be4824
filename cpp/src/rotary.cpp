#include <attn/error.hpp>
#include <attn/rotary.hpp>
#include <cmath>

#include "arguments.hpp"
#include "positions.hpp"

namespace attn {
namespace {

constexpr double kTwoPi = 6.283185307179586;

void require_rotary(const char* name, const Matrix& x,
                    const std::vector<double>& positions,
                    const Rotary& rotary) {
  require_valid(name, x);
  require_pairs(x.cols(), rotary.base);
  require_positive("position_scale", rotary.position_scale);
  if (require_positions(positions, x.cols()) != x.rows())
    throw Error(ErrorCode::kShapeMismatch,
                std::string(name) + " is " + shape(x) + " but there are " +
                    std::to_string(positions.size()) + " positions");
  for (const double p : positions)
    require_position("a scaled position", p * rotary.position_scale);
}

}  // namespace

// #region rotary_frequencies
std::vector<double> rotary_frequencies(Index d, double base) {
  require_pairs(d, base);
  std::vector<double> out;
  for (Index i = 0; i < d / 2; ++i) {
    const double exponent = -2.0 * static_cast<double>(i);
    out.push_back(std::pow(base, exponent / static_cast<double>(d)));
  }
  return out;
}
// #endregion rotary_frequencies

// #region rotate
Matrix rotate(const Matrix& x, const std::vector<double>& positions,
              const Rotary& rotary) {
  require_rotary("x", x, positions, rotary);
  const std::vector<double> theta = rotary_frequencies(x.cols(), rotary.base);
  const bool halves = rotary.layout == RotaryLayout::kHalfSplit;
  const Index pairs = x.cols() / 2;
  Matrix y(x.rows(), x.cols());
  for (Index r = 0; r < x.rows(); ++r) {
    const double place =
        positions[static_cast<size_t>(r)] * rotary.position_scale;
    for (Index i = 0; i < pairs; ++i) {
      const Index a = halves ? i : 2 * i;
      const Index b = halves ? i + pairs : 2 * i + 1;
      const double angle = place * theta[static_cast<size_t>(i)];
      y(r, a) = x(r, a) * std::cos(angle) - x(r, b) * std::sin(angle);
      y(r, b) = x(r, a) * std::sin(angle) + x(r, b) * std::cos(angle);
    }
  }
  require_no_overflow("a turned number", y);
  return y;
}
// #endregion rotate

// #region rotary_scores
Matrix rotary_scores(const Matrix& q, const Matrix& k,
                     const std::vector<double>& q_positions,
                     const std::vector<double>& k_positions,
                     const Rotary& rotary) {
  require_same_cols("q", q, "k", k);
  require_rotary("q", q, q_positions, rotary);
  require_rotary("k", k, k_positions, rotary);
  require_size("scores", q.rows(), k.rows());
  const Matrix turned_q = rotate(q, q_positions, rotary);
  const Matrix turned_k = rotate(k, k_positions, rotary);
  return product(turned_q, turned_k.transpose());
}
// #endregion rotary_scores

Matrix to_half_split(const Matrix& x) {
  require_valid("x", x);
  require_pairs(x.cols(), 1);
  Matrix y(x.rows(), x.cols());
  const Index pairs = x.cols() / 2;
  for (Index i = 0; i < pairs; ++i) {
    y.col(i) = x.col(2 * i);
    y.col(i + pairs) = x.col(2 * i + 1);
  }
  return y;
}

Matrix to_interleaved(const Matrix& x) {
  require_valid("x", x);
  require_pairs(x.cols(), 1);
  Matrix y(x.rows(), x.cols());
  const Index pairs = x.cols() / 2;
  for (Index i = 0; i < pairs; ++i) {
    y.col(2 * i) = x.col(i);
    y.col(2 * i + 1) = x.col(i + pairs);
  }
  return y;
}

// #region rotary_decay
std::vector<double> rotary_decay(const std::vector<double>& distances, Index d,
                                 double base) {
  const std::vector<double> theta = rotary_frequencies(d, base);
  require_positions(distances, d);
  std::vector<double> out;
  for (const double distance : distances) {
    double sum = 0;
    for (const double t : theta) sum += std::cos(distance * t);
    out.push_back(sum / static_cast<double>(theta.size()));
  }
  return out;
}
// #endregion rotary_decay

// #region unseen_pairs
Index unseen_pairs(double length, Index d, double base) {
  require_positive("length", length);
  Index unseen = 0;
  for (const double theta : rotary_frequencies(d, base))
    if (kTwoPi / theta > length) ++unseen;
  return unseen;
}
// #endregion unseen_pairs

Index pairs_at_new_angles(double trained, double tested, Index d, double base,
                          double position_scale) {
  const Index unseen = unseen_pairs(trained, d, base);
  require_positive("tested", tested);
  require_positive("position_scale", position_scale);
  return tested * position_scale > trained ? unseen : 0;
}

}  // namespace attn
