#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <attn/error.hpp>
#include <attn/matrix.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The only code that touches the JavaScript heap. A value is copied in whole
// and copied out whole, so that what JavaScript holds is an ordinary object and
// there is nothing for it to delete. The facade in web/core has checked every
// type before a call gets here: a JavaScript exception that unwinds C++ frames
// would leak their handles. Whatever needs no template is in marshal.cpp, once,
// since each function of the core would otherwise carry its own copy.
namespace attn::wasm {

using emscripten::val;

template <class T>
T from_js(const val& v);
template <class T>
val to_js(const T& value);

/// A C++ name in JavaScript's spelling: softmax_rows → softmaxRows.
template <std::size_t N>
struct JsName {
  // NOLINTNEXTLINE(google-explicit-constructor,modernize-avoid-c-arrays)
  constexpr JsName(const char (&name)[N]) {
    std::size_t to = 0;
    bool raise = false;
    for (const char c : name) {
      if (c == '_') {
        raise = true;
        continue;
      }
      const bool lower = c >= 'a' && c <= 'z';
      text[to++] = raise && lower ? static_cast<char>(c - 'a' + 'A') : c;
      raise = false;
    }
  }
  std::array<char, N> text{};
};

/// How one member of a struct crosses the border. A table of these is read by
/// one loop for all structs, since code for each of them would be most of the
/// module.
struct FieldRow {
  const char* name;
  val (*to)(const void* object);
  void (*from)(const val& value, void* object);
};

val object_to_js(const void* object, const FieldRow* rows, std::size_t count);
/// A field that is absent keeps the default of its C++ declaration.
void object_from_js(const val& v, void* object, const FieldRow* rows,
                    std::size_t count);

/// One member that a struct shows to JavaScript.
template <JsName kJsName, auto kMember>
struct Field {
  template <class T>
  static val to(const void* object) {
    return to_js(static_cast<const T*>(object)->*kMember);
  }
  template <class T>
  static void from(const val& value, void* object) {
    auto& member = static_cast<T*>(object)->*kMember;
    member = from_js<std::decay_t<decltype(member)>>(value);
  }
  template <class T>
  static constexpr FieldRow row() {
    return {kJsName.text.data(), &to<T>, &from<T>};
  }
};

template <class... F>
struct FieldList {
  static constexpr bool kKnown = true;
  template <class T>
  static constexpr std::array<FieldRow, sizeof...(F)> kRows{
      F::template row<T>()...};
};

/// Specialised for every struct that crosses the border, as a FieldList.
template <class T>
struct Fields {
  static constexpr bool kKnown = false;
};

/// Specialised for every enumeration that crosses the border, as a WordList:
/// its enumerators, numbered from 0, as words.
template <class T>
struct Words {};

template <JsName... kWords>
struct WordList {
  static constexpr std::array<const char*, sizeof...(kWords)> kList{
      kWords.text.data()...};
};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

double number_from_js(const val& v);
bool flag_from_js(const val& v);
std::string text_from_js(const val& v);
/// The place of a word in `words`.
/// @throws Error kInvalidArgument when it is not there
std::size_t word_from_js(const val& v, const char* const* words,
                         std::size_t count);
/// From {rows, cols, data: Float64Array}.
Matrix matrix_from_js(const val& m);
/// A matrix of truth values travels as a matrix of zeros and ones.
MatrixOf<bool> truths_from_js(const val& m);
std::vector<double> doubles_from_js(const val& list);
std::vector<int> ints_from_js(const val& list);
val get(const val& object, const char* name);
val element(const val& list, int i);
int length(const val& list);

val number_to_js(double x);
val flag_to_js(bool b);
val text_to_js(const char* text);
val matrix_to_js(const Matrix& m);
val truths_to_js(const MatrixOf<bool>& m);
val doubles_to_js(const std::vector<double>& list);
val ints_to_js(const std::vector<int>& list);
void set(val& object, const char* name, const val& value);
void push(val& list, const val& value);

template <class T>
T from_js(const val& v) {
  if constexpr (std::is_same_v<T, Matrix>) {
    return matrix_from_js(v);
  } else if constexpr (std::is_same_v<T, MatrixOf<bool>>) {
    return truths_from_js(v);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return doubles_from_js(v);
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    return ints_from_js(v);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text_from_js(v);
  } else if constexpr (std::is_same_v<T, bool>) {
    return flag_from_js(v);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number_from_js(v));
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(
        word_from_js(v, Words<T>::kList.data(), Words<T>::kList.size()));
  } else if constexpr (IsVector<T>::value) {
    T out;
    const int count = length(v);
    out.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      out.push_back(from_js<typename T::value_type>(element(v, i)));
    return out;
  } else if constexpr (IsOptional<T>::value) {
    if (v.isUndefined()) return std::nullopt;
    return from_js<typename T::value_type>(v);
  } else {
    static_assert(Fields<T>::kKnown, "declare the fields of this struct");
    T out{};
    const auto& rows = Fields<T>::template kRows<T>;
    object_from_js(v, &out, rows.data(), rows.size());
    return out;
  }
}

template <class T>
val to_js(const T& value) {
  if constexpr (std::is_same_v<T, Matrix>) {
    return matrix_to_js(value);
  } else if constexpr (std::is_same_v<T, MatrixOf<bool>>) {
    return truths_to_js(value);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return doubles_to_js(value);
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    return ints_to_js(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text_to_js(value.c_str());
  } else if constexpr (std::is_same_v<T, bool>) {
    return flag_to_js(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_to_js(static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T>) {
    return text_to_js(Words<T>::kList[static_cast<std::size_t>(value)]);
  } else if constexpr (IsVector<T>::value) {
    val out = val::array();
    for (std::size_t i = 0; i < value.size(); ++i)
      push(out, to_js<typename T::value_type>(value[i]));
    return out;
  } else if constexpr (IsOptional<T>::value) {
    return value ? to_js(*value) : val::undefined();
  } else {
    static_assert(Fields<T>::kKnown, "declare the fields of this struct");
    const auto& rows = Fields<T>::template kRows<T>;
    return object_to_js(&value, rows.data(), rows.size());
  }
}

/// Runs `call` and returns {ok: value} or {error: {code, message}}, which the
/// facade throws as a CoreError. No C++ exception crosses the border.
val guarded(val (*call)(const val* args), const val* args);

template <class>
using AsVal = val;

/// `kFunction` with every argument and the result turned to and from values.
template <auto kFunction>
struct Bound;
template <class R, class... A, R (*kFunction)(A...)>
struct Bound<kFunction> {
  static val call(AsVal<A>... args) {
    const std::array<val, sizeof...(A)> list{std::move(args)...};
    return guarded(&unpacked, list.data());
  }

 private:
  static val unpacked(const val* args) {
    return unpacked(args, std::index_sequence_for<A...>{});
  }
  template <std::size_t... I>
  static val unpacked(const val* args, std::index_sequence<I...> /*places*/) {
    return to_js<std::decay_t<R>>(
        kFunction(from_js<std::decay_t<A>>(args[I])...));
  }
};

}  // namespace attn::wasm

/// Exports attn::NAME under its JavaScript spelling; inside
/// EMSCRIPTEN_BINDINGS.
#define ATTN_FUNCTION(NAME)                                   \
  emscripten::function(attn::wasm::JsName(#NAME).text.data(), \
                       &attn::wasm::Bound<&attn::NAME>::call)
