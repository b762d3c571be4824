#pragma once

#include <attn/matrix.hpp>
#include <string>
#include <vector>

namespace attn {

using Tokens = std::vector<std::string>;

/// How many n-grams of the candidate occur in a reference, each counted at most
/// as often as in the reference that has it most.
struct NgramPrecision {
  int clipped;
  int total;
};

struct Bleu {
  std::vector<NgramPrecision> precisions;  ///< 1-grams first
  double brevity_penalty;  ///< 1, or exp(1 − r/c) when the candidate is shorter
  int reference_length;    ///< the one closest to the candidate; ties shorter
  double score;  ///< 0 … 1, unsmoothed: 0 as soon as one precision is
};

/// BLEU of one sentence, without smoothing (Papineni et al. 2002). The scores
/// that papers report are of a whole corpus: use `corpus_bleu`.
///
/// @param order  largest n, 1 … 8
/// @throws Error kEmptyInput (no candidate token, no reference, an empty one),
///   kInvalidArgument (order), kTooLarge (over 10,000 tokens)
Bleu bleu(const Tokens& candidate, const std::vector<Tokens>& references,
          int order = 4);

/// Matches and totals are added over all sentences before dividing.
/// @throws Error as bleu; kShapeMismatch when the two lists differ in length
Bleu corpus_bleu(const std::vector<Tokens>& candidates,
                 const std::vector<std::vector<Tokens>>& references,
                 int order = 4);

/// A link between a target word and a source word.
struct Link {
  int target;
  int source;
};

/// Each row's largest weight (ties: the first) taken as its link.
/// @param weights  target × source
/// @throws Error kEmptyInput, kNotFinite, kTooLarge
std::vector<Link> argmax_links(const Matrix& weights);

/// Alignment error rate 1 − (|A∩S| + |A∩P|) / (|A| + |S|) (Och & Ney 2003).
/// Every sure link counts as possible too; repeated links count once.
/// @throws Error kEmptyInput when both `links` and `sure` are empty
double alignment_error_rate(const std::vector<Link>& links,
                            const std::vector<Link>& sure,
                            const std::vector<Link>& possible = {});

}  // namespace attn
