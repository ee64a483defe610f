#pragma once

#include <abut/error.hpp>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/message.hpp"

namespace abut {

/// What a number in a file is: "x of element 5", or just "radius".
struct Field {
  std::string_view name;
  std::string_view owner = {};
  std::size_t number = 0;

  [[nodiscard]] std::string text() const {
    return owner.empty() ? std::string(name) : message(name, " of ", owner, " ", number);
  }
};

/// Walks once through a text, number by number, and knows file and line for every complaint.
class Scanner {
 public:
  /// Fields end at blanks, line ends and at `separator`.
  Scanner(std::string_view file, std::string_view text, char separator = ' ')
      : file_(file), at_(text.data()), end_(text.data() + text.size()), separator_(separator) {}

  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] bool at_line_end() const { return at_end() || *at_ == '\n' || *at_ == '\r'; }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : *at_; }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }

  /// Steps over one character, if it is this one.
  bool skip(char wanted) {
    const bool found = peek() == wanted && at_ != end_;
    at_ += static_cast<int>(found);
    return found;
  }

  /// Steps over a line end (LF, CRLF or CR) if there is one.
  bool skip_line_end() {
    if (!at_line_end() || at_end()) return false;
    if (*at_ == '\r' && end_ - at_ > 1 && at_[1] == '\n') ++at_;
    ++at_;
    ++line_;
    return true;
  }

  /// Steps over blanks and empty lines.
  void skip_to_text() {
    do skip_blanks();
    while (skip_line_end());
  }

  /// Reads a finite number.
  double number(const Field& field) {
    double value = 0;
    read(field, value, "a number");
    if (!std::isfinite(value)) fail(field, last_, "not a finite number");
    return value;
  }

  /// Reads an integer.
  template <class Integer>
  Integer integer(const Field& field) {
    Integer value = 0;
    read(field, value, "a whole number");
    return value;
  }

  /// The rest of this field, without stepping over it.
  [[nodiscard]] std::string_view word() const {
    const char* stop = at_;
    while (stop != end_ && !ends_word(*stop)) ++stop;
    return {at_, static_cast<std::size_t>(stop - at_)};
  }

  void skip_word() { at_ += word().size(); }

  /// Steps over a field that may be quoted or hold blanks, and returns it as it stands.
  std::string_view field() {
    const char* begin = at_;
    while (skip('"'))  // a quote within quotes is written twice
      while (!at_line_end() && !skip('"')) ++at_;
    while (!at_line_end() && *at_ != separator_) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  /// What the last number or integer looked like in the file.
  [[nodiscard]] std::string_view last() const { return last_; }

  [[noreturn]] void fail(std::string_view problem) const {
    throw Error(message(file_, ":", line_, ": ", problem));
  }
  [[noreturn]] void fail(const Field& field, std::string_view value,
                         std::string_view problem) const {
    fail(message(field.text(), " = ", printable(value), ": ", problem));
  }

  /// A value as it can stand in a message: quoted, cut short, without control characters.
  static std::string printable(std::string_view value);

 private:
  [[nodiscard]] bool ends_word(char c) const {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == separator_;
  }

  template <class Number>
  void read(const Field& field, Number& value, std::string_view kind) {
    const char* begin = at_;
    const bool plus = end_ - begin > 1 && begin[0] == '+' && begin[1] != '-';
    const char* digits = begin + static_cast<int>(plus);
    const auto [stop, error] = std::from_chars(digits, end_, value);
    if (error != std::errc{} || (stop != end_ && !ends_word(*stop))) refuse(field, error, kind);
    last_ = {begin, static_cast<std::size_t>(stop - begin)};
    at_ = stop;
  }

  [[noreturn]] void refuse(const Field& field, std::errc error, std::string_view kind) const;

  std::string_view file_;
  const char* at_;
  const char* end_;
  char separator_;
  std::size_t line_ = 1;
  std::string_view last_;
};

}  // namespace abut
