#pragma once

#include <attn/counted.hpp>
#include <attn/flash.hpp>
#include <attn/matrix.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn {

inline Tally operator*(const Tally& t, std::int64_t times) {
  return {t.multiplications * times, t.additions * times, t.divisions * times,
          t.exponentials * times};
}

inline Tally& operator+=(Tally& a, const Tally& b) {
  a.multiplications += b.multiplications;
  a.additions += b.additions;
  a.divisions += b.divisions;
  a.exponentials += b.exponentials;
  return a;
}

/// The account of a run, and what one row of each work has been found to cost.
struct Ledger {
  Tally tally;
  std::map<std::pair<std::string, std::vector<Index>>, Tally> known;
};

inline MatrixOf<Counted> counting(const Matrix& m, Tally& tally) {
  MatrixOf<Counted> out(m.rows(), m.cols());
  for (Index i = 0; i < m.size(); ++i)
    out.data()[i] = Counted(m.data()[i], tally);
  return out;
}

inline Matrix values_of(const MatrixOf<Counted>& m) {
  Matrix out(m.rows(), m.cols());
  for (Index i = 0; i < m.size(); ++i) out.data()[i] = m.data()[i].value();
  return out;
}

/// The numbers of the tiles enter their operations in `tally`.
template <class Tiles, class Kernel, std::size_t... At>
void work_counting(Tally& tally, const Tiles& tiles, const Kernel& kernel,
                   std::index_sequence<At...>) {
  std::tuple copies{counting(std::get<At>(tiles).values(), tally)...};
  std::apply(kernel, copies);
  const auto put_back = [](auto& tile, const auto& copy) {
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(tile)>>)
      tile.values() = values_of(copy);
  };
  (put_back(std::get<At>(tiles), std::get<At>(copies)), ...);
}

/// The work of one row, on ones in the shape of the tiles.
template <class Rows, class Keys, class Kernel>
Tally work_of_row(const Rows& rows, const Keys& keys, const Kernel& kernel) {
  Tally tally;
  const auto ones = [&](Index height, Index width) {
    return MatrixOf<Counted>::Constant(height, width, Counted(1, tally)).eval();
  };
  const auto by_row = std::apply(
      [&](const auto&... tile) { return std::tuple{ones(1, tile.cols())...}; },
      rows);
  const auto by_key = std::apply(
      [&](const auto&... tile) {
        return std::tuple{ones(tile.rows(), tile.cols())...};
      },
      keys);
  auto operands = std::tuple_cat(by_row, by_key);
  std::apply(kernel, operands);
  return tally;
}

template <class Rows, class Keys>
std::vector<Index> shapes_of(const Rows& rows, const Keys& keys) {
  std::vector<Index> shapes;
  const auto add = [&](const auto&... tile) {
    (shapes.push_back(tile.cols()), ...);
  };
  std::apply(add, rows);
  std::apply(add, keys);
  std::apply([&](const auto&... tile) { (shapes.push_back(tile.rows()), ...); },
             keys);
  return shapes;
}

/// The arithmetic of one step. `kernel` takes the matrices of `rows`, tiles
/// with one row for each query, then those of `keys`. Without a ledger it is
/// just done; on a chip that computes it is done and counted; on a chip of
/// shapes alone, one row of it is counted and entered once for each query.
template <class Rows, class Keys, class Kernel>
void work(const Sram& sram, Ledger* ledger, std::string_view name,
          const Rows& rows, const Keys& keys, const Kernel& kernel) {
  const auto all = std::tuple_cat(rows, keys);
  if (ledger == nullptr) {
    if (sram.computing())
      std::apply([&](auto&... tile) { kernel(tile.values()...); }, all);
    return;
  }
  if (sram.computing()) {
    constexpr std::size_t kCount = std::tuple_size_v<decltype(all)>;
    work_counting(ledger->tally, all, kernel,
                  std::make_index_sequence<kCount>{});
    return;
  }
  const auto [at, is_new] = ledger->known.try_emplace(
      {std::string(name), shapes_of(rows, keys)}, Tally{});
  if (is_new) at->second = work_of_row(rows, keys, kernel);
  ledger->tally += at->second * std::get<0>(rows).rows();
}

}  // namespace attn
