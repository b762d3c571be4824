// Prints one line for each function and seed: name, agreement, and the bits of
// every number that it returned.
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
    case Agreement::kBits: return "bits";
    case Agreement::kFourUlp: return "ulp";
    case Agreement::kStack: return "stack";
  }
  return "";
}

}  // namespace

bool enter(std::string name, Agreement agreement, Body body) {
  entries().push_back({std::move(name), agreement, std::move(body)});
  return true;
}

}  // namespace parity

int main() {
  for (const auto& entry : parity::entries())
    for (std::uint32_t seed = 1; seed <= parity::kSeeds; ++seed) {
      attn::Rng rng(seed);
      std::printf("%s %s", entry.name.c_str(), parity::word(entry.agreement));
      const parity::Numbers numbers = entry.body(rng);
      for (const double x : numbers.list()) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        std::printf(" %016" PRIx64, bits);
      }
      std::printf("\n");
    }
}
