#pragma once

#include <abut/error.hpp>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/message.hpp"

namespace abut {

/// What a number in a file is: "x of element 5", or just "radius".
struct Field {
  std::string_view name;
  std::string_view item = {};
  std::size_t item_number = 0;

  [[nodiscard]] std::string description() const {
    return item.empty() ? std::string(name) : message(name, " of ", item, " ", item_number);
  }
};

/// Walks once through a text, number by number, and knows file and line for every complaint.
class Scanner {
 public:
  /// Fields end at blanks, line ends and at `separator`.
  Scanner(std::string_view file, std::string_view text, char separator = ' ')
      : file_(file), cursor_(text.data()), end_(text.data() + text.size()), separator_(separator) {}

  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - cursor_); }
  [[nodiscard]] bool at_end() const { return cursor_ == end_; }
  [[nodiscard]] bool at_line_end() const {
    return at_end() || *cursor_ == '\n' || *cursor_ == '\r';
  }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : *cursor_; }

  void skip_blanks() {
    while (cursor_ != end_ && (*cursor_ == ' ' || *cursor_ == '\t')) ++cursor_;
  }

  /// Steps over one character, if it is this one.
  bool skip(char wanted) {
    const bool found = peek() == wanted && cursor_ != end_;
    cursor_ += static_cast<int>(found);
    return found;
  }

  /// Steps over a line end (LF, CRLF or CR) if there is one.
  bool skip_line_end() {
    if (!at_line_end() || at_end()) return false;
    if (*cursor_ == '\r' && end_ - cursor_ > 1 && cursor_[1] == '\n') ++cursor_;
    ++cursor_;
    ++line_;
    return true;
  }

  /// Steps over blanks and empty lines.
  void skip_whitespace() {
    do skip_blanks();
    while (skip_line_end());
  }

  /// Reads a finite number.
  double number(const Field& field) {
    double value = 0;
    read(field, value, "a number");
    if (!std::isfinite(value)) fail(field, last_token_, "not a finite number");
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
    const char* stop = cursor_;
    while (stop != end_ && !ends_word(*stop)) ++stop;
    return {cursor_, static_cast<std::size_t>(stop - cursor_)};
  }

  void skip_word() { cursor_ += word().size(); }

  /// Steps over a field that may be quoted or hold blanks, and returns it as it stands.
  std::string_view field() {
    const char* begin = cursor_;
    while (skip('"'))  // a quote within quotes is written twice
      while (!at_line_end() && !skip('"')) ++cursor_;
    while (!at_line_end() && *cursor_ != separator_) ++cursor_;
    return {begin, static_cast<std::size_t>(cursor_ - begin)};
  }

  /// What the last number or integer looked like in the file.
  [[nodiscard]] std::string_view last_token() const { return last_token_; }

  [[noreturn]] void fail(std::string_view problem) const {
    throw Error(message(file_, ":", line_, ": ", problem));
  }
  [[noreturn]] void fail(const Field& field, std::string_view value,
                         std::string_view problem) const {
    fail(message(field.description(), " = ", printable(value), ": ", problem));
  }

  /// A value as it can stand in a message: quoted, cut short, without control characters.
  static std::string printable(std::string_view value);

 private:
  [[nodiscard]] bool ends_word(char c) const {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == separator_;
  }

  template <class Number>
  void read(const Field& field, Number& value, std::string_view kind) {
    const char* begin = cursor_;
    const bool plus = end_ - begin > 1 && begin[0] == '+' && begin[1] != '-';
    const char* digits = begin + static_cast<int>(plus);
    const auto [stop, error] = std::from_chars(digits, end_, value);
    if (error != std::errc{} || (stop != end_ && !ends_word(*stop)))
      fail_to_parse(field, error, kind);
    last_token_ = {begin, static_cast<std::size_t>(stop - begin)};
    cursor_ = stop;
  }

  [[noreturn]] void fail_to_parse(const Field& field, std::errc error, std::string_view kind) const;

  std::string_view file_;
  const char* cursor_;
  const char* end_;
  char separator_;
  std::size_t line_ = 1;
  std::string_view last_token_;
};

/// A whole file in memory ("-" is standard input).
class InputFile {
 public:
  /// Throws `Error` naming the file and the system's reason.
  explicit InputFile(const std::string& path);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Without the byte order mark.
  [[nodiscard]] std::string_view text() const { return text_; }
  /// All of it, for files that may be no text.
  [[nodiscard]] std::string_view bytes() const { return {bytes_.get(), size_}; }

 private:
  std::string name_;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::string_view text_;
};

/// The first bytes of a file, to tell what it is; empty if it cannot be read.
std::string read_file_prefix(const std::string& path, std::size_t bytes = 4096);

/// Whether a text begins with a header: a letter or a quote first, a comma within the line.
bool looks_like_csv(std::string_view text);

/// Reads the line of titles: without quotes and blanks around them, in small letters.
std::vector<std::string> read_csv_header(Scanner& scan);

}  // namespace abut
