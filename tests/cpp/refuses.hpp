#pragma once

#include <attn/error.hpp>
#include <string>

/// True when `f` throws attn::Error with exactly this code.
template <class F>
bool refuses(attn::ErrorCode code, F&& f) {
  try {
    f();
  } catch (const attn::Error& e) {
    return e.code() == code;
  }
  return false;
}

/// The message of the attn::Error that `f` throws, or "" when it throws none.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const attn::Error& e) {
    return e.what();
  }
  return "";
}
