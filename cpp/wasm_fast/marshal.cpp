#include "marshal.hpp"

#include <exception>
#include <new>

namespace attn::fast::wasm {

val matrix_to_js(const Matrix& from) {
  val to = val::object();
  to.set("rows", static_cast<int>(from.rows));
  to.set("cols", static_cast<int>(from.cols));
  to.set("data", list_to_js(from.data));
  return to;
}

namespace {

val failure(ErrorCode code, const char* message) {
  val error = val::object();
  error.set("code", val(name(code).data()));
  error.set("message", val(message));
  val out = val::object();
  out.set("error", error);
  return out;
}

}  // namespace

val guarded(val (*call)(const void* context), const void* context) {
  try {
    val out = val::object();
    out.set("ok", call(context));
    return out;
  } catch (const Error& e) {
    return failure(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::kOutOfMemory, "out-of-memory: memory is full");
  } catch (const std::exception& e) {
    return failure(ErrorCode::kInternal, e.what());
  }
}

}  // namespace attn::fast::wasm
