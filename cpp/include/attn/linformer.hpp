#pragma once

#include <attn/counted.hpp>
#include <attn/matrix.hpp>
#include <attn/spread.hpp>
#include <cstdint>

/// Attention to k slots instead of m tokens: two matrices E and F, k × m,
/// multiply the keys and the values from the left, along the sequence. The
/// width of a token is untouched.
///
/// Shapes: q n × d, k m × d, v m × d_v, e and f s × m (s slots; the paper's k),
/// so scores and weights are n × s and the output n × d_v.
/// Convention: scores are divided by √d. The paper prints E as n × k and uses
/// it as k × n. There is no mask: a slot mixes past and future, see
/// linformer_leak.
/// Limit: every matrix, inputs and intermediates, has at most kReferenceLimit
/// numbers.
///
/// Source: Wang et al. 2020, "Linformer", equation (7) and Theorem 1.
namespace attn {

struct LinformerTrace {
  Matrix projected_keys;    ///< E·K, s × d
  Matrix projected_values;  ///< F·V, s × d_v
  Matrix scores;            ///< Q·(E·K)ᵀ / √d, n × s
  Matrix weights;           ///< softmax of each row, n × s
  Matrix output;            ///< weights·(F·V), n × d_v
};

/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kShapeMismatch; kDiverged
/// when an intermediate overflows
LinformerTrace linformer_attention(const Matrix& q, const Matrix& k,
                                   const Matrix& v, const Matrix& e,
                                   const Matrix& f);

/// Each slot is the mean of a run of neighbours; the runs differ in length by
/// one at most, and every row sums to 1.
/// @throws Error kInvalidArgument unless 1 ≤ slots ≤ tokens, kTooLarge
Matrix mean_pool_projection(Index slots, Index tokens);
/// One slot for each token: exact attention.
/// @throws Error kInvalidArgument unless tokens ≥ 1, kTooLarge
Matrix identity_projection(Index tokens);
/// Independent normals of variance 1/slots, so that EᵀE is the identity on
/// average (Johnson–Lindenstrauss, as in the proof of Theorem 1).
/// @throws Error kInvalidArgument unless slots, tokens ≥ 1, kTooLarge
Matrix random_projection(Index slots, Index tokens, std::uint32_t seed);

/// How far the output is from exact attention, as the largest difference of a
/// place, over `draws` random projections; draw i uses seed `seed` + i (modulo
/// 2^32) and one matrix for both, E = F.
/// @throws Error as linformer_attention and random_projection; kInvalidArgument
/// unless draws ≥ 1; kTooLarge when draws · slots · tokens > 2^26
Spread linformer_errors(const Matrix& q, const Matrix& k, const Matrix& v,
                        Index slots, Index draws, std::uint32_t seed);

/// The same attention before and after one token changed.
struct LinformerLeak {
  Matrix before;  ///< output, n × d_v
  Matrix after;
  Matrix change;  ///< n × 1: the largest |after − before| of each row
};

/// Token `token` (from 0) gets the key `k_row`, 1 × d, and the value `v_row`,
/// 1 × d_v. A causal layer would leave the rows before `token` as they were.
/// @throws Error as linformer_attention; kInvalidArgument for a token that k
/// does not have
LinformerLeak linformer_leak(const Matrix& q, const Matrix& k, const Matrix& v,
                             const Matrix& e, const Matrix& f, Index token,
                             const Matrix& k_row, const Matrix& v_row);

/// What n tokens cost with `slots` slots, against exact attention.
struct LinformerCost {
  double exact_entries = 0;          ///< n², weights
  double linformer_entries = 0;      ///< n·s
  double ratio = 0;                  ///< n / s
  double projection_parameters = 0;  ///< 2·s·n in E and F, which ties them to n
};

/// @throws Error kInvalidArgument unless n and slots are whole and ≥ 1;
/// kTooLarge when a result would exceed 2^53
LinformerCost linformer_cost(double n, double slots);

/// What linformer_attention does on n tokens of width d, by running it on
/// numbers that count: 4·n·s·d multiplications, n·s exponentials, and so on.
/// Limit: 4·n·s·d ≤ 2^24.
/// @throws Error kInvalidArgument for a size below 1, kTooLarge
Tally linformer_operations(Index n, Index slots, Index d);

/// 5·ln n / (ε² − ε³): how many slots Theorem 1 asks for.
/// @throws Error kInvalidArgument unless n ≥ 2 is finite and 0 < eps < 1
double linformer_theorem_slots(double n, double eps);

}  // namespace attn
