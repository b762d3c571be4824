#include <algorithm>
#include <attn/error.hpp>
#include <attn/flash.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "arguments.hpp"

namespace attn {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// Index has 32 bits in WebAssembly; a count must not.
std::int64_t area(Index rows, Index cols) {
  return static_cast<std::int64_t>(rows) * cols;
}

/// Rows first … first + size − 1.
struct Span {
  Index first;
  Index size;
};

std::vector<Span> spans(Index rows, Index block) {
  std::vector<Span> all;
  for (Index first = 0; first < rows; first += block)
    all.push_back({first, std::min(block, rows - first)});
  return all;
}

bool sees(const FlashMask& mask, Index query, Index key) {
  if (mask.causal && key > query) return false;
  return mask.keys_kept.empty() ||
         mask.keys_kept[static_cast<std::size_t>(key)];
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
};

/// Refused here, since an overflow to −∞ would pass for a masked place.
double finite_score(double score) {
  if (!std::isfinite(score))
    throw Error(ErrorCode::kDiverged, "a score overflows");
  return score;
}

// #region score_tile
void score_tile(const Matrix& q, const Matrix& k, const Setting& set,
                const Span& queries, const Span& keys, Matrix& s) {
  for (Index i = 0; i < queries.size; ++i)
    for (Index j = 0; j < keys.size; ++j) {
      if (!sees(set.mask, queries.first + i, keys.first + j)) continue;
      double sum = 0;
      for (Index c = 0; c < q.cols(); ++c) sum += q(i, c) * k(j, c);
      s(i, j) = finite_score(sum * set.scale);
    }
}
// #endregion score_tile

/// Loads nothing: a tile of scores made from tiles that are on the chip.
Tile make_scores(Sram& sram, const Tile& q, const Tile& k, const Setting& set,
                 const Span& queries, const Span& keys) {
  Tile s = sram.make(queries.size, keys.size, kMasked, Place::kScratch);
  if (sram.computing())
    score_tile(q.values(), k.values(), set, queries, keys, s.values());
  return s;
}

/// One row of scores s becomes exp(s − m'); m and ℓ move on to m' and ℓ'.
/// Returns exp(m − m'), what earlier sums are worth on the new scale.
// #region advance_row
double advance_row(Matrix& s, Index i, Matrix& m, Matrix& l) {
  double new_max = m(i, 0);
  for (Index j = 0; j < s.cols(); ++j) new_max = std::max(new_max, s(i, j));
  const bool none = new_max == kMasked;
  const double keep = none ? 1.0 : std::exp(m(i, 0) - new_max);
  double sum = 0;
  for (Index j = 0; j < s.cols(); ++j) {
    s(i, j) = none ? 0.0 : std::exp(s(i, j) - new_max);
    sum += s(i, j);
  }
  m(i, 0) = new_max;
  l(i, 0) = keep * l(i, 0) + sum;
  return keep;
}
// #endregion advance_row

/// FlashAttention, Algorithm 1, lines 10–12: o stays normalised.
// #region absorb_normalised
void absorb_normalised(Matrix& s, const Matrix& v, Matrix& o, Matrix& m,
                       Matrix& l) {
  for (Index i = 0; i < s.rows(); ++i) {
    const double old_sum = l(i, 0);
    const double keep = advance_row(s, i, m, l);
    if (l(i, 0) == 0) continue;
    for (Index c = 0; c < o.cols(); ++c) {
      double sum = 0;
      for (Index j = 0; j < s.cols(); ++j) sum += s(i, j) * v(j, c);
      o(i, c) = (keep * old_sum * o(i, c) + sum) / l(i, 0);
    }
  }
}
// #endregion absorb_normalised

/// FlashAttention-2, Algorithm 1, lines 9–10: o is divided by ℓ at the end.
// #region absorb
void absorb(Matrix& s, const Matrix& v, Matrix& o, Matrix& m, Matrix& l) {
  for (Index i = 0; i < s.rows(); ++i) {
    const double keep = advance_row(s, i, m, l);
    for (Index c = 0; c < o.cols(); ++c) {
      double sum = 0;
      for (Index j = 0; j < s.cols(); ++j) sum += s(i, j) * v(j, c);
      o(i, c) = keep * o(i, c) + sum;
    }
  }
}
// #endregion absorb

/// Divides each row by its ℓ; a row that saw nothing stays zero.
Matrix normalised(Matrix o, const Matrix& l) {
  for (Index i = 0; i < o.rows(); ++i)
    for (Index c = 0; c < o.cols(); ++c)
      o(i, c) = l(i, 0) == 0 ? 0.0 : o(i, c) / l(i, 0);
  return o;
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
    const Tile kj = sram.load(in.k, keys.first, keys.size);
    const Tile vj = sram.load(in.v, keys.first, keys.size);
    for (const Span& rows : spans(in.q.rows(), set.blocks.queries)) {
      const Tile qi = sram.load(in.q, rows.first, rows.size);
      Tile oi = sram.load(o, rows.first, rows.size);
      Tile mi = sram.load(m, rows.first, rows.size, Place::kScratch);
      Tile li = sram.load(l, rows.first, rows.size, Place::kScratch);
      Tile s = make_scores(sram, qi, kj, set, rows, keys);
      if (sram.computing())
        absorb_normalised(s.values(), vj.values(), oi.values(), mi.values(),
                          li.values());
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

/// One tile of queries meets every tile of keys, and leaves the chip once.
void query_tile(Sram& sram, const Inputs& in, const Setting& set,
                const Span& rows, SlowMatrix& o, SlowMatrix& lse,
                std::vector<FlashStep>* steps) {
  const Tile qi = sram.load(in.q, rows.first, rows.size);
  Tile oi = sram.make(rows.size, in.v.cols(), 0.0);
  Tile mi = sram.make(rows.size, 1, kMasked, Place::kScratch);
  Tile li = sram.make(rows.size, 1, 0.0, Place::kScratch);
  for (const Span& keys : spans(in.k.rows(), set.blocks.keys)) {
    const bool skip = is_future(set.mask, rows, keys);
    if (!skip) {
      const Tile kj = sram.load(in.k, keys.first, keys.size);
      const Tile vj = sram.load(in.v, keys.first, keys.size);
      Tile s = make_scores(sram, qi, kj, set, rows, keys);
      if (sram.computing())
        absorb(s.values(), vj.values(), oi.values(), mi.values(), li.values());
    }
    if (steps != nullptr)
      record(steps, sram, rows, keys, skip, mi.values(), li.values(),
             normalised(oi.values(), li.values()));
  }
  if (sram.computing()) {
    oi.values() = normalised(oi.values(), li.values());
    mi.values() = log_sum_exp(mi.values(), li.values());
  }
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

/// Seven tiles and three columns of one query tile against one key tile:
/// P = exp(S − L), dV += PᵀdO, dS = P ∘ (dO Vᵀ − D), dQ += dS K, dK += dSᵀQ.
struct BackwardTile {
  const Matrix &q, &k, &v, &d_o, &lse, &row_dot;
  Matrix &d_q, &d_k, &d_v;
};

// #region backward_tile
void backward_tile(const Matrix& s, double scale, const BackwardTile& t) {
  const Index d = t.q.cols();
  for (Index i = 0; i < s.rows(); ++i) {
    if (t.lse(i, 0) == kMasked) continue;
    for (Index j = 0; j < s.cols(); ++j) {
      const double p = std::exp(s(i, j) - t.lse(i, 0));
      double d_p = 0;
      for (Index c = 0; c < d; ++c) d_p += t.d_o(i, c) * t.v(j, c);
      const double d_s = p * (d_p - t.row_dot(i, 0)) * scale;
      for (Index c = 0; c < d; ++c) {
        t.d_v(j, c) += p * t.d_o(i, c);
        t.d_q(i, c) += d_s * t.k(j, c);
        t.d_k(j, c) += d_s * t.q(i, c);
      }
    }
  }
}
// #endregion backward_tile

/// D = rowsum(dO ∘ O), a pass of its own over both.
void row_dots(Sram& sram, const SlowMatrix& o, const SlowMatrix& d_o,
              Index block, SlowMatrix& row_dot) {
  for (const Span& rows : spans(o.rows(), block)) {
    const Tile oi = sram.load(o, rows.first, rows.size);
    const Tile d_oi = sram.load(d_o, rows.first, rows.size);
    Tile di = sram.make(rows.size, 1, 0.0, Place::kScratch);
    if (sram.computing())
      for (Index i = 0; i < rows.size; ++i)
        for (Index c = 0; c < o.cols(); ++c)
          di.values()(i, 0) += oi.values()(i, c) * d_oi.values()(i, c);
    sram.store(di, row_dot, rows.first);
  }
}

/// All that the backward program reads and writes in slow memory.
struct BackwardRun {
  Inputs in;
  SlowMatrix o, d_o, lse, row_dot;
  SlowMatrix d_q, d_k, d_v;
};

void backward_step(Sram& sram, BackwardRun& run, const Setting& set,
                   const Span& rows, const Span& keys, const Tile& kj,
                   const Tile& vj, Tile& d_kj, Tile& d_vj) {
  const Tile qi = sram.load(run.in.q, rows.first, rows.size);
  const Tile d_oi = sram.load(run.d_o, rows.first, rows.size);
  Tile d_qi = sram.load(run.d_q, rows.first, rows.size);
  const Tile li = sram.load(run.lse, rows.first, rows.size, Place::kScratch);
  const Tile di =
      sram.load(run.row_dot, rows.first, rows.size, Place::kScratch);
  const Tile s = make_scores(sram, qi, kj, set, rows, keys);
  if (sram.computing())
    backward_tile(
        s.values(), set.scale,
        {qi.values(), kj.values(), vj.values(), d_oi.values(), li.values(),
         di.values(), d_qi.values(), d_kj.values(), d_vj.values()});
  sram.store(d_qi, run.d_q, rows.first);
}

void run_backward(Sram& sram, BackwardRun& run, const Setting& set) {
  row_dots(sram, run.o, run.d_o, set.blocks.queries, run.row_dot);
  const Index d = run.in.q.cols();
  for (const Span& keys : spans(run.in.k.rows(), set.blocks.keys)) {
    const Tile kj = sram.load(run.in.k, keys.first, keys.size);
    const Tile vj = sram.load(run.in.v, keys.first, keys.size);
    Tile d_kj = sram.make(keys.size, d, 0.0);
    Tile d_vj = sram.make(keys.size, d, 0.0);
    for (const Span& rows : spans(run.in.q.rows(), set.blocks.queries))
      if (!is_future(set.mask, rows, keys))
        backward_step(sram, run, set, rows, keys, kj, vj, d_kj, d_vj);
    sram.store(d_kj, run.d_k, keys.first);
    sram.store(d_vj, run.d_v, keys.first);
  }
}

/// Capacity of a chip that is never the obstacle.
constexpr std::int64_t kRoomy = std::int64_t{1} << 60;

/// One kernel that reads a matrix row by row and writes it back changed.
template <class RowWork>
void row_kernel(Sram& sram, const SlowMatrix& from, SlowMatrix& to,
                const RowWork& work) {
  for (Index i = 0; i < from.rows(); ++i) {
    Tile row = sram.load(from, i, 1);
    if (sram.computing()) work(i, row.values());
    sram.store(row, to, i);
  }
}

/// One kernel that multiplies each row of `a` with the whole of `b`.
template <class RowWork>
void product_kernel(Sram& sram, const SlowMatrix& a, const SlowMatrix& b,
                    Index width, SlowMatrix& to, const RowWork& work) {
  const Tile all = sram.load(b, 0, b.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    const Tile row = sram.load(a, i, 1);
    Tile out = sram.make(1, width, 0.0);
    if (sram.computing()) work(i, row.values(), all.values(), out.values());
    sram.store(out, to, i);
  }
}

void mask_row(const FlashMask& mask, Index i, Matrix& row) {
  for (Index j = 0; j < row.cols(); ++j)
    if (!sees(mask, i, j)) row(0, j) = kMasked;
}

// #region softmax_row
void softmax_row(Matrix& row) {
  const double max = row.maxCoeff();
  double sum = 0;
  for (Index j = 0; j < row.cols(); ++j) {
    row(0, j) = max == kMasked ? 0.0 : std::exp(row(0, j) - max);
    sum += row(0, j);
  }
  for (Index j = 0; j < row.cols(); ++j)
    row(0, j) = sum == 0 ? 0.0 : row(0, j) / sum;
}
// #endregion softmax_row

struct StandardRun {
  SlowMatrix s, p, o;
};

StandardRun run_standard(Sram& sram, const Inputs& in, const FlashMask& mask,
                         double scale, int passes) {
  const Index m = in.k.rows();
  StandardRun run{sram.workspace(in.q.rows(), m, 0.0),
                  sram.workspace(in.q.rows(), m, 0.0),
                  sram.result(in.q.rows(), in.v.cols(), 0.0)};
  // 1. S = QKᵀ, with scale and mask unless those are kernels of their own.
  product_kernel(sram, in.q, in.k, m, run.s,
                 [&](Index i, const Matrix& q, const Matrix& k, Matrix& s) {
                   for (Index j = 0; j < m; ++j)
                     for (Index c = 0; c < q.cols(); ++c)
                       s(0, j) += q(0, c) * k(j, c);
                   require_no_overflow("a score", s);
                   if (passes < 1) s *= scale;
                   if (passes < 2) mask_row(mask, i, s);
                 });
  // 2. The passes that are not fused.
  if (passes >= 1)
    row_kernel(sram, run.s, run.s, [&](Index, Matrix& s) { s *= scale; });
  if (passes >= 2)
    row_kernel(sram, run.s, run.s,
               [&](Index i, Matrix& s) { mask_row(mask, i, s); });
  // 3. P = softmax(S).
  row_kernel(sram, run.s, run.p, [](Index, Matrix& s) { softmax_row(s); });
  if (passes >= 3) row_kernel(sram, run.p, run.p, [](Index, Matrix&) {});
  // 4. O = PV.
  product_kernel(sram, run.p, in.v, in.v.cols(), run.o,
                 [](Index, const Matrix& p, const Matrix& v, Matrix& o) {
                   for (Index j = 0; j < v.rows(); ++j)
                     for (Index c = 0; c < v.cols(); ++c)
                       o(0, c) += p(0, j) * v(j, c);
                 });
  return run;
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

}  // namespace

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
  Outputs out =
      run_forward(sram, {SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)},
                  {t.blocks, options.mask, scale_of(q.cols())}, options.order,
                  options.record_steps ? &t.steps : nullptr);
  // 3. Take the results back.
  t.output = std::move(out.o).take();
  require_no_overflow("output", t.output);
  t.log_sum_exp = column(out.lse);
  for (const double lse : t.log_sum_exp)
    t.fully_masked.push_back(lse == kMasked);
  t.traffic = sram.traffic();
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
  // 2. From here on the numbers are in slow memory.
  Sram sram(options.sram);
  BackwardRun run{{SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)},
                  SlowMatrix(output),
                  SlowMatrix(d_output),
                  SlowMatrix(lse),
                  sram.workspace(q.rows(), 1, 0.0),
                  sram.result(q.rows(), q.cols(), 0.0),
                  sram.result(k.rows(), k.cols(), 0.0),
                  sram.result(v.rows(), v.cols(), 0.0)};
  run_backward(sram, run, {g.blocks, options.mask, scale_of(q.cols())});
  // 3. Take the results back.
  g.d_q = std::move(run.d_q).take();
  g.d_k = std::move(run.d_k).take();
  g.d_v = std::move(run.d_v).take();
  require_no_overflow("d_q", g.d_q);
  require_no_overflow("d_k", g.d_k);
  require_no_overflow("d_v", g.d_v);
  g.traffic = sram.traffic();
  return g;
}

StandardTrace standard_attention(const Matrix& q, const Matrix& k,
                                 const Matrix& v, const FlashMask& mask,
                                 int passes) {
  require_inputs(q, k, v, mask);
  require_passes(passes);
  require_size("scores", q.rows(), k.rows());
  Sram sram(kRoomy);
  StandardRun run =
      run_standard(sram, {SlowMatrix(q), SlowMatrix(k), SlowMatrix(v)}, mask,
                   scale_of(q.cols()), passes);
  StandardTrace t;
  t.scores = std::move(run.s).take();
  t.weights = std::move(run.p).take();
  t.output = std::move(run.o).take();
  require_no_overflow("output", t.output);
  for (Index i = 0; i < q.rows(); ++i)
    t.fully_masked.push_back(t.scores.row(i).maxCoeff() == kMasked);
  t.traffic = sram.traffic();
  return t;
}

Traffic flash_traffic(Index n, Index d, Index sram, FlashOrder order,
                      bool causal) {
  require_countable(n, d);
  const FlashBlocks blocks = flash_blocks(sram, d);
  const Inputs in = shapes(n, d, blocks);
  Sram chip(sram, false);
  run_forward(chip, in, {blocks, {causal, {}}, scale_of(d)}, order, nullptr);
  return chip.traffic();
}

Traffic flash_backward_traffic(Index n, Index d, Index sram, bool causal) {
  require_countable(n, d);
  const FlashBlocks blocks = flash_backward_blocks(sram, d);
  Sram chip(sram, false);
  BackwardRun run{shapes(n, d, blocks),      SlowMatrix(n, d),
                  SlowMatrix(n, d),          SlowMatrix(n, 1),
                  chip.workspace(n, 1, 0.0), SlowMatrix(n, d),
                  SlowMatrix(n, d),          SlowMatrix(n, d)};
  run_backward(chip, run, {blocks, {causal, {}}, scale_of(d)});
  return chip.traffic();
}

Traffic standard_traffic(Index n, Index d, int passes) {
  require_countable(n, d);
  require_passes(passes);
  Sram chip(kRoomy, false);
  run_standard(chip, {SlowMatrix(n, d), SlowMatrix(n, d), SlowMatrix(n, d)}, {},
               scale_of(d), passes);
  return chip.traffic();
}

double flash_traffic_order(Index n, Index d, Index sram) {
  require_countable(n, d);
  require_memory(sram, d);
  const double nd = static_cast<double>(n) * static_cast<double>(d);
  return nd * nd / static_cast<double>(sram);
}

}  // namespace attn
