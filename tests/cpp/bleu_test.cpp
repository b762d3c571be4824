// bleu: clipping, brevity, the brittleness of one sentence, and the alignment
// error of attention weights (vectors 17).
#include <attn/bleu.hpp>
#include <attn/error.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Link;
using attn::Tokens;
using attn::vectors::check_close;
using attn::vectors::json;
using attn::vectors::load;

namespace {

struct Sentence {
  Tokens candidate;
  std::vector<Tokens> references;
};

Sentence sentence(const json& in) {
  Sentence s{in.at("candidate").get<Tokens>(), {}};
  for (const auto& r : in.at("references"))
    s.references.push_back(r.get<Tokens>());
  return s;
}

void check_precisions(const attn::Bleu& b, const json& want) {
  REQUIRE(b.precisions.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    CHECK(b.precisions[i].clipped == want.at(i).at(0).get<int>());
    CHECK(b.precisions[i].total == want.at(i).at(1).get<int>());
  }
}

Tokens random_sentence(attn::Rng& rng, int words) {
  Tokens t;
  const int n = 1 + rng.below(9);
  for (int i = 0; i < n; ++i) t.push_back(std::to_string(rng.below(words)));
  return t;
}

}  // namespace

TEST_CASE("seven times the same word scores two of seven", "[bleu][vectors]") {
  const auto c = load("17_bleu_alignment", "papineni_the");
  const auto s = sentence(c.input);
  check_precisions(attn::bleu(s.candidate, s.references, 2),
                   json::array({c.expected.at("p1"), c.expected.at("p2")}));
}

TEST_CASE("one wrong word in six brings BLEU-4 of a sentence to zero",
          "[bleu][vectors]") {
  const auto c = load("17_bleu_alignment", "one_word_wrong");
  const auto s = sentence(c.input);
  const auto b = attn::bleu(s.candidate, s.references);
  check_precisions(b, c.expected.at("precisions"));
  check_close(b.brevity_penalty, c.expected.at("bp"), c.tolerance);
  check_close(b.score, c.expected.at("bleu4"), c.tolerance);
  check_close(attn::bleu(s.candidate, s.references, 2).score,
              c.expected.at("bleu2"), c.tolerance);
}

TEST_CASE("a short candidate pays for its brevity", "[bleu][vectors]") {
  const auto c = load("17_bleu_alignment", "short_candidate_zh_chars");
  const auto s = sentence(c.input);
  const auto b = attn::bleu(s.candidate, s.references);
  check_precisions(b, c.expected.at("precisions"));
  check_close(b.brevity_penalty, c.expected.at("bp"), c.tolerance);
  check_close(b.score, c.expected.at("bleu4"), c.tolerance);
}

TEST_CASE("a sentence translates itself perfectly", "[bleu][vectors]") {
  const auto c = load("17_bleu_alignment", "identical");
  const auto s = sentence(c.input);
  const auto b = attn::bleu(s.candidate, s.references);
  check_close(b.brevity_penalty, c.expected.at("bp"), c.tolerance);
  check_close(b.score, c.expected.at("bleu4"), c.tolerance);
}

TEST_CASE("links at the largest weights agree with the sure ones",
          "[bleu][vectors]") {
  const auto c = load("17_bleu_alignment", "argmax_alignment_aer");
  const auto links = attn::argmax_links(
      attn::vectors::matrix(c.input.at("weights_target_by_source")));
  const auto& want = c.expected.at("links");
  REQUIRE(links.size() == want.size());
  std::vector<Link> sure;
  for (size_t i = 0; i < links.size(); ++i) {
    CHECK(links[i].target == want.at(i).at(0).get<int>());
    CHECK(links[i].source == want.at(i).at(1).get<int>());
    const auto& s = c.input.at("sure_links_target_source").at(i);
    sure.push_back({s.at(0), s.at(1)});
  }
  check_close(attn::alignment_error_rate(links, sure), c.expected.at("aer"),
              c.tolerance);
  CHECK(attn::alignment_error_rate({{0, 1}}, {{0, 0}}) == 1);
  CHECK(attn::alignment_error_rate({{0, 0}, {0, 1}}, {{0, 0}}, {{0, 1}}) == 0);
}

TEST_CASE("a score lies in 0 to 1 and never falls when a reference is added",
          "[bleu][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Tokens candidate = random_sentence(rng, 4);
    const Tokens r1 = random_sentence(rng, 4);
    const int order = 1 + rng.below(4);
    const auto one = attn::bleu(candidate, {r1}, order);
    REQUIRE(one.score >= 0);
    REQUIRE(one.score <= 1);
    const auto two = attn::bleu(candidate, {r1, candidate}, order);
    REQUIRE(two.score >= one.score - 1e-12);
    if (static_cast<int>(candidate.size()) >= order)
      REQUIRE(two.score == Approx(1));
  }
}

TEST_CASE("a corpus is not the mean of its sentences", "[bleu]") {
  const Tokens a{"the", "cat", "sat", "on", "the", "mat"};
  const Tokens ra{"the", "cat", "is", "on", "the", "mat"};
  const Tokens b{"a", "dog", "ran", "in", "the", "park"};
  const auto corpus = attn::corpus_bleu({a, b}, {{ra}, {b}});
  CHECK(corpus.precisions.at(3).clipped == 3);
  CHECK(corpus.precisions.at(3).total == 6);
  const double mean =
      (attn::bleu(a, {ra}).score + attn::bleu(b, {b}).score) / 2;
  CHECK(corpus.score > mean);
}

TEST_CASE("missing sentences and wild orders are refused by code",
          "[bleu][error]") {
  const Tokens one{"a"};
  CHECK(refuses(ErrorCode::kEmptyInput, [&] { attn::bleu({}, {one}); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [&] { attn::bleu(one, {}); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [&] { attn::bleu(one, {{}}); }));
  CHECK(
      refuses(ErrorCode::kInvalidArgument, [&] { attn::bleu(one, {one}, 0); }));
  CHECK(
      refuses(ErrorCode::kInvalidArgument, [&] { attn::bleu(one, {one}, 9); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [&] { attn::bleu(Tokens(10001, "a"), {one}); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::corpus_bleu({one}, {}); }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::alignment_error_rate({}, {}); }));
}
