#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace attn {

/// Why an operation was refused. Each code has one stable spelling, used in
/// C++, in JavaScript and in the learner's message catalogue.
enum class ErrorCode {
  kShapeMismatch,    ///< two arguments whose shapes do not fit each other
  kNotFinite,        ///< NaN or infinity where a number is needed
  kEmptyInput,       ///< a matrix or list without any element
  kInvalidArgument,  ///< a value outside the range that the header states
  kTooLarge,         ///< an intermediate over the header's limit
  kOutOfMemory,      ///< the allocator said no
  kCancelled,        ///< the learner stopped a long computation
  kUnavailable,      ///< the platform lacks what this needs
  kDiverged,         ///< a result left the finite numbers
  kInternal,         ///< a bug of ours, nothing else
};

/// "shape-mismatch", "not-finite", …
std::string_view name(ErrorCode code) noexcept;

/// Thrown by every checked entry point of the library.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& detail)
      : std::runtime_error(std::string(name(code)) + ": " + detail),
        code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace attn
