#pragma once

#include <attn/counted.hpp>
#include <attn/flash.hpp>
#include <attn/matrix.hpp>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

/// The account of a run, and what one row of each work has been found to cost:
/// few works, so that looking through them is quicker than a map.
struct Ledger {
  struct Known {
    std::string_view work;
    std::vector<std::pair<Index, Index>> shapes;
    Tally row;
  };
  Tally tally;
  std::vector<Known> known;
};

template <class T>
using Operands = MatrixOf<T>* const*;

/// One piece of arithmetic, on numbers or on numbers that count.
struct Kernel {
  std::string_view name;
  std::function<void(Operands<double>)> on_numbers;
  std::function<void(Operands<Counted>)> on_counted;
};

/// `work` is a generic lambda over the scalar.
template <class Work>
Kernel kernel(std::string_view name, const Work& work) {
  return {name, [&work](Operands<double> m) { work(m); },
          [&work](Operands<Counted> m) { work(m); }};
}

/// The arithmetic of one step on the matrices of `rows`, tiles with one row for
/// each query, then those of `keys`. Without a ledger it is just done; on a
/// chip that computes it is done and counted; on a chip of shapes alone, one
/// row of it is counted, on ones, and entered once for each query.
void work_on(const Sram& sram, Ledger* ledger, const std::vector<Tile*>& rows,
             const std::vector<Tile*>& keys, const Kernel& kernel);

template <class Work>
void work(const Sram& sram, Ledger* ledger, std::string_view name,
          std::initializer_list<Tile*> rows, std::initializer_list<Tile*> keys,
          const Work& lambda) {
  if (ledger == nullptr && !sram.computing()) return;
  work_on(sram, ledger, rows, keys, kernel(name, lambda));
}

}  // namespace attn
