#pragma once

#include <attn/matrix.hpp>
#include <attn/rng.hpp>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

/// The same numbers from the native program and from WebAssembly, compared by
/// tests/core/parity.test.ts. Each stem registers its functions in a file of
/// its own, tests/cpp/STEM_parity.cpp:
///
///   PARITY(softmax_rows, kFourUlp) {
///     return {attn::softmax_rows(parity::any_matrix(rng, 1, 9, 1, 9))};
///   }
///
/// The body is run for many seeds; `rng` is seeded anew for each. Draw from
/// uniforms, since normals already differ in their last places; and never twice
/// in the arguments of one call, whose order differs between compilers: in
/// InOrder's braces it does not.
namespace parity {

enum class Agreement {
  kBits,     ///< + − × ÷ √ and comparisons alone: equal in every bit
  kFourUlp,  ///< through exp, log, sin, …: 4 units in the last place
  kStack     ///< cancellation or layers after those: 1e-12 of the largest
};

/// rows × cols numbers in [−2, 2).
attn::Matrix matrix(attn::Rng& rng, attn::Index rows, attn::Index cols);
/// The same, with the shape drawn from these ranges.
attn::Matrix any_matrix(attn::Rng& rng, int rows_from, int rows_to,
                        int cols_from, int cols_to);
attn::Matrix matrix_like(attn::Rng& rng, const attn::Matrix& shape);

/// InOrder{f, a, b}.result is f(a, b) with a evaluated before b.
template <class F, class... A>
struct InOrder {
  explicit InOrder(F f, A... a) : result(f(a...)) {}
  std::invoke_result_t<F, A...> result;
};

/// Whatever a function returns, flattened.
class Numbers {
 public:
  Numbers() = default;
  template <class... T>
  Numbers(const T&... parts) {  // NOLINT(google-explicit-constructor)
    (add(parts), ...);
  }
  void add(double x) { list_.push_back(x); }
  void add(const attn::Matrix& m) {
    for (attn::Index i = 0; i < m.rows(); ++i)
      for (attn::Index j = 0; j < m.cols(); ++j) add(m(i, j));
  }
  void add(const attn::MatrixOf<bool>& m) {
    add(attn::Matrix(m.cast<double>()));
  }
  template <class T>
  void add(const std::vector<T>& list) {
    for (const auto& x : list) add(static_cast<T>(x));
  }
  void add(const Numbers& other) { add(other.list_); }
  [[nodiscard]] const std::vector<double>& list() const { return list_; }

 private:
  std::vector<double> list_;
};

using Body = std::function<Numbers(attn::Rng& rng)>;

/// Returns true, so that a static variable can hold the registration.
bool enter(std::string name, Agreement agreement, Body body);

}  // namespace parity

#define PARITY(NAME, AGREEMENT)                                             \
  static parity::Numbers parity_of_##NAME(attn::Rng& rng);                  \
  static const bool parity_entered_##NAME =                                 \
      parity::enter(#NAME, parity::Agreement::AGREEMENT, parity_of_##NAME); \
  static parity::Numbers parity_of_##NAME([[maybe_unused]] attn::Rng& rng)
