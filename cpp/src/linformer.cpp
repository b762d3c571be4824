#include <algorithm>
#include <attn/attention.hpp>
#include <attn/error.hpp>
#include <attn/linformer.hpp>
#include <attn/rng.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "linformer_passes.hpp"

namespace attn {
namespace {

void require_shapes(const Matrix& q, const Matrix& k, const Matrix& v,
                    const Matrix& e, const Matrix& f) {
  require_valid("q", q);
  require_valid("k", k);
  require_valid("v", v);
  require_valid("e", e);
  require_valid("f", f);
  require_same_cols("q", q, "k", k);
  require_same_rows("k", k, "v", v);
  require_product("e", e, "k", k);
  require_product("f", f, "v", v);
  require_same_rows("e", e, "f", f);
  require_size("e times k", e.rows(), k.cols());
  require_size("f times v", f.rows(), v.cols());
  require_size("scores", q.rows(), e.rows());
  require_size("output", q.rows(), v.cols());
}

void require_slots(Index slots, Index tokens) {
  require_count("slots", slots, 1, kReferenceLimit);
  require_count("tokens", tokens, 1, kReferenceLimit);
  require_size("the projection", slots, tokens);
}

void require_whole(const char* name, double value) {
  require_finite_number(name, value);
  if (value < 1 || value != std::floor(value))
    throw Error(ErrorCode::kInvalidArgument,
                std::string(name) + " is not a whole number from 1");
}

double exact_count(double value) {
  constexpr double kLargest = 9007199254740992.0;  // 2^53
  if (value > kLargest)
    throw Error(ErrorCode::kTooLarge, "a count is over 2^53");
  return value;
}

}  // namespace

LinformerTrace linformer_attention(const Matrix& q, const Matrix& k,
                                   const Matrix& v, const Matrix& e,
                                   const Matrix& f) {
  require_shapes(q, k, v, e, f);
  LinformerPasses<double> t = linformer_passes(q, k, v, e, f);
  require_no_overflow("projected_keys", t.projected_keys);
  require_no_overflow("projected_values", t.projected_values);
  require_no_overflow("scores", t.scores);
  require_no_overflow("output", t.output);
  return {std::move(t.projected_keys), std::move(t.projected_values),
          std::move(t.scores), std::move(t.weights), std::move(t.output)};
}

// #region mean_pool_projection
Matrix mean_pool_projection(Index slots, Index tokens) {
  require_slots(slots, tokens);
  require_between("slots", slots, 1, tokens);
  Matrix e = Matrix::Zero(slots, tokens);
  for (Index s = 0; s < slots; ++s) {
    const Index first = s * tokens / slots;
    const Index last = (s + 1) * tokens / slots;
    for (Index j = first; j < last; ++j)
      e(s, j) = 1.0 / static_cast<double>(last - first);
  }
  return e;
}
// #endregion mean_pool_projection

Matrix identity_projection(Index tokens) {
  require_slots(tokens, tokens);
  return Matrix::Identity(tokens, tokens);
}

// #region random_projection
Matrix random_projection(Index slots, Index tokens, std::uint32_t seed) {
  require_slots(slots, tokens);
  Rng rng(seed);
  const double size = 1.0 / std::sqrt(static_cast<double>(slots));
  Matrix e(slots, tokens);
  for (Index s = 0; s < slots; ++s)
    for (Index j = 0; j < tokens; ++j) e(s, j) = size * rng.normal();
  return e;
}
// #endregion random_projection

// #region linformer_errors
Spread linformer_errors(const Matrix& q, const Matrix& k, const Matrix& v,
                        Index slots, Index draws, std::uint32_t seed) {
  constexpr Index kMostNormals = Index{1} << 26;
  require_count("draws", draws, 1, kMostNormals);
  require_slots(slots, k.rows());
  require_size("all projections", draws, slots * k.rows(), kMostNormals);
  const Matrix exact = attention(q, k, v).output;
  std::vector<double> errors;
  for (Index i = 0; i < draws; ++i) {
    const Matrix e = random_projection(slots, k.rows(),
                                       seed + static_cast<std::uint32_t>(i));
    errors.push_back(max_gap(linformer_attention(q, k, v, e, e).output, exact));
  }
  return spread_of(errors);
}
// #endregion linformer_errors

LinformerLeak linformer_leak(const Matrix& q, const Matrix& k, const Matrix& v,
                             const Matrix& e, const Matrix& f, Index token,
                             const Matrix& k_row, const Matrix& v_row) {
  require_shapes(q, k, v, e, f);
  require_between("token", token, 0, k.rows() - 1);
  require_shape("k_row", k_row, 1, k.cols());
  require_shape("v_row", v_row, 1, v.cols());
  Matrix changed_k = k;
  Matrix changed_v = v;
  changed_k.row(token) = k_row;
  changed_v.row(token) = v_row;
  LinformerLeak leak;
  leak.before = linformer_attention(q, k, v, e, f).output;
  leak.after = linformer_attention(q, changed_k, changed_v, e, f).output;
  leak.change = Matrix::Zero(q.rows(), 1);
  for (Index i = 0; i < q.rows(); ++i)
    for (Index c = 0; c < v.cols(); ++c)
      leak.change(i, 0) = std::max(
          leak.change(i, 0), std::abs(leak.after(i, c) - leak.before(i, c)));
  return leak;
}

Tally linformer_operations(Index n, Index slots, Index d) {
  constexpr Index kCountingLimit = Index{1} << 24;
  require_count("n", n, 1, kCountingLimit);
  require_count("slots", slots, 1, kCountingLimit);
  require_count("d", d, 1, kCountingLimit);
  require_size("n times slots", n, slots, kCountingLimit);
  require_size("the work", n * slots, d, kCountingLimit / 4);
  Tally tally;
  const auto ones = [&](Index rows, Index cols) {
    return MatrixOf<Counted>::Constant(rows, cols, Counted(1, tally)).eval();
  };
  linformer_passes<Counted>(ones(n, d), ones(n, d), ones(n, d), ones(slots, n),
                            ones(slots, n));
  return tally;
}

LinformerCost linformer_cost(double n, double slots) {
  require_whole("n", n);
  require_whole("slots", slots);
  return {exact_count(n * n), exact_count(n * slots), n / slots,
          exact_count(2 * slots * n)};
}

double linformer_theorem_slots(double n, double eps) {
  require_finite_number("n", n);
  require_finite_number("eps", eps);
  if (n < 2 || eps <= 0 || eps >= 1)
    throw Error(ErrorCode::kInvalidArgument,
                "n must be 2 or more and eps between 0 and 1");
  return 5 * std::log(n) / (eps * eps - eps * eps * eps);
}

}  // namespace attn
