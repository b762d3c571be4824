#pragma once

#include <attn/matrix.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attn::vectors {

using nlohmann::json;

/// One case of tests/vectors/FILE.json: `{id, input, expected}`; the file's
/// `tolerance_abs` rides along.
struct Case {
  json input;
  json expected;
  double tolerance;
};

/// @throws std::out_of_range when the file has no case `id`
Case load(const std::string& file, const std::string& id);

/// A list of rows to a matrix; "-Infinity" is −∞.
Matrix matrix(const json& rows);
/// A list of numbers to a vector; "-Infinity" is −∞.
std::vector<double> numbers(const json& list);
/// A list of numbers to a 1 × n matrix.
Matrix row(const json& list);
/// Fails the running Catch2 test, naming the first place that is further than
/// `tolerance` (absolute, or relative for values over 1) from `expected`.
void check_close(const Matrix& actual, const json& expected, double tolerance);
void check_close(double actual, const json& expected, double tolerance);
void check_close(const std::vector<double>& actual, const json& expected,
                 double tolerance);

}  // namespace attn::vectors
