#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <cmath>
#include <string>

namespace attn {
namespace {

constexpr double kTwoPi = 6.283185307179586;

void require_count(int count) {
  if (count < 0)
    throw Error(ErrorCode::kInvalidArgument,
                "count is " + std::to_string(count) + ", below 0");
  require_size("the list", count, 1);
}

}  // namespace

// #region uniform
double Rng::uniform() {
  state_ += 0x6D2B79F5U;
  std::uint32_t t = state_;
  t = (t ^ (t >> 15U)) * (t | 1U);
  t ^= t + (t ^ (t >> 7U)) * (t | 61U);
  return (t ^ (t >> 14U)) / 4294967296.0;
}
// #endregion uniform

// #region normal
double Rng::normal() {
  if (spare_) {
    const double sine = *spare_;
    spare_.reset();
    return sine;
  }
  double u1 = uniform();
  const double u2 = uniform();
  while (u1 == 0) u1 = uniform();
  const double radius = std::sqrt(-2 * std::log(u1));
  spare_ = radius * std::sin(kTwoPi * u2);
  return radius * std::cos(kTwoPi * u2);
}
// #endregion normal

int Rng::below(int n) {
  if (n < 1)
    throw Error(ErrorCode::kInvalidArgument,
                "n is " + std::to_string(n) + ", below 1");
  return static_cast<int>(uniform() * n);
}

std::vector<double> uniforms(std::uint32_t seed, int count) {
  require_count(count);
  Rng rng(seed);
  std::vector<double> out(static_cast<size_t>(count));
  for (double& x : out) x = rng.uniform();
  return out;
}

std::vector<double> normals(std::uint32_t seed, int count) {
  require_count(count);
  Rng rng(seed);
  std::vector<double> out(static_cast<size_t>(count));
  for (double& x : out) x = rng.normal();
  return out;
}

Matrix normal_matrix(Rng& rng, Index rows, Index cols) {
  require_size("the matrix", rows, cols);
  if (rows < 1 || cols < 1)
    throw Error(ErrorCode::kEmptyInput, "the matrix is empty");
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = rng.normal();
  return m;
}

}  // namespace attn
