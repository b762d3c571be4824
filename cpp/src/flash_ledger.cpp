#include "flash_ledger.hpp"

#include <algorithm>
#include <cstdint>

namespace attn {
namespace {

void add(Tally& to, const Tally& t, std::int64_t times) {
  to.multiplications += t.multiplications * times;
  to.additions += t.additions * times;
  to.divisions += t.divisions * times;
  to.exponentials += t.exponentials * times;
}

template <class T>
std::vector<MatrixOf<T>*> pointers(std::vector<MatrixOf<T>>& matrices) {
  std::vector<MatrixOf<T>*> all;
  all.reserve(matrices.size());
  for (MatrixOf<T>& m : matrices) all.push_back(&m);
  return all;
}

MatrixOf<Counted> counting(const Matrix& m, Tally& tally) {
  MatrixOf<Counted> out(m.rows(), m.cols());
  for (Index i = 0; i < m.size(); ++i)
    out.data()[i] = Counted(m.data()[i], tally);
  return out;
}

/// The numbers of the tiles enter their operations in `tally`.
void count_numbers(Tally& tally, const std::vector<Tile*>& tiles,
                   const Kernel& kernel) {
  std::vector<MatrixOf<Counted>> copies;
  copies.reserve(tiles.size());
  for (const Tile* tile : tiles)
    copies.push_back(counting(tile->values(), tally));
  kernel.on_counted(pointers(copies).data());
  for (std::size_t t = 0; t < tiles.size(); ++t)
    for (Index i = 0; i < copies[t].size(); ++i)
      tiles[t]->values().data()[i] = copies[t].data()[i].value();
}

Tally work_of_row(const std::vector<std::pair<Index, Index>>& shapes,
                  const Kernel& kernel) {
  Tally tally;
  std::vector<MatrixOf<Counted>> ones;
  ones.reserve(shapes.size());
  for (const auto& [rows, cols] : shapes)
    ones.push_back(counting(Matrix::Ones(rows, cols), tally));
  kernel.on_counted(pointers(ones).data());
  return tally;
}

void count_shapes(Ledger& ledger, const std::vector<Tile*>& rows,
                  const std::vector<Tile*>& keys, const Kernel& kernel) {
  std::vector<std::pair<Index, Index>> shapes;
  shapes.reserve(rows.size() + keys.size());
  for (const Tile* tile : rows) shapes.emplace_back(1, tile->cols());
  for (const Tile* tile : keys) shapes.emplace_back(tile->rows(), tile->cols());
  auto at =
      std::find_if(ledger.known.begin(), ledger.known.end(),
                   [&](const Ledger::Known& known) {
                     return known.work == kernel.name && known.shapes == shapes;
                   });
  if (at == ledger.known.end())
    at = ledger.known.insert(
        at, {kernel.name, shapes, work_of_row(shapes, kernel)});
  add(ledger.tally, at->row, rows.front()->rows());
}

}  // namespace

void work_on(const Sram& sram, Ledger* ledger, const std::vector<Tile*>& rows,
             const std::vector<Tile*>& keys, const Kernel& kernel) {
  if (!sram.computing()) {
    count_shapes(*ledger, rows, keys, kernel);
    return;
  }
  std::vector<Tile*> tiles = rows;
  tiles.insert(tiles.end(), keys.begin(), keys.end());
  if (ledger != nullptr) {
    count_numbers(ledger->tally, tiles, kernel);
    return;
  }
  std::vector<Matrix*> all;
  all.reserve(tiles.size());
  for (Tile* tile : tiles) all.push_back(&tile->values());
  kernel.on_numbers(all.data());
}

}  // namespace attn
