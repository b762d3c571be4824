#include "marshal.hpp"

#include <exception>
#include <new>

namespace attn::wasm {
namespace {

template <class T>
std::vector<T> list_from_js(const val& from) {
  std::vector<T> out(static_cast<std::size_t>(length(from)));
  val view(emscripten::typed_memory_view(out.size(), out.data()));
  view.call<void>("set", from);
  return out;
}

// `slice` copies out of the heap, which a later call may move.
template <class T>
val copy(std::size_t count, const T* from) {
  return val(emscripten::typed_memory_view(count, from)).call<val>("slice");
}

val failure(ErrorCode code, const char* message) {
  val error = val::object();
  set(error, "code", text_to_js(name(code).data()));
  set(error, "message", text_to_js(message));
  val out = val::object();
  set(out, "error", error);
  return out;
}

}  // namespace

double number_from_js(const val& v) { return v.as<double>(); }
bool flag_from_js(const val& v) { return v.as<bool>(); }
std::string text_from_js(const val& v) { return v.as<std::string>(); }

std::size_t word_from_js(const val& v, const char* const* words,
                         std::size_t count) {
  const std::string word = text_from_js(v);
  for (std::size_t i = 0; i < count; ++i)
    if (word == words[i]) return i;
  throw Error(ErrorCode::kInvalidArgument, "there is no choice " + word);
}

Matrix matrix_from_js(const val& m) {
  const double rows = number_from_js(get(m, "rows"));
  const double cols = number_from_js(get(m, "cols"));
  const val data = get(m, "data");
  if (rows < 0 || cols < 0 || length(data) != rows * cols)
    throw Error(ErrorCode::kShapeMismatch, "data.length is not rows * cols");
  Matrix out(static_cast<Index>(rows), static_cast<Index>(cols));
  val view(emscripten::typed_memory_view(static_cast<std::size_t>(out.size()),
                                         out.data()));
  view.call<void>("set", data);
  return out;
}

MatrixOf<bool> truths_from_js(const val& m) {
  const Matrix numbers = matrix_from_js(m);
  MatrixOf<bool> out(numbers.rows(), numbers.cols());
  for (Index i = 0; i < numbers.rows(); ++i)
    for (Index j = 0; j < numbers.cols(); ++j) {
      if (numbers(i, j) != 0 && numbers(i, j) != 1)
        throw Error(ErrorCode::kInvalidArgument,
                    "a mask holds only the numbers 0 and 1");
      out(i, j) = numbers(i, j) == 1;
    }
  return out;
}

std::vector<double> doubles_from_js(const val& list) {
  return list_from_js<double>(list);
}
std::vector<int> ints_from_js(const val& list) {
  return list_from_js<int>(list);
}

val get(const val& object, const char* name) { return object[name]; }
val element(const val& list, int i) { return list[i]; }
int length(const val& list) { return list["length"].as<int>(); }

val number_to_js(double x) { return val(x); }
val flag_to_js(bool b) { return val(b); }
val text_to_js(const char* text) { return val(text); }

val matrix_to_js(const Matrix& m) {
  val out = val::object();
  set(out, "rows", number_to_js(static_cast<double>(m.rows())));
  set(out, "cols", number_to_js(static_cast<double>(m.cols())));
  set(out, "data", copy(static_cast<std::size_t>(m.size()), m.data()));
  return out;
}

val truths_to_js(const MatrixOf<bool>& m) {
  return matrix_to_js(m.cast<double>());
}

val doubles_to_js(const std::vector<double>& list) {
  return copy(list.size(), list.data());
}
val ints_to_js(const std::vector<int>& list) {
  return copy(list.size(), list.data());
}

void set(val& object, const char* name, const val& value) {
  object.set(name, value);
}
void push(val& list, const val& value) { list.call<void>("push", value); }

val object_to_js(const void* object, const FieldRow* rows, std::size_t count) {
  val out = val::object();
  for (std::size_t i = 0; i < count; ++i)
    set(out, rows[i].name, rows[i].to(object));
  return out;
}

void object_from_js(const val& v, void* object, const FieldRow* rows,
                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const val value = get(v, rows[i].name);
    if (!value.isUndefined()) rows[i].from(value, object);
  }
}

val guarded(val (*call)(const val* args), const val* args) {
  try {
    val out = val::object();
    set(out, "ok", call(args));
    return out;
  } catch (const Error& e) {
    return failure(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::kOutOfMemory, "out-of-memory: memory is full");
  } catch (const std::exception& e) {
    return failure(ErrorCode::kInternal, e.what());
  }
}

}  // namespace attn::wasm
