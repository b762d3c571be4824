#include "vectors.hpp"

#include <catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace attn::vectors {
namespace {

double number(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw std::invalid_argument("not a number: " + value.dump());
}

}  // namespace

Case load(const std::string& file, const std::string& id) {
  std::ifstream in(std::string(VECTORS_DIR) + "/" + file + ".json");
  if (!in) throw std::out_of_range("no vector file " + file);
  const json all = json::parse(in);
  for (const auto& c : all.at("cases"))
    if (c.at("id") == id)
      return {c.at("input"), c.at("expected"), all.at("tolerance_abs")};
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
  CHECK(std::abs(actual - want) <=
        tolerance * std::max(1.0, std::abs(want)));
}

void check_close(const Matrix& actual, const json& expected,
                 double tolerance) {
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
