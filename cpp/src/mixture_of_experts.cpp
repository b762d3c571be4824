#include <algorithm>
#include <attn/error.hpp>
#include <attn/mixture_of_experts.hpp>
#include <attn/softmax.hpp>
#include <cmath>
#include <numeric>
#include <string>

namespace attn {
namespace {

constexpr double kExactLimit = 9007199254740992.0;  // 2^53

void check_k(int k, Index experts) {
  if (k < 1 || k > experts)
    throw Error(ErrorCode::kInvalidArgument,
                "k is " + std::to_string(k) + " but there are " +
                    std::to_string(experts) + " experts");
}

/// The columns of row i, largest first, ties by lower index.
std::vector<int> best_first(const Matrix& m, Index i) {
  std::vector<int> order(static_cast<size_t>(m.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return m(i, a) > m(i, b); });
  return order;
}

void check_distributions(const Matrix& p) {
  for (Index i = 0; i < p.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < p.cols(); ++j) {
      if (p(i, j) < 0)
        throw Error(ErrorCode::kInvalidArgument,
                    "probabilities must not be negative");
      sum += p(i, j);
    }
    if (std::abs(sum - 1) > 1e-9)
      throw Error(ErrorCode::kInvalidArgument,
                  "row " + std::to_string(i + 1) +
                      " of probabilities does not sum to 1");
  }
}

double whole(const char* name, double value) {
  if (!(value >= 1) || value != std::floor(value))
    throw Error(ErrorCode::kInvalidArgument,
                std::string(name) + " must be a whole number from 1");
  return value;
}

double exact(double count) {
  if (count > kExactLimit)
    throw Error(ErrorCode::kTooLarge, "the count is over 2^53");
  return count;
}

}  // namespace

// #region route_tokens
Routing route_tokens(const Matrix& logits, int k, Gating gating) {
  require_valid("logits", logits);
  check_k(k, logits.cols());
  Routing r{softmax_rows(logits), {}, {}, k};
  for (Index i = 0; i < logits.rows(); ++i) {
    const std::vector<int> order = best_first(logits, i);
    double sum = 0;
    for (int c = 0; c < k; ++c)
      sum += r.probabilities(i, order[static_cast<size_t>(c)]);
    for (int c = 0; c < k; ++c) {
      const int expert = order[static_cast<size_t>(c)];
      const double p = r.probabilities(i, expert);
      r.experts.push_back(expert);
      r.gates.push_back(gating == Gating::kRaw ? p : p / sum);
    }
  }
  return r;
}
// #endregion route_tokens

BalanceLoss balance_loss(const Matrix& probabilities, double alpha) {
  require_valid("probabilities", probabilities);
  check_distributions(probabilities);
  if (!(alpha >= 0) || !std::isfinite(alpha))
    throw Error(ErrorCode::kInvalidArgument, "alpha must not be negative");
  const auto tokens = static_cast<double>(probabilities.rows());
  const auto experts = static_cast<double>(probabilities.cols());
  const auto n = static_cast<size_t>(probabilities.cols());

  // 1. Count first choices and add up the probabilities.
  BalanceLoss b{std::vector<double>(n, 0),
                std::vector<double>(n, 0),
                0,
                0,
                std::vector<double>(n, 0),
                0};
  for (Index i = 0; i < probabilities.rows(); ++i) {
    b.fraction[static_cast<size_t>(best_first(probabilities, i).front())] += 1;
    for (size_t e = 0; e < n; ++e)
      b.importance[e] += probabilities(i, static_cast<Index>(e));
  }

  // 2. Turn sums into shares; the losses multiply the two kinds of share.
  double product = 0;
  for (size_t e = 0; e < n; ++e) {
    b.fraction[e] /= tokens;
    b.probability[e] = b.importance[e] / tokens;
    product += b.fraction[e] * b.probability[e];
  }
  b.switch_loss = alpha * experts * product;
  b.gshard_loss = product / experts;

  // 3. How unequal the importance is.
  const double mean = tokens / experts;
  double variance = 0;
  for (const double v : b.importance)
    variance += (v - mean) * (v - mean) / experts;
  b.importance_cv2 = variance / (mean * mean);
  return b;
}

Dispatch dispatch_tokens(const std::vector<int>& first_choice, int experts,
                         double factor) {
  if (first_choice.empty())
    throw Error(ErrorCode::kEmptyInput, "first_choice is empty");
  if (experts < 1 || !(factor > 0) || !std::isfinite(factor))
    throw Error(ErrorCode::kInvalidArgument,
                "experts and factor must be positive");
  const auto tokens = static_cast<double>(first_choice.size());
  const double capacity = std::floor(tokens / experts * factor);
  Dispatch d{static_cast<int>(std::min(capacity, tokens)),
             {},
             std::vector<int>(static_cast<size_t>(experts), 0)};
  for (const int e : first_choice) {
    if (e < 0 || e >= experts)
      throw Error(ErrorCode::kInvalidArgument,
                  "there is no expert " + std::to_string(e));
    int& load = d.load[static_cast<size_t>(e)];
    d.kept.push_back(load < d.capacity);
    ++load;
  }
  return d;
}

// #region mixture_of_experts
MixtureTrace mixture_of_experts(const Matrix& x, const Matrix& router,
                                const std::vector<FeedForward>& experts, int k,
                                Gating gating) {
  require_valid("x", x);
  require_valid("router", router);
  if (static_cast<Index>(experts.size()) != router.cols())
    throw Error(ErrorCode::kInvalidArgument,
                "router has " + std::to_string(router.cols()) +
                    " columns but there are " + std::to_string(experts.size()) +
                    " experts");
  MixtureTrace t{route_tokens(product(x, router), k, gating), {}};
  t.output = Matrix::Zero(x.rows(), experts.front().w2.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (int c = 0; c < k; ++c) {
      const auto place = static_cast<size_t>(i * k + c);
      const auto expert = static_cast<size_t>(t.routing.experts[place]);
      const Matrix y = feed_forward(x.row(i), experts[expert]).output;
      require_same_cols("expert output", y, "output", t.output);
      for (Index j = 0; j < y.cols(); ++j)
        t.output(i, j) += t.routing.gates[place] * y(0, j);
    }
  return t;
}
// #endregion mixture_of_experts

MixtureCounts mixture_counts(double d, double d_ff, double experts, double k) {
  whole("d", d);
  whole("d_ff", d_ff);
  whole("experts", experts);
  if (whole("k", k) > experts)
    throw Error(ErrorCode::kInvalidArgument, "k is over the number of experts");
  const double dense = feed_forward_parameters(d, d_ff, false);
  return {dense, exact(experts * dense), exact(d * experts),
          exact(2 * dense * k + 2 * d * experts)};
}

}  // namespace attn
