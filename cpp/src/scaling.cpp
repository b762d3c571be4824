#include <algorithm>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <attn/scaling.hpp>
#include <attn/softmax.hpp>
#include <cmath>
#include <vector>

namespace attn {
namespace {

constexpr int kWidthLimit = 1 << 20;
constexpr int kKeyLimit = 1024;
constexpr double kWorkLimit = 1 << 26;
constexpr double kPi = 3.141592653589793;

void check_width(int d_k) {
  if (d_k < 1 || d_k > kWidthLimit)
    throw Error(ErrorCode::kInvalidArgument, "d_k must be 1 to 2^20");
}

/// ‖diag(p) − p·pᵀ‖ without forming the matrix.
double jacobian_norm(const std::vector<double>& p) {
  double squares = 0;
  for (const double v : p) squares += v * v;
  double sum = 0;
  for (const double v : p) {
    const double diagonal = v * (1 - v);
    sum += diagonal * diagonal + v * v * (squares - v * v);
  }
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace

double dot_product_std(int d_k, Scale scale) {
  check_width(d_k);
  return scale == Scale::kNone ? std::sqrt(static_cast<double>(d_k)) : 1.0;
}

// The gap g of the two scores is normal with √2 times their deviation, and the
// larger weight is 1 / (1 + exp(−|g|)).
double expected_larger_weight(int d_k, Scale scale) {
  const double deviation = std::sqrt(2.0) * dot_product_std(d_k, scale);
  constexpr int kIntervals = 20000;
  const double step = 10 * deviation / kIntervals;
  double sum = 0;
  for (int i = 0; i <= kIntervals; ++i) {
    const double g = i * step;
    const double weight = i == 0 || i == kIntervals ? 1 : (i % 2 == 1 ? 4 : 2);
    const double density = 2 * std::exp(-g * g / (2 * deviation * deviation)) /
                           (deviation * std::sqrt(2 * kPi));
    sum += weight * density / (1 + std::exp(-g));
  }
  return sum * step / 3;
}

ScoreStatistics score_statistics(int d_k, int keys, int trials,
                                 std::uint32_t seed, Scale scale) {
  check_width(d_k);
  if (keys < 1 || keys > kKeyLimit || trials < 1)
    throw Error(ErrorCode::kInvalidArgument,
                "keys must be 1 to 1024, trials 1 or more");
  if (static_cast<double>(d_k) * keys * trials > kWorkLimit)
    throw Error(ErrorCode::kTooLarge,
                "d_k times keys times trials is over 2^26");
  const double divisor =
      scale == Scale::kNone ? 1 : std::sqrt(static_cast<double>(d_k));
  Rng rng(seed);
  ScoreStatistics s{0, 0, 0, 0};
  std::vector<double> query(static_cast<size_t>(d_k));
  std::vector<double> scores(static_cast<size_t>(keys));
  for (int t = 0; t < trials; ++t) {
    for (double& v : query) v = rng.normal();
    for (double& score : scores) {
      score = 0;
      for (const double v : query) score += v * rng.normal();
      score /= divisor;
      s.score_std += score * score;
    }
    const std::vector<double> p = softmax(scores);
    s.max_weight += *std::max_element(p.begin(), p.end());
    s.entropy += entropy(p);
    s.jacobian_frobenius += jacobian_norm(p);
  }
  const double n = trials;
  return {s.max_weight / n, s.entropy / n, s.jacobian_frobenius / n,
          std::sqrt(s.score_std / (n * keys))};
}

}  // namespace attn
