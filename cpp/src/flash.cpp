#include <algorithm>
#include <attn/error.hpp>
#include <attn/flash.hpp>
#include <cmath>
#include <string>
#include <utility>

#include "arguments.hpp"
#include "flash_ledger.hpp"
#include "flash_passes.hpp"

namespace attn {
namespace {

/// Index has 32 bits in WebAssembly; a count must not.
std::int64_t area(Index rows, Index cols) {
  return static_cast<std::int64_t>(rows) * cols;
}

std::vector<Span> spans(Index rows, Index block) {
  std::vector<Span> all;
  for (Index first = 0; first < rows; first += block)
    all.push_back({first, std::min(block, rows - first)});
  return all;
}

/// Every key of the tile comes after every query of it.
bool is_future(const FlashMask& mask, const Span& queries, const Span& keys) {
  return mask.causal && keys.first > queries.first + queries.size - 1;
}

/// The fixed surroundings of a tiled program.
struct Setting {
  FlashBlocks blocks;
  FlashMask mask;
  double scale;
  Ledger* ledger = nullptr;  ///< where arithmetic is entered, when wanted
};

/// Loads nothing: a tile of scores made from tiles that are on the chip.
Tile make_scores(Sram& sram, Tile& q, Tile& k, const Setting& set,
                 const Span& queries, const Span& keys) {
  Tile s = sram.make(queries.size, keys.size, kMasked, Place::kScratch);
  work(sram, set.ledger, "scores", {&s, &q}, {&k}, [&](auto m) {
    score_tile(*m[1], *m[2], set.scale, set.mask, queries.first, keys.first,
               *m[0]);
  });
  return s;
}

std::vector<double> column(const Matrix& m) {
  return {m.data(), m.data() + m.size()};
}

/// Writes down what the chip holds after a step, when asked to.
void record(std::vector<FlashStep>* steps, const Sram& sram,
            const Span& queries, const Span& keys, bool skipped,
            const Matrix& m, const Matrix& l, const Matrix& o) {
  if (steps == nullptr) return;
  steps->push_back({queries.first, queries.size, keys.first, keys.size, skipped,
                    column(m), column(l), o, sram.traffic().reads,
                    sram.traffic().writes});
}

struct Inputs {
  SlowMatrix q, k, v;
};

// #region keys_outside
void keys_outside(Sram& sram, const Inputs& in, const Setting& set,
                  SlowMatrix& o, SlowMatrix& m, SlowMatrix& l,
                  std::vector<FlashStep>* steps) {
  for (const Span& keys : spans(in.k.rows(), set.blocks.keys)) {
    Tile kj = sram.load(in.k, keys.first, keys.size);
    Tile vj = sram.load(in.v, keys.first, keys.size);
    for (const Span& rows : spans(in.q.rows(), set.blocks.queries)) {
      Tile qi = sram.load(in.q, rows.first, rows.size);
      Tile oi = sram.load(o, rows.first, rows.size);
      Tile mi = sram.load(m, rows.first, rows.size, Place::kScratch);
      Tile li = sram.load(l, rows.first, rows.size, Place::kScratch);
      Tile s = make_scores(sram, qi, kj, set, rows, keys);
      work(
          sram, set.ledger, "absorb normalised", {&s, &oi, &mi, &li}, {&vj},
          [](auto x) { absorb_normalised(*x[0], *x[4], *x[1], *x[2], *x[3]); });
      sram.store(oi, o, rows.first);
      sram.store(mi, m, rows.first);
      sram.store(li, l, rows.first);
      record(steps, sram, rows, keys, false, mi.values(), li.values(),
             oi.values());
    }
  }
}
// #endregion keys_outside

/// L = m + ln ℓ; −∞ where nothing was seen.
Matrix log_sum_exp(const Matrix& m, const Matrix& l) {
  Matrix lse = m;
  for (Index i = 0; i < m.rows(); ++i)
    if (l(i, 0) != 0) lse(i, 0) = m(i, 0) + std::log(l(i, 0));
  return lse;
}

Matrix normalised(Matrix o, const Matrix& l) {
  normalise(o, l);
  return o;
}

/// One tile of queries meets every tile of keys, and leaves the chip once.
void query_tile(Sram& sram, const Inputs& in, const Setting& set,
                const Span& rows, SlowMatrix& o, SlowMatrix& lse,
                std::vector<FlashStep>* steps) {
  Tile qi = sram.load(in.q, rows.first, rows.size);
  Tile oi = sram.make(rows.size, in.v.cols(), 0.0);
  Tile mi = sram.make(rows.size, 1, kMasked, Place::kScratch);
  Tile li = sram.make(rows.size, 1, 0.0, Place::kScratch);
  for (const Span& keys : spans(in.k.rows(), set.blocks.keys)) {
    const bool skip = is_future(set.mask, rows, keys);
    if (!skip) {
      Tile kj = sram.load(in.k, keys.first, keys.size);
      Tile vj = sram.load(in.v, keys.first, keys.size);
      Tile s = make_scores(sram, qi, kj, set, rows, keys);
      work(sram, set.ledger, "absorb", {&s, &oi, &mi, &li}, {&vj},
           [](auto x) { absorb(*x[0], *x[4], *x[1], *x[2], *x[3]); });
    }
    if (steps != nullptr)
      record(steps, sram, rows, keys, skip, mi.values(), li.values(),
             normalised(oi.values(), li.values()));
  }
  work(sram, set.ledger, "normalise", {&oi, &li}, {},
       [](auto m) { normalise(*m[0], *m[1]); });
  if (sram.computing()) mi.values() = log_sum_exp(mi.values(), li.values());
  sram.store(oi, o, rows.first);
  sram.store(mi, lse, rows.first);
}

void queries_outside(Sram& sram, const Inputs& in, const Setting& set,
                     SlowMatrix& o, SlowMatrix& lse,
                     std::vector<FlashStep>* steps) {
  for (const Span& rows : spans(in.q.rows(), set.blocks.queries))
    query_tile(sram, in, set, rows, o, lse, steps);
}

/// What a forward program leaves in slow memory.
struct Outputs {
  SlowMatrix o;
  Matrix lse;
};

Outputs run_forward(Sram& sram, const Inputs& in, const Setting& set,
                    FlashOrder order, std::vector<FlashStep>* steps) {
  const Index n = in.q.rows();
  SlowMatrix o = sram.result(n, in.v.cols(), 0.0);
  if (order == FlashOrder::kQueriesOutside) {
    SlowMatrix lse = sram.workspace(n, 1, kMasked);
    queries_outside(sram, in, set, o, lse, steps);
    return {std::move(o), std::move(lse).take()};
  }
  SlowMatrix m = sram.workspace(n, 1, kMasked);
  SlowMatrix l = sram.workspace(n, 1, 0.0);
  keys_outside(sram, in, set, o, m, l, steps);
  return {std::move(o), log_sum_exp(std::move(m).take(), std::move(l).take())};
}

/// D = rowsum(dO ∘ O), a pass of its own over both.
void sum_rows(Sram& sram, const SlowMatrix& o, const SlowMatrix& d_o,
              const Setting& set, SlowMatrix& row_dot) {
  for (const Span& rows : spans(o.rows(), set.blocks.queries)) {
    Tile oi = sram.load(o, rows.first, rows.size);
    Tile d_oi = sram.load(d_o, rows.first, rows.size);
    Tile di = sram.make(rows.size, 1, 0.0, Place::kScratch);
    work(sram, set.ledger, "row dots", {&oi, &d_oi, &di}, {},
         [](auto m) { row_dots(*m[0], *m[1], *m[2]); });
    sram.store(di, row_dot, rows.first);
  }
}

/// All that the backward program reads and writes in slow memory.
struct BackwardRun {
  Inputs in;
  SlowMatrix o, d_o, lse, row_dot;
  SlowMatrix d_q, d_k, d_v;
  std::vector<FlashBackwardStep>* steps = nullptr;
};

/// What stays on the chip while the tiles of queries pass by.
struct KeyTiles {
  Tile k, v, d_k, d_v;
};

void note_step(const Sram& sram, BackwardRun& run, const Span& rows,
               const Span& keys, const KeyTiles& on_chip, const Tile* weights,
               const Tile* d_q) {
  if (run.steps == nullptr) return;
  const auto held = [](const Tile* t) { return t ? t->values() : Matrix(); };
  run.steps->push_back({rows.first, rows.size, keys.first, keys.size,
                        weights == nullptr, held(weights), held(d_q),
                        on_chip.d_k.values(), on_chip.d_v.values(),
                        sram.traffic().reads, sram.traffic().writes});
}

// #region backward_step
void backward_step(Sram& sram, BackwardRun& run, const Setting& set,
                   const Span& rows, const Span& keys, KeyTiles& on_chip) {
  Tile qi = sram.load(run.in.q, rows.first, rows.size);
  Tile d_oi = sram.load(run.d_o, rows.first, rows.size);
  Tile d_qi = sram.load(run.d_q, rows.first, rows.size);
  Tile li = sram.load(run.lse, rows.first, rows.size, Place::kScratch);
  Tile di = sram.load(run.row_dot, rows.first, rows.size, Place::kScratch);
  auto& [kj, vj, d_kj, d_vj] = on_chip;
  Tile s = make_scores(sram, qi, kj, set, rows, keys);
  work(sram, set.ledger, "backward", {&s, &qi, &d_oi, &li, &di, &d_qi},
       {&kj, &vj, &d_kj, &d_vj}, [&](auto m) {
         backward_tile(
             *m[0], set.scale,
             {*m[1], *m[6], *m[7], *m[2], *m[3], *m[4], *m[5], *m[8], *m[9]});
       });
  sram.store(d_qi, run.d_q, rows.first);
  note_step(sram, run, rows, keys, on_chip, &s, &d_qi);
}
// #endregion backward_step

void run_backward(Sram& sram, BackwardRun& run, const Setting& set) {
  sum_rows(sram, run.o, run.d_o, set, run.row_dot);
  const Index d = run.in.q.cols();
  for (const Span& keys : spans(run.in.k.rows(), set.blocks.keys)) {
    KeyTiles on_chip{sram.load(run.in.k, keys.first, keys.size),
                     sram.load(run.in.v, keys.first, keys.size),
                     sram.make(keys.size, d, 0.0),
                     sram.make(keys.size, d, 0.0)};
    for (const Span& rows : spans(run.in.q.rows(), set.blocks.queries))
      if (is_future(set.mask, rows, keys))
        note_step(sram, run, rows, keys, on_chip, nullptr, nullptr);
      else
        backward_step(sram, run, set, rows, keys, on_chip);
    sram.store(on_chip.d_k, run.d_k, keys.first);
    sram.store(on_chip.d_v, run.d_v, keys.first);
  }
}

/// Capacity of a chip that is never the obstacle.
constexpr std::int64_t kRoomy = std::int64_t{1} << 60;

/// One kernel that reads a matrix row by row and writes it back changed.
template <class RowWork>
void row_kernel(Sram& sram, Ledger* ledger, std::string_view name,
                const SlowMatrix& from, SlowMatrix& to,
                const RowWork& row_work) {
  for (Index i = 0; i < from.rows(); ++i) {
    Tile row = sram.load(from, i, 1);
    work(sram, ledger, name, {&row}, {}, [&](auto m) { row_work(i, *m[0]); });
    sram.store(row, to, i);
  }
}

/// One kernel that multiplies each row of `a` with the whole of `b`.
template <class RowWork>
void product_kernel(Sram& sram, Ledger* ledger, std::string_view name,
                    const SlowMatrix& a, const SlowMatrix& b, Index width,
                    SlowMatrix& to, const RowWork& row_work) {
  Tile all = sram.load(b, 0, b.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    Tile row = sram.load(a, i, 1);
    Tile out = sram.make(1, width, 0.0);
    work(sram, ledger, name, {&row, &out}, {&all},
         [&](auto m) { row_work(i, *m[0], *m[2], *m[1]); });
    sram.store(out, to, i);
  }
}

/// One kernel for `to` = aᵀ·b, which stays on the chip while the rows pass by.
void outer_kernel(Sram& sram, Ledger* ledger, const SlowMatrix& a,
                  const SlowMatrix& b, SlowMatrix& to) {
  Tile sum = sram.make(to.rows(), to.cols(), 0.0);
  for (Index i = 0; i < a.rows(); ++i) {
    Tile left = sram.load(a, i, 1);
    Tile right = sram.load(b, i, 1);
    work(sram, ledger, "outer", {&left, &right}, {&sum},
         [](auto m) { add_outer(*m[0], *m[1], *m[2]); });
  }
  sram.store(sum, to, 0);
}

template <class T>
void mask_row(const FlashMask& mask, Index i, MatrixOf<T>& row) {
  for (Index j = 0; j < row.cols(); ++j)
    if (!sees(mask, i, j)) row(0, j) = T(kMasked);
}

template <class T>
void scale_row(double scale, MatrixOf<T>& row) {
  for (Index j = 0; j < row.cols(); ++j) row(0, j) = row(0, j) * T(scale);
}

/// Row `out` = p · v.
constexpr auto kMix = [](Index, auto& p, auto& v, auto& out) {
  for (Index c = 0; c < v.cols(); ++c) out(0, c) = mixed(p, 0, v, c);
};

struct StandardRun {
  SlowMatrix s, p, o;
};

StandardRun run_standard(Sram& sram, const Inputs& in, const FlashMask& mask,
                         double scale, int passes, Ledger* ledger) {
  const Index m = in.k.rows();
  StandardRun run{sram.workspace(in.q.rows(), m, 0.0),
                  sram.workspace(in.q.rows(), m, 0.0),
                  sram.result(in.q.rows(), in.v.cols(), 0.0)};
  // 1. S = QKᵀ, with scale and mask unless those are kernels of their own.
  product_kernel(sram, ledger, "scores", in.q, in.k, m, run.s,
                 [&](Index i, auto& q, auto& k, auto& s) {
                   for (Index j = 0; j < m; ++j)
                     s(0, j) = finite_score(dot(q, 0, k, j));
                   if (passes < 1) scale_row(scale, s);
                   if (passes < 2) mask_row(mask, i, s);
                 });
  // 2. The passes that are not fused.
  if (passes >= 1)
    row_kernel(sram, ledger, "scale", run.s, run.s,
               [&](Index, auto& s) { scale_row(scale, s); });
  if (passes >= 2)
    row_kernel(sram, ledger, "mask", run.s, run.s,
               [&](Index i, auto& s) { mask_row(mask, i, s); });
  // 3. P = softmax(S).
  row_kernel(sram, ledger, "softmax", run.s, run.p,
             [](Index, auto& s) { softmax_row(s); });
  if (passes >= 3)
    row_kernel(sram, ledger, "copy", run.p, run.p, [](Index, auto&) {});
  // 4. O = PV.
  product_kernel(sram, ledger, "mix", run.p, in.v, in.v.cols(), run.o, kMix);
  return run;
}

struct StandardBackwardRun {
  Inputs in;
  SlowMatrix p, d_o;
  SlowMatrix d_q, d_k, d_v;
};

void run_standard_backward(Sram& sram, StandardBackwardRun& run, double scale,
                           Ledger* ledger) {
  const Index n = run.in.q.rows();
  const Index m = run.in.k.rows();
  SlowMatrix d_p = sram.workspace(n, m, 0.0);
  SlowMatrix d_s = sram.workspace(n, m, 0.0);
  // 1. dV = PᵀdO.
  outer_kernel(sram, ledger, run.p, run.d_o, run.d_v);
  // 2. dP = dO Vᵀ.
  product_kernel(sram, ledger, "dP", run.d_o, run.in.v, m, d_p,
                 [m](Index, auto& d_o, auto& v, auto& out) {
                   for (Index j = 0; j < m; ++j) out(0, j) = dot(d_o, 0, v, j);
                 });
  // 3. dS = P ∘ (dP − rowsum(P ∘ dP)).
  for (Index i = 0; i < n; ++i) {
    Tile p = sram.load(run.p, i, 1);
    Tile row = sram.load(d_p, i, 1);
    work(sram, ledger, "dS", {&p, &row}, {},
         [&](auto x) { softmax_row_backward(*x[0], *x[1], scale); });
    sram.store(row, d_s, i);
  }
  // 4. dQ = dS K, dK = dSᵀQ.
  product_kernel(sram, ledger, "mix", d_s, run.in.k, run.in.k.cols(), run.d_q,
                 kMix);
  outer_kernel(sram, ledger, d_s, run.in.q, run.d_k);
}

void require_inputs(const Matrix& q, const Matrix& k, const Matrix& v,
                    const FlashMask& mask) {
  require_valid("q", q);
  require_valid("k", k);
  require_valid("v", v);
  require_same_cols("q", q, "k", k);
  require_same_cols("k", k, "v", v);
  require_same_rows("k", k, "v", v);
  if (!mask.keys_kept.empty() &&
      static_cast<Index>(mask.keys_kept.size()) != k.rows())
    throw Error(ErrorCode::kShapeMismatch,
                std::to_string(mask.keys_kept.size()) +
                    " keys kept or not, but k is " + shape(k));
  require_size("q times k transposed", q.rows(), k.rows(), kFlashPairs);
}

/// L as a column; −∞ marks a query that saw nothing.
Matrix saved_statistics(const std::vector<double>& log_sum_exp, Index n) {
  if (log_sum_exp.size() != static_cast<std::size_t>(n))
    throw Error(ErrorCode::kShapeMismatch, "log_sum_exp is not one per query");
  Matrix lse(n, 1);
  std::copy(log_sum_exp.begin(), log_sum_exp.end(), lse.data());
  for (const double l : log_sum_exp)
    if (!std::isfinite(l) && l != kMasked)
      throw Error(ErrorCode::kNotFinite, "log_sum_exp is not finite");
  return lse;
}

void require_passes(int passes) { require_between("passes", passes, 0, 3); }

double scale_of(Index d) { return 1.0 / std::sqrt(static_cast<double>(d)); }

void require_memory(Index sram, Index d) {
  require_count("M", sram, 1, Index{1} << 30);
  require_count("d", d, 1, kReferenceLimit);
}

/// B_r from B_c, once it is known that `tiles` tiles of one row fit.
FlashBlocks blocks_of(Index keys, Index sram, Index d, int tiles) {
  if (keys < 1)
    throw Error(ErrorCode::kTooLarge,
                std::to_string(tiles) + " tiles of one row of " +
                    std::to_string(d) + " do not fit into " +
                    std::to_string(sram) + " numbers");
  return {keys, std::min(keys, d)};
}

Index steps_of(Index rows, Index block) { return (rows - 1) / block + 1; }

void require_countable(Index n, Index d) {
  require_count("n", n, 1, kReferenceLimit);
  require_count("d", d, 1, Index{1} << 20);
}

/// Three inputs without numbers, and a check of how long the run will be.
Inputs shapes(Index n, Index d, const FlashBlocks& blocks) {
  require_size("steps", steps_of(n, blocks.queries), steps_of(n, blocks.keys));
  return {SlowMatrix(n, d), SlowMatrix(n, d), SlowMatrix(n, d)};
}

/// No kind of operation is counted more than 16 times for each n²·d.
void require_countable_work(Index n, Index d) {
  require_countable(n, d);
  constexpr double kMost = 562949953421312.0;  // 2^49
  const auto size = static_cast<double>(n);
  if (size * size * static_cast<double>(d) > kMost)
    throw Error(ErrorCode::kTooLarge, "a count may be over 2^53");
}

Traffic forward_on_shapes(Index n, Index d, Index sram, FlashOrder order,
                          bool causal, Ledger* ledger) {
  require_countable(n, d);
  const FlashBlocks blocks = flash_blocks(sram, d);
  const Inputs in = shapes(n, d, blocks);
  Sram chip(sram, false);
  run_forward(chip, in, {blocks, {causal, {}}, scale_of(d), ledger}, order,
              nullptr);
  return chip.traffic();
}

Traffic backward_on_shapes(Index n, Index d, Index sram, bool causal,
                           Ledger* ledger) {
  require_countable(n, d);
  const FlashBlocks blocks = flash_backward_blocks(sram, d);
  Sram chip(sram, false);
  BackwardRun run{shapes(n, d, blocks),      SlowMatrix(n, d),
                  SlowMatrix(n, d),          SlowMatrix(n, 1),
                  chip.workspace(n, 1, 0.0), SlowMatrix(n, d),
                  SlowMatrix(n, d),          SlowMatrix(n, d)};
  run_backward(chip, run, {blocks, {causal, {}}, scale_of(d), ledger});
  return chip.traffic();
}

Traffic standard_on_shapes(Index n, Index d, int passes, Ledger* ledger) {
  require_countable(n, d);
  require_passes(passes);
  Sram chip(kRoomy, false);
  run_standard(chip, {SlowMatrix(n, d), SlowMatrix(n, d), SlowMatrix(n, d)}, {},
               scale_of(d), passes, ledger);
  return chip.traffic();
}

Traffic standard_backward_on_shapes(Index n, Index d, Ledger* ledger) {
  require_countable(n, d);
  Sram chip(kRoomy, false);
  StandardBackwardRun run{
      {SlowMatrix(n, d), SlowMatrix(n, d), SlowMatrix(n, d)},
      SlowMatrix(n, n),
      SlowMatrix(n, d),
      SlowMatrix(n, d),
      SlowMatrix(n, d),
      SlowMatrix(n, d)};
  run_standard_backward(chip, run, scale_of(d), ledger);
  return chip.traffic();
}

}  // namespace

void require_finite_score(double score) {
  if (!std::isfinite(score))
    throw Error(ErrorCode::kDiverged, "a score overflows");
}

SlowMatrix::SlowMatrix(Matrix values)
    : rows_(values.rows()), cols_(values.cols()), values_(std::move(values)) {}

SlowMatrix::SlowMatrix(Index rows, Index cols) : rows_(rows), cols_(cols) {}

Tile::Tile(Sram& owner, Place place, Index rows, Index cols)
    : owner_(&owner), place_(place), rows_(rows), cols_(cols) {}

Tile::Tile(Tile&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      place_(other.place_),
      rows_(other.rows_),
      cols_(other.cols_),
      values_(std::move(other.values_)) {}

Tile::~Tile() {
  if (owner_ != nullptr) owner_->release(place_, rows_, cols_);
}

Sram::Sram(std::int64_t capacity, bool computing)
    : capacity_(capacity), computing_(computing) {
  if (capacity < 1)
    throw Error(ErrorCode::kInvalidArgument, "an Sram holds 1 or more");
}

// #region sram_reserve
Tile Sram::reserve(Place place, Index rows, Index cols) {
  const std::int64_t size = area(rows, cols);
  if (place == Place::kTile && size > capacity_ - tiles_)
    throw Error(ErrorCode::kTooLarge,
                "a tile of " + std::to_string(size) + " numbers, but only " +
                    std::to_string(capacity_ - tiles_) + " are free");
  std::int64_t& used = place == Place::kTile ? tiles_ : scratch_;
  used += size;
  traffic_.peak_tiles = std::max(traffic_.peak_tiles, tiles_);
  traffic_.peak_scratch = std::max(traffic_.peak_scratch, scratch_);
  return {*this, place, rows, cols};
}
// #endregion sram_reserve

void Sram::release(Place place, Index rows, Index cols) noexcept {
  (place == Place::kTile ? tiles_ : scratch_) -= area(rows, cols);
}

// #region sram_load_store
Tile Sram::load(const SlowMatrix& from, Index first, Index rows, Place place) {
  if (first < 0 || rows < 1 || rows > from.rows_ - first)
    throw Error(ErrorCode::kInvalidArgument, "no such rows to load");
  Tile tile = reserve(place, rows, from.cols_);
  traffic_.reads += area(rows, from.cols_);
  if (computing_) tile.values_ = from.values_.middleRows(first, rows);
  return tile;
}

void Sram::store(const Tile& tile, SlowMatrix& to, Index first) {
  if (tile.cols_ != to.cols_)
    throw Error(ErrorCode::kShapeMismatch, "the tile is of another width");
  if (first < 0 || tile.rows_ > to.rows_ - first)
    throw Error(ErrorCode::kInvalidArgument, "no such rows to store to");
  traffic_.writes += area(tile.rows_, tile.cols_);
  if (computing_) to.values_.middleRows(first, tile.rows_) = tile.values_;
}
// #endregion sram_load_store

Tile Sram::make(Index rows, Index cols, double value, Place place) {
  Tile tile = reserve(place, rows, cols);
  if (computing_) tile.values_ = Matrix::Constant(rows, cols, value);
  return tile;
}

SlowMatrix Sram::workspace(Index rows, Index cols, double value) {
  traffic_.extra += area(rows, cols);
  return result(rows, cols, value);
}

SlowMatrix Sram::result(Index rows, Index cols, double value) const {
  if (!computing_) return {rows, cols};
  return SlowMatrix(Matrix::Constant(rows, cols, value));
}

// #region flash_blocks
FlashBlocks flash_blocks(Index sram, Index d) {
  require_memory(sram, d);
  const Index down = sram / d / 4;
  const Index up = sram % d == 0 && sram / d % 4 == 0 ? down : down + 1;
  const bool fits = 2 * (up + std::min(up, d)) <= sram / d;
  return blocks_of(fits ? up : down, sram, d, 4);
}
// #endregion flash_blocks

FlashBlocks flash_backward_blocks(Index sram, Index d) {
  require_memory(sram, d);
  return blocks_of(sram / d / 7, sram, d, 7);
}

FlashTrace flash_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                           const FlashOptions& options) {
  // 1. Check, and cut M into tiles.
  require_inputs(q, k, v, options.mask);
  FlashTrace t;
  t.blocks = flash_blocks(options.sram, q.cols());
  const Index key_steps = steps_of(k.rows(), t.blocks.keys);
  if (options.record_steps) {
    require_size("recorded steps", steps_of(q.rows(), t.blocks.queries),
                 key_steps, kFlashSteps);
    require_size("recorded outputs", key_steps, q.size());
  }
  // 2. From here on the numbers are in slow memory.
  Sram sram(options.sram);
  Ledger ledger;
  Outputs out =
      run_forward(sram, {SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)},
                  {t.blocks, options.mask, scale_of(q.cols()),
                   options.count_operations ? &ledger : nullptr},
                  options.order, options.record_steps ? &t.steps : nullptr);
  // 3. Take the results back.
  t.output = std::move(out.o).take();
  require_no_overflow("output", t.output);
  t.log_sum_exp = column(out.lse);
  for (const double lse : t.log_sum_exp)
    t.fully_masked.push_back(lse == kMasked);
  t.traffic = sram.traffic();
  t.operations = ledger.tally;
  return t;
}

FlashGradients flash_attention_backward(const Matrix& q, const Matrix& k,
                                        const Matrix& v, const Matrix& output,
                                        const std::vector<double>& log_sum_exp,
                                        const Matrix& d_output,
                                        const FlashOptions& options) {
  // 1. Check, and cut M into tiles.
  require_inputs(q, k, v, options.mask);
  require_shape("output", output, q.rows(), q.cols());
  require_shape("d_output", d_output, q.rows(), q.cols());
  const Matrix lse = saved_statistics(log_sum_exp, q.rows());
  FlashGradients g;
  g.blocks = flash_backward_blocks(options.sram, q.cols());
  if (options.record_steps) {
    const Index key_steps = steps_of(k.rows(), g.blocks.keys);
    const Index query_steps = steps_of(q.rows(), g.blocks.queries);
    require_size("recorded steps", query_steps, key_steps, kFlashSteps);
    require_size("recorded gradients", key_steps, q.size());
    require_size("recorded gradients", query_steps, k.size());
    require_size("recorded weights", q.rows(), k.rows());
  }
  // 2. From here on the numbers are in slow memory.
  Sram sram(options.sram);
  BackwardRun run{{SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)},
                  SlowMatrix(output),
                  SlowMatrix(d_output),
                  SlowMatrix(lse),
                  sram.workspace(q.rows(), 1, 0.0),
                  sram.result(q.rows(), q.cols(), 0.0),
                  sram.result(k.rows(), k.cols(), 0.0),
                  sram.result(v.rows(), v.cols(), 0.0),
                  options.record_steps ? &g.steps : nullptr};
  Ledger ledger;
  run_backward(sram, run,
               {g.blocks, options.mask, scale_of(q.cols()),
                options.count_operations ? &ledger : nullptr});
  // 3. Take the results back.
  g.d_q = std::move(run.d_q).take();
  g.d_k = std::move(run.d_k).take();
  g.d_v = std::move(run.d_v).take();
  require_no_overflow("d_q", g.d_q);
  require_no_overflow("d_k", g.d_k);
  require_no_overflow("d_v", g.d_v);
  g.traffic = sram.traffic();
  g.operations = ledger.tally;
  return g;
}

StandardTrace standard_attention(const Matrix& q, const Matrix& k,
                                 const Matrix& v, const FlashMask& mask,
                                 int passes, bool count_operations) {
  require_inputs(q, k, v, mask);
  require_passes(passes);
  require_size("scores", q.rows(), k.rows());
  Sram sram(kRoomy);
  Ledger ledger;
  StandardRun run = run_standard(
      sram, {SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)}, mask,
      scale_of(q.cols()), passes, count_operations ? &ledger : nullptr);
  StandardTrace t;
  t.scores = std::move(run.s).take();
  t.weights = std::move(run.p).take();
  t.output = std::move(run.o).take();
  require_no_overflow("output", t.output);
  for (Index i = 0; i < q.rows(); ++i)
    t.fully_masked.push_back(t.scores.row(i).maxCoeff() == kMasked);
  t.traffic = sram.traffic();
  t.operations = ledger.tally;
  return t;
}

StandardGradients standard_attention_backward(const Matrix& q, const Matrix& k,
                                              const Matrix& v,
                                              const Matrix& weights,
                                              const Matrix& d_output,
                                              bool count_operations) {
  require_inputs(q, k, v, {});
  require_size("scores", q.rows(), k.rows());
  require_valid("weights", weights);
  require_valid("d_output", d_output);
  require_shape("weights", weights, q.rows(), k.rows());
  require_shape("d_output", d_output, q.rows(), q.cols());
  Sram sram(kRoomy);
  Ledger ledger;
  StandardBackwardRun run{{SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)},
                          SlowMatrix(weights),
                          SlowMatrix(d_output),
                          sram.result(q.rows(), q.cols(), 0.0),
                          sram.result(k.rows(), k.cols(), 0.0),
                          sram.result(v.rows(), v.cols(), 0.0)};
  run_standard_backward(sram, run, scale_of(q.cols()),
                        count_operations ? &ledger : nullptr);
  StandardGradients g;
  g.d_q = std::move(run.d_q).take();
  g.d_k = std::move(run.d_k).take();
  g.d_v = std::move(run.d_v).take();
  require_no_overflow("d_q", g.d_q);
  require_no_overflow("d_k", g.d_k);
  require_no_overflow("d_v", g.d_v);
  g.traffic = sram.traffic();
  g.operations = ledger.tally;
  return g;
}

Traffic flash_traffic(Index n, Index d, Index sram, FlashOrder order,
                      bool causal) {
  return forward_on_shapes(n, d, sram, order, causal, nullptr);
}

Traffic flash_backward_traffic(Index n, Index d, Index sram, bool causal) {
  return backward_on_shapes(n, d, sram, causal, nullptr);
}

Traffic standard_traffic(Index n, Index d, int passes) {
  return standard_on_shapes(n, d, passes, nullptr);
}

Traffic standard_backward_traffic(Index n, Index d) {
  return standard_backward_on_shapes(n, d, nullptr);
}

Tally flash_operations(Index n, Index d, Index sram, FlashOrder order) {
  require_countable_work(n, d);
  Ledger ledger;
  forward_on_shapes(n, d, sram, order, false, &ledger);
  return ledger.tally;
}

Tally flash_backward_operations(Index n, Index d, Index sram) {
  require_countable_work(n, d);
  Ledger ledger;
  backward_on_shapes(n, d, sram, false, &ledger);
  return ledger.tally;
}

Tally standard_operations(Index n, Index d, int passes) {
  require_countable_work(n, d);
  Ledger ledger;
  standard_on_shapes(n, d, passes, &ledger);
  return ledger.tally;
}

Tally standard_backward_operations(Index n, Index d) {
  require_countable_work(n, d);
  Ledger ledger;
  standard_backward_on_shapes(n, d, &ledger);
  return ledger.tally;
}

double flash_traffic_order(Index n, Index d, Index sram) {
  require_countable(n, d);
  require_memory(sram, d);
  const double nd = static_cast<double>(n) * static_cast<double>(d);
  return nd * nd / static_cast<double>(sram);
}

}  // namespace attn
