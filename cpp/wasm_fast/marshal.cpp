#include "marshal.hpp"

namespace attn::fast::wasm {

val matrix_to_js(const Matrix& from) {
  val to = val::object();
  to.set("rows", static_cast<int>(from.rows));
  to.set("cols", static_cast<int>(from.cols));
  to.set("data", list_to_js(from.data));
  return to;
}

val failure(ErrorCode code, const char* message) {
  val error = val::object();
  error.set("code", std::string(name(code)));
  error.set("message", std::string(message));
  val out = val::object();
  out.set("error", error);
  return out;
}

}  // namespace attn::fast::wasm
