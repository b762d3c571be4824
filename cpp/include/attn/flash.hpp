#pragma once

#include <attn/counted.hpp>
#include <attn/matrix.hpp>
#include <cstdint>
#include <utility>
#include <vector>

/// Exact attention in tiles, with every number that crosses between the large
/// slow memory (HBM) and the small fast one (SRAM) counted as it crosses.
///
/// Shapes: q n × d, k m × d, v m × d; rows are tokens; scores are q·k / √d.
/// Masks: causal (query i sees keys 0 … i) and padding (a list of m
/// keys kept or not). A query that sees no key gives zeros and a flag.
/// Memory: an Sram of M numbers holds the tiles, which are d wide. The tile of
/// scores and the statistics m, ℓ, L, D never leave the chip's registers except
/// as columns of one number per row; they are tallied as `peak_scratch` and not
/// held to M, since the paper divides M among the four tiles Q, K, V, O alone.
/// The padding list (m bits) is not counted as traffic.
/// Arithmetic: what the tiles are worked on with can be counted too, by running
/// the same programs on numbers that count (counted.hpp). The logarithm of each
/// L is not in that tally.
/// Limits: q, k, v, the scores of standard_attention, and the outputs of all
/// recorded steps together have at most kReferenceLimit numbers each; there are
/// at most kFlashSteps recorded steps; n · m is at most kFlashPairs, since no
/// intermediate is that large but the work is; a count of operations is at most
/// 2^53.
///
/// Sources: Dao et al. 2022, "FlashAttention", Algorithms 0 and 1, Theorem 2;
/// Dao 2023, "FlashAttention-2", Algorithms 1 and 2.
namespace attn {

inline constexpr Index kFlashPairs = Index{1} << 26;
inline constexpr Index kFlashSteps = Index{1} << 16;

/// What crossed, in numbers (not bytes).
struct Traffic {
  std::int64_t reads = 0;         ///< slow → fast
  std::int64_t writes = 0;        ///< fast → slow
  std::int64_t extra = 0;         ///< slow memory besides inputs and outputs
  std::int64_t peak_tiles = 0;    ///< most numbers in tiles at once, ≤ M
  std::int64_t peak_scratch = 0;  ///< most scores and statistics at once
};

class Sram;

/// A matrix in slow memory. Its numbers are out of reach of everything but an
/// Sram until the owner takes the whole matrix back.
class SlowMatrix {
 public:
  /// Holds `values`.
  explicit SlowMatrix(Matrix values);
  /// Has a shape but no numbers: what is moved is counted, not computed with.
  SlowMatrix(Index rows, Index cols);
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  /// The numbers, at the end.
  Matrix take() && { return std::move(values_); }

 private:
  friend class Sram;
  Index rows_;
  Index cols_;
  Matrix values_;
};

/// Where in fast memory: kTile is held to the capacity, kScratch is tallied.
enum class Place { kTile, kScratch };

/// Numbers in fast memory; the room is given back when the tile dies. It must
/// not outlive its Sram.
class Tile {
 public:
  Tile(Tile&& other) noexcept;
  Tile(const Tile&) = delete;
  Tile& operator=(const Tile&) = delete;
  Tile& operator=(Tile&&) = delete;
  ~Tile();
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  /// Empty when the tile was made without numbers.
  [[nodiscard]] const Matrix& values() const { return values_; }
  [[nodiscard]] Matrix& values() { return values_; }

 private:
  friend class Sram;
  Tile(Sram& owner, Place place, Index rows, Index cols);
  Sram* owner_;
  Place place_;
  Index rows_;
  Index cols_;
  Matrix values_;
};

/// Fast memory for `capacity` numbers: the only road to a SlowMatrix.
class Sram {
 public:
  /// `computing`: whether tiles hold numbers or have only a shape.
  /// @throws Error kInvalidArgument unless capacity ≥ 1
  explicit Sram(std::int64_t capacity, bool computing = true);
  Sram(const Sram&) = delete;
  Sram& operator=(const Sram&) = delete;

  /// Copies rows first … first + rows − 1 in: rows · cols reads.
  /// @throws Error kTooLarge when they do not fit, with nothing counted;
  /// kInvalidArgument for rows that `from` does not have
  Tile load(const SlowMatrix& from, Index first, Index rows,
            Place place = Place::kTile);
  /// Copies a tile out over rows first …: rows · cols writes.
  /// @throws Error kShapeMismatch, kInvalidArgument
  void store(const Tile& tile, SlowMatrix& to, Index first);
  /// Room made on the chip and filled with `value`; nothing crosses.
  /// @throws Error kTooLarge
  Tile make(Index rows, Index cols, double value, Place place = Place::kTile);
  /// A slow matrix beyond inputs and outputs, filled with `value` by whoever
  /// hands out the memory (the papers do not count that either).
  SlowMatrix workspace(Index rows, Index cols, double value);
  /// A slow matrix for a result.
  [[nodiscard]] SlowMatrix result(Index rows, Index cols, double value) const;

  [[nodiscard]] bool computing() const { return computing_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

 private:
  friend class Tile;
  Tile reserve(Place place, Index rows, Index cols);
  void release(Place place, Index rows, Index cols) noexcept;
  std::int64_t capacity_;
  bool computing_;
  std::int64_t tiles_ = 0;
  std::int64_t scratch_ = 0;
  Traffic traffic_;
};

/// Rows in a tile of keys (B_c) and of queries (B_r).
struct FlashBlocks {
  Index keys = 0;
  Index queries = 0;
};

/// Algorithm 1, line 1: B_c = ⌈M / 4d⌉, B_r = min(B_c, d). Where the rounding
/// up makes four tiles that overfill M, B_c is rounded down instead.
/// @throws Error kInvalidArgument unless d ≥ 1 and M ≥ 1; kTooLarge when M is
/// over 2^30 or not even one row of each tile fits, M < 4d
FlashBlocks flash_blocks(Index sram, Index d);
/// The backward pass keeps seven tiles (K, V, dK, dV; Q, dO, dQ), so M is
/// shared by seven: B_c = ⌊M / 7d⌋, B_r = min(B_c, d). The 2022 paper's ⌈M/4d⌉
/// would need up to 2M.
/// @throws Error as flash_blocks, with 7d
FlashBlocks flash_backward_blocks(Index sram, Index d);

enum class FlashOrder {
  kKeysOutside,  ///< FlashAttention, Algorithm 1: O, m, ℓ cross at each step
  kQueriesOutside  ///< FlashAttention-2, Algorithm 1: O crosses once
};

struct FlashMask {
  bool causal = false;
  std::vector<bool> keys_kept;  ///< one per key; empty: all are kept
};

struct FlashOptions {
  Index sram = 49152;  ///< M, in numbers
  FlashOrder order = FlashOrder::kQueriesOutside;
  FlashMask mask;
  bool record_steps = false;
  bool count_operations = false;
};

/// One tile of scores.
struct FlashStep {
  Index first_query = 0, queries = 0;
  Index first_key = 0, keys = 0;
  bool skipped = false;     ///< all future: not computed, K and V not loaded
  std::vector<double> max;  ///< m of each query after the step; −∞: none seen
  std::vector<double> sum;  ///< ℓ
  Matrix output;            ///< o = weighted sum / ℓ, were this the last step
  std::int64_t reads = 0, writes = 0;  ///< since the beginning, after the step
};

struct FlashTrace {
  Matrix output;                    ///< n × d
  std::vector<double> log_sum_exp;  ///< L = m + ln ℓ; −∞ for a masked query
  std::vector<bool> fully_masked;
  FlashBlocks blocks;
  Traffic traffic;
  Tally operations;  ///< zeros unless they were to be counted
  std::vector<FlashStep> steps;
};

/// Attention tile by tile; equal to the whole-matrix result up to rounding.
/// With kQueriesOutside a causal tile that lies in the future is skipped.
/// @throws Error kEmptyInput, kNotFinite, kShapeMismatch, kInvalidArgument,
/// kTooLarge; kDiverged when a score or a sum overflows
FlashTrace flash_attention(const Matrix& q, const Matrix& k, const Matrix& v,
                           const FlashOptions& options = {});

/// One tile of weights, made a second time.
struct FlashBackwardStep {
  Index first_query = 0, queries = 0;
  Index first_key = 0, keys = 0;
  bool skipped = false;  ///< all future: nothing loaded, nothing added
  Matrix weights;   ///< P = exp(S − L), queries × keys; empty when skipped
  Matrix d_q;       ///< of these queries, so far; empty when skipped
  Matrix d_k, d_v;  ///< of these keys, so far
  std::int64_t reads = 0, writes = 0;  ///< since the beginning, after the step
};

struct FlashGradients {
  Matrix d_q, d_k, d_v;
  FlashBlocks blocks;
  Traffic traffic;
  Tally operations;  ///< zeros unless they were to be counted
  std::vector<FlashBackwardStep> steps;
};

/// The gradients for a given d_output, n × d, from the `output` and the
/// `log_sum_exp` that the forward pass left. The weights are computed again,
/// tile by tile, from q, k and log_sum_exp; D = rowsum(dO ∘ O) is formed first.
/// The order of `options` is not used: keys are outside, as in
/// FlashAttention-2, Algorithm 2.
/// @throws Error as flash_attention
FlashGradients flash_attention_backward(const Matrix& q, const Matrix& k,
                                        const Matrix& v, const Matrix& output,
                                        const std::vector<double>& log_sum_exp,
                                        const Matrix& d_output,
                                        const FlashOptions& options = {});

struct StandardTrace {
  Matrix scores;   ///< n × m, scaled, −∞ where masked
  Matrix weights;  ///< n × m
  Matrix output;   ///< n × d
  std::vector<bool> fully_masked;
  Traffic traffic;
  Tally operations;  ///< zeros unless they were to be counted
};

/// Algorithm 0, whole matrices through the same counter: one kernel writes S,
/// the next reads S and writes P, the last reads P. The Sram is as large as the
/// kernel asks, so that each operand crosses once: the kindest count for this
/// method. `passes` 0 … 3: how many of scale, mask and dropout (rate 0, a copy)
/// are kernels of their own, each reading and writing n · m numbers.
/// @throws Error as flash_attention
StandardTrace standard_attention(const Matrix& q, const Matrix& k,
                                 const Matrix& v, const FlashMask& mask = {},
                                 int passes = 0, bool count_operations = false);

struct StandardGradients {
  Matrix d_q, d_k, d_v;
  Traffic traffic;
  Tally operations;  ///< zeros unless they were to be counted
};

/// The gradients from the `weights` n × m that the forward pass kept (2022
/// paper, Algorithm 3), one kernel after another as in standard_attention:
/// dV = PᵀdO, dP = dO Vᵀ, dS = P ∘ (dP − rowsum(P ∘ dP)), dQ = dS K, dK = dSᵀQ.
/// @throws Error as flash_attention
StandardGradients standard_attention_backward(const Matrix& q, const Matrix& k,
                                              const Matrix& v,
                                              const Matrix& weights,
                                              const Matrix& d_output,
                                              bool count_operations = false);

/// The same programs run on shapes alone: every load and store is carried out
/// and counted, without numbers in it, so that sizes far over the reference
/// limit can be counted. n queries and n keys.
/// @throws Error kInvalidArgument unless n, d ≥ 1 and 0 ≤ passes ≤ 3; kTooLarge
/// when n > 2^22, d > 2^20, there would be over 2^22 steps, or M is too small
Traffic flash_traffic(Index n, Index d, Index sram, FlashOrder order,
                      bool causal = false);
Traffic flash_backward_traffic(Index n, Index d, Index sram,
                               bool causal = false);
Traffic standard_traffic(Index n, Index d, int passes = 0);
Traffic standard_backward_traffic(Index n, Index d);

/// The arithmetic of those runs, without a mask. Each query row of a tile has
/// the same work, so one row for each shape of tiles is worked through on
/// numbers that count, and entered as often as the program meets such a row.
/// @throws Error as flash_traffic; kTooLarge when a count may be over 2^53
Tally flash_operations(Index n, Index d, Index sram, FlashOrder order);
Tally flash_backward_operations(Index n, Index d, Index sram);
Tally standard_operations(Index n, Index d, int passes = 0);
Tally standard_backward_operations(Index n, Index d);

/// n²·d²/M: what the tiled count grows like while d ≤ M ≤ n·d (Theorem 2). An
/// order of growth without its constant, to set beside the counts.
/// @throws Error kInvalidArgument, kTooLarge as flash_traffic
double flash_traffic_order(Index n, Index d, Index sram);

}  // namespace attn
