#pragma once

#include <cmath>
#include <cstdint>

namespace attn {

/// How much arithmetic was done. A subtraction is an addition; comparisons and
/// changes of sign are not counted.
struct Tally {
  std::int64_t multiplications = 0;
  std::int64_t additions = 0;
  std::int64_t divisions = 0;
  std::int64_t exponentials = 0;
};

/// A double that enters each of its operations in the tally that it was made
/// with. An algorithm written over its scalar type runs on it unchanged and so
/// counts what it really does, not what a formula says it should. A number made
/// without a tally is a constant; a result belongs to the tally of whichever
/// operand has one.
class Counted {
 public:
  Counted() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Counted(double value) : value_(value) {}
  Counted(double value, Tally& tally) : value_(value), tally_(&tally) {}

  [[nodiscard]] double value() const { return value_; }

  friend Counted operator*(const Counted& a, const Counted& b) {
    return a.result(a.value_ * b.value_, b, &Tally::multiplications);
  }
  friend Counted operator+(const Counted& a, const Counted& b) {
    return a.result(a.value_ + b.value_, b, &Tally::additions);
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    return a.result(a.value_ - b.value_, b, &Tally::additions);
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    return a.result(a.value_ / b.value_, b, &Tally::divisions);
  }
  friend Counted exp(const Counted& a) {
    return a.result(std::exp(a.value_), a, &Tally::exponentials);
  }
  Counted operator-() const { return result(-value_, *this, nullptr); }

  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  friend bool operator<(const Counted& a, const Counted& b) {
    return a.value_ < b.value_;
  }
  friend bool operator==(const Counted& a, const Counted& b) {
    return a.value_ == b.value_;
  }

 private:
  /// Not inlined: it stands behind every operation of every counted algorithm.
  [[nodiscard, gnu::noinline]] Counted result(
      double value, const Counted& other,
      std::int64_t Tally::*kind) const noexcept {
    Counted out(value);
    out.tally_ = tally_ != nullptr ? tally_ : other.tally_;
    if (out.tally_ != nullptr && kind != nullptr) ++(out.tally_->*kind);
    return out;
  }

  double value_ = 0;
  Tally* tally_ = nullptr;
};

}  // namespace attn
