#include <attn/error.hpp>

namespace attn {

std::string_view name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kShapeMismatch:
      return "shape-mismatch";
    case ErrorCode::kNotFinite:
      return "not-finite";
    case ErrorCode::kEmptyInput:
      return "empty-input";
    case ErrorCode::kInvalidArgument:
      return "invalid-argument";
    case ErrorCode::kTooLarge:
      return "too-large";
    case ErrorCode::kOutOfMemory:
      return "out-of-memory";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kDiverged:
      return "diverged";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

}  // namespace attn
