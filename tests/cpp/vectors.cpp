// Catch's interface to listeners, which catch.hpp leaves out otherwise.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "vectors.hpp"

#include <catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <stdexcept>

namespace attn::vectors {
namespace {

double number(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw std::invalid_argument("not a number: " + value.dump());
}

json parsed(const std::string& name) {
  std::ifstream in(std::string(VECTORS_DIR) + "/" + name);
  if (!in) throw std::out_of_range("no vector file " + name);
  return json::parse(in);
}

/// FILE/ID of every case that a test has loaded.
std::set<std::string>& loaded() {
  static std::set<std::string> names;
  return names;
}

/// Tables that somebody published: quoted in lessons/sources.yaml, never
/// computed here.
const std::set<std::string> kPublished{
    "18_probing/hewitt_liang_table1_reference",
    "20_costs/flash_fig2_reference",
    "20_costs/flash_table20_reference",
    "20_costs/flash_table21_memory_MB",
    "23_extrapolation/alibi_table2_L512",
    "23_extrapolation/position_interpolation_table1_and_3",
    "24_head_gates_and_work/published_pruning"};

std::set<std::string> every_case() {
  std::set<std::string> names;
  const json index = parsed("index.json");
  for (const auto& entry : index) {
    const auto file = entry.at("file").get<std::string>();
    const json content = parsed(file);
    for (const auto& c : content.at("cases"))
      names.insert(file.substr(0, file.rfind('.')) + "/" +
                   c.at("id").get<std::string>());
  }
  return names;
}

/// Lines like "no test loads 00_rng/normals_seed42".
std::string gaps() {
  std::string out;
  const auto all = every_case();
  for (const auto& name : all)
    if (loaded().count(name) == kPublished.count(name))
      out += (kPublished.count(name) == 0 ? "no test loads "
                                          : "published, so not a test: ") +
             name + "\n";
  for (const auto& name : kPublished)
    if (all.count(name) == 0) out += "there is no case " + name + "\n";
  return out;
}

/// After a whole run without a failure: was every computed case compared?
class EveryCaseIsUsed : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;
  // Not testRunEnded, which a destructor calls.
  void testGroupEnded(const Catch::TestGroupStats& stats) override {
    if (m_config->hasTestFilters() || stats.aborting ||
        stats.totals.testCases.failed > 0)
      return;
    const std::string missing = gaps();
    if (!missing.empty()) throw std::logic_error("tests/vectors:\n" + missing);
  }
};
CATCH_REGISTER_LISTENER(EveryCaseIsUsed)

}  // namespace

Case load(const std::string& file, const std::string& id) {
  const json all = parsed(file + ".json");
  for (const auto& c : all.at("cases"))
    if (c.at("id") == id) {
      loaded().insert(file + "/" + id);
      return {c.at("input"), c.at("expected"), all.at("tolerance_abs")};
    }
  throw std::out_of_range("no case " + id + " in " + file);
}

Matrix matrix(const json& rows) {
  Matrix m(static_cast<Index>(rows.size()),
           rows.empty() ? 0 : static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < m.rows(); ++i) {
    const auto& r = rows.at(static_cast<size_t>(i));
    if (static_cast<Index>(r.size()) != m.cols())
      throw std::invalid_argument("ragged rows");
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = number(r.at(static_cast<size_t>(j)));
  }
  return m;
}

std::vector<double> numbers(const json& list) {
  std::vector<double> out;
  for (const auto& v : list) out.push_back(number(v));
  return out;
}

Matrix row(const json& list) {
  Matrix m(1, static_cast<Index>(list.size()));
  for (Index j = 0; j < m.cols(); ++j)
    m(0, j) = number(list.at(static_cast<size_t>(j)));
  return m;
}

void check_close(double actual, const json& expected, double tolerance) {
  const double want = number(expected);
  if (std::isinf(want)) {
    CHECK(actual == want);
    return;
  }
  INFO("expected " << want << ", got " << actual);
  CHECK(std::abs(actual - want) <= tolerance * std::max(1.0, std::abs(want)));
}

void check_close(const Matrix& actual, const json& expected, double tolerance) {
  REQUIRE(actual.rows() == static_cast<Index>(expected.size()));
  for (Index i = 0; i < actual.rows(); ++i) {
    const auto& r = expected.at(static_cast<size_t>(i));
    REQUIRE(actual.cols() == static_cast<Index>(r.size()));
    for (Index j = 0; j < actual.cols(); ++j) {
      INFO("row " << i << ", column " << j);
      check_close(actual(i, j), r.at(static_cast<size_t>(j)), tolerance);
    }
  }
}

void check_close(const std::vector<double>& actual, const json& expected,
                 double tolerance) {
  REQUIRE(actual.size() == expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    INFO("place " << i);
    check_close(actual[i], expected.at(i), tolerance);
  }
}

}  // namespace attn::vectors
