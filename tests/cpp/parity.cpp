// attn_parity FILE writes one line for each function and seed: name, agreement,
// and the bits of every number that it returned. To a file, since Node may end
// before a pipe is empty.
#include "parity.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace parity {
namespace {

constexpr std::uint32_t kSeeds = 50;

struct Entry {
  std::string name;
  Agreement agreement;
  Body body;
};

// Made on first use: the files that enter their functions are initialised in no
// fixed order.
std::vector<Entry>& entries() {
  static std::vector<Entry> list;
  return list;
}

const char* word(Agreement agreement) {
  switch (agreement) {
    case Agreement::kBits:
      return "bits";
    case Agreement::kFourUlp:
      return "ulp";
    case Agreement::kStack:
      return "stack";
  }
  return "";
}

}  // namespace

attn::Matrix matrix(attn::Rng& rng, attn::Index rows, attn::Index cols) {
  attn::Matrix m(rows, cols);
  for (attn::Index i = 0; i < rows; ++i)
    for (attn::Index j = 0; j < cols; ++j) m(i, j) = 4 * rng.uniform() - 2;
  return m;
}

attn::Matrix any_matrix(attn::Rng& rng, int rows_from, int rows_to,
                        int cols_from, int cols_to) {
  const int rows = rows_from + rng.below(rows_to - rows_from + 1);
  const int cols = cols_from + rng.below(cols_to - cols_from + 1);
  return matrix(rng, rows, cols);
}

attn::Matrix matrix_like(attn::Rng& rng, const attn::Matrix& shape) {
  return matrix(rng, shape.rows(), shape.cols());
}

bool enter(std::string name, Agreement agreement, Body body) {
  entries().push_back({std::move(name), agreement, std::move(body)});
  return true;
}

}  // namespace parity

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::FILE* file = std::fopen(arguments[1], "w");
  if (file == nullptr) return 1;
  for (const auto& entry : parity::entries())
    for (std::uint32_t seed = 1; seed <= parity::kSeeds; ++seed) {
      attn::Rng rng(seed);
      std::fprintf(file, "%s %s", entry.name.c_str(),
                   parity::word(entry.agreement));
      const parity::Numbers numbers = entry.body(rng);
      for (const double x : numbers.list()) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        std::fprintf(file, " %016" PRIx64, bits);
      }
      std::fprintf(file, "\n");
    }
  return std::fclose(file) == 0 ? 0 : 1;
}
