#include <algorithm>
#include <attn/bleu.hpp>
#include <attn/error.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace attn {
namespace {

constexpr size_t kTokenLimit = 10000;
constexpr int kOrderLimit = 8;

using Counts = std::map<Tokens, int>;

Counts ngrams(const Tokens& tokens, int n) {
  Counts counts;
  const auto width = static_cast<std::ptrdiff_t>(n);
  for (auto from = tokens.begin(); tokens.end() - from >= width; ++from)
    ++counts[Tokens(from, from + width)];
  return counts;
}

void check(const Tokens& candidate, const std::vector<Tokens>& references,
           int order) {
  if (order < 1 || order > kOrderLimit)
    throw Error(ErrorCode::kInvalidArgument, "order must be 1 to 8");
  if (candidate.empty() || references.empty())
    throw Error(ErrorCode::kEmptyInput,
                "a candidate and a reference are needed");
  for (const Tokens& r : references)
    if (r.empty()) throw Error(ErrorCode::kEmptyInput, "a reference is empty");
  size_t longest = candidate.size();
  for (const Tokens& r : references) longest = std::max(longest, r.size());
  if (longest > kTokenLimit)
    throw Error(ErrorCode::kTooLarge, "over 10,000 tokens");
}

// #region clipped_matches
NgramPrecision clipped_matches(const Tokens& candidate,
                               const std::vector<Tokens>& references, int n) {
  Counts most;
  for (const Tokens& r : references)
    for (const auto& [gram, count] : ngrams(r, n))
      most[gram] = std::max(most[gram], count);
  NgramPrecision p{0, 0};
  for (const auto& [gram, count] : ngrams(candidate, n)) {
    p.total += count;
    const auto found = most.find(gram);
    if (found != most.end()) p.clipped += std::min(count, found->second);
  }
  return p;
}
// #endregion clipped_matches

int closest_length(size_t length, const std::vector<Tokens>& references) {
  const auto c = static_cast<int>(length);
  auto key = [&](const Tokens& r) {
    const auto n = static_cast<int>(r.size());
    return std::pair{std::abs(n - c), n};
  };
  const auto best = std::min_element(
      references.begin(), references.end(),
      [&](const Tokens& a, const Tokens& b) { return key(a) < key(b); });
  return static_cast<int>(best->size());
}

// #region bleu_score
Bleu score(std::vector<NgramPrecision> precisions, int candidate_length,
           int reference_length) {
  const double c = candidate_length;
  const double penalty = candidate_length > reference_length
                             ? 1.0
                             : std::exp(1 - reference_length / c);
  double log_sum = 0;
  for (const auto& p : precisions) {
    if (p.clipped == 0)
      return {std::move(precisions), penalty, reference_length, 0};
    log_sum += std::log(static_cast<double>(p.clipped) / p.total);
  }
  const auto order = static_cast<double>(precisions.size());
  return {std::move(precisions), penalty, reference_length,
          penalty * std::exp(log_sum / order)};
}
// #endregion bleu_score

using LinkSet = std::set<std::pair<int, int>>;

LinkSet as_set(const std::vector<Link>& links) {
  LinkSet set;
  for (const Link& l : links) set.insert({l.target, l.source});
  return set;
}

double shared(const LinkSet& a, const LinkSet& b) {
  return static_cast<double>(
      std::count_if(a.begin(), a.end(),
                    [&](const auto& link) { return b.count(link) != 0; }));
}

}  // namespace

Bleu bleu(const Tokens& candidate, const std::vector<Tokens>& references,
          int order) {
  return corpus_bleu({candidate}, {references}, order);
}

Bleu corpus_bleu(const std::vector<Tokens>& candidates,
                 const std::vector<std::vector<Tokens>>& references,
                 int order) {
  if (candidates.size() != references.size())
    throw Error(ErrorCode::kShapeMismatch,
                std::to_string(candidates.size()) + " candidates but " +
                    std::to_string(references.size()) + " reference lists");
  if (candidates.empty())
    throw Error(ErrorCode::kEmptyInput, "there is no candidate");
  int candidate_length = 0;
  int reference_length = 0;
  std::vector<NgramPrecision> sums;
  for (size_t i = 0; i < candidates.size(); ++i) {
    check(candidates[i], references[i], order);
    candidate_length += static_cast<int>(candidates[i].size());
    reference_length += closest_length(candidates[i].size(), references[i]);
    sums.resize(static_cast<size_t>(order), {0, 0});
    for (int n = 1; n <= order; ++n) {
      const auto p = clipped_matches(candidates[i], references[i], n);
      sums[static_cast<size_t>(n - 1)].clipped += p.clipped;
      sums[static_cast<size_t>(n - 1)].total += p.total;
    }
  }
  return score(std::move(sums), candidate_length, reference_length);
}

std::vector<Link> argmax_links(const Matrix& weights) {
  require_valid("weights", weights);
  std::vector<Link> links;
  for (Index i = 0; i < weights.rows(); ++i) {
    Index best = 0;
    for (Index j = 1; j < weights.cols(); ++j)
      if (weights(i, j) > weights(i, best)) best = j;
    links.push_back({static_cast<int>(i), static_cast<int>(best)});
  }
  return links;
}

double alignment_error_rate(const std::vector<Link>& links,
                            const std::vector<Link>& sure,
                            const std::vector<Link>& possible) {
  const LinkSet a = as_set(links);
  const LinkSet s = as_set(sure);
  LinkSet p = as_set(possible);
  p.insert(s.begin(), s.end());
  if (a.empty() && s.empty())
    throw Error(ErrorCode::kEmptyInput, "there are no links");
  return 1 - (shared(a, s) + shared(a, p)) /
                 static_cast<double>(a.size() + s.size());
}

}  // namespace attn
