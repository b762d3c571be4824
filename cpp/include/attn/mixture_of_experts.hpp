#pragma once

#include <attn/feed_forward.hpp>
#include <attn/matrix.hpp>
#include <vector>

namespace attn {

/// How the gates of the k chosen experts are made from the router's numbers.
enum class Gating {
  kRaw,           ///< their shares of the softmax over all experts (Switch)
  kRenormalised,  ///< those shares divided by their sum (GShard); equal to the
                  ///< softmax over the kept logits alone (Shazeer et al. 2017)
};

/// Which experts each token goes to. Token by token, best first; a tie goes to
/// the lower index.
struct Routing {
  Matrix probabilities;       ///< tokens × experts, softmax of each row
  std::vector<int> experts;   ///< tokens · k, row by row
  std::vector<double> gates;  ///< tokens · k, of those experts
  int k = 1;
};

/// Top-k routing (Shazeer et al. 2017, eq. 3–5; Fedus et al. 2022, eq. 1–2).
///
/// @param logits  tokens × experts
/// @param k       1 … experts
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kInvalidArgument
Routing route_tokens(const Matrix& logits, int k, Gating gating);

/// The auxiliary losses that keep a router from collapsing.
struct BalanceLoss {
  std::vector<double>
      fraction;  ///< f: share of tokens whose first choice it is
  std::vector<double> probability;  ///< P: mean probability of each expert
  double switch_loss;  ///< α · N · Σ f·P (Fedus et al. 2022, eq. 4); α when
                       ///< uniform
  double gshard_loss;  ///< Σ f·P / N (Lepikhin et al. 2020, via fairscale)
  std::vector<double> importance;  ///< Σ over tokens of each probability
  double importance_cv2;  ///< squared coefficient of variation, population
                          ///< variance (Shazeer et al. 2017, eq. 6–7)
};

/// @param probabilities  tokens × experts, each row a distribution
/// @param alpha          ≥ 0; 0.01 in Switch
/// @throws Error kEmptyInput, kNotFinite, kTooLarge, kInvalidArgument (a
///   negative number, a row that does not sum to 1 within 1e-9)
BalanceLoss balance_loss(const Matrix& probabilities, double alpha);

/// Who finds room. Tokens are served in order; one that comes to a full expert
/// is dropped and keeps only its residual path.
struct Dispatch {
  int capacity;            ///< ⌊tokens / experts · factor⌋
  std::vector<bool> kept;  ///< per token
  std::vector<int> load;   ///< per expert, including the dropped
};

/// @param first_choice  expert of each token
/// @param factor        capacity factor, > 0
/// @throws Error kEmptyInput, kInvalidArgument
Dispatch dispatch_tokens(const std::vector<int>& first_choice, int experts,
                         double factor);

/// y = Σ gate · expert(x) over the k experts of each token.
///
/// @param x       tokens × d
/// @param router  d × experts
/// @throws Error kShapeMismatch, kEmptyInput, kNotFinite, kTooLarge,
///   kInvalidArgument (as many experts as router columns, k in range)
struct MixtureTrace {
  Routing routing;
  Matrix output;  ///< tokens × d
};
MixtureTrace mixture_of_experts(const Matrix& x, const Matrix& router,
                                const std::vector<FeedForward>& experts, int k,
                                Gating gating);

/// Parameters and arithmetic of a layer without biases; exact up to 2^53.
struct MixtureCounts {
  double dense_parameters;   ///< 2·d·d_ff
  double expert_parameters;  ///< experts · 2·d·d_ff
  double router_parameters;  ///< d · experts
  double flops_per_token;    ///< 4·k·d·d_ff + 2·d·experts
};
/// @throws Error kInvalidArgument, kTooLarge
MixtureCounts mixture_counts(double d, double d_ff, double experts, double k);

}  // namespace attn
