#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <attn/error.hpp>
#include <attn/fast/matrix.hpp>
#include <cstddef>
#include <vector>

// The only code of the fast module that touches the JavaScript heap: one bulk
// copy in, one out, and nothing for JavaScript to delete. The facade in
// web/core/fast.ts has checked every type before a call gets here.
namespace attn::fast::wasm {

using emscripten::val;

/// From the typed array of T.
template <class T>
std::vector<T> list_from_js(const val& from) {
  std::vector<T> to(from["length"].as<std::size_t>());
  val view(emscripten::typed_memory_view(to.size(), to.data()));
  view.call<void>("set", from);
  return to;
}

/// From {rows, cols, data}, where `data` is the typed array of T.
template <class T>
MatrixOf<T> matrix_from_js(const val& from) {
  MatrixOf<T> to;
  to.rows = from["rows"].as<int>();
  to.cols = from["cols"].as<int>();
  to.data = list_from_js<T>(from["data"]);
  return to;
}

// `slice` copies out of the heap, which a later call may move.
template <class T>
val list_to_js(const std::vector<T>& from) {
  return val(emscripten::typed_memory_view(from.size(), from.data()))
      .template call<val>("slice");
}

val matrix_to_js(const Matrix& from);

/// Calls `to(value)` when `object` has `name`; else what is there stays.
template <class F>
void if_given(const val& object, const char* name, F&& to) {
  const val value = object[name];
  if (!value.isUndefined()) to(value);
}

/// {ok: call(context)} or {error: {code, message}}: no exception crosses the
/// border.
val guarded(val (*call)(const void* context), const void* context);

template <class F>
val guarded(const F& call) {
  return guarded(
      [](const void* context) { return (*static_cast<const F*>(context))(); },
      &call);
}

}  // namespace attn::fast::wasm
