#pragma once

#include <abut/error.hpp>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/message.hpp"
#include "io/byte_buffer.hpp"

namespace abut {

/// Maximum number of bytes of a file. By default three quarters of the physical memory, which ends
/// the reading of endless devices such as /dev/zero.
struct ReadLimit {
  static std::size_t default_bytes();
  static constexpr std::string_view default_explanation = "three quarters of the memory";

  std::size_t bytes = 0;           ///< 0: the default
  bool for_regular_files = true;   ///< false: the default applies to them
  std::string_view explanation{};  ///< end of the message about a larger file
};

/// A whole file in memory; "-" is standard input.
class InputFile {
 public:
  /// Throws `Error` (code io) with the file and the message of the operating system, or if the file
  /// is larger than the limit.
  explicit InputFile(const std::string& path, const ReadLimit& limit = {});

  /// The path, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The contents without a UTF-8 byte order mark. Valid as long as this object. Throws `Error`
  /// (code invalid_input) for the byte order mark of UTF-16.
  [[nodiscard]] std::string_view text() const;
  /// All bytes, for binary files. Valid as long as this object.
  [[nodiscard]] std::string_view bytes() const { return buffer_.bytes(); }

 private:
  void read_to_end(int descriptor, std::size_t expected, std::size_t max_bytes,
                   std::string_view explanation);

  std::string name_;
  ByteBuffer buffer_;
};

/// A text without the UTF-8 byte order mark that it may begin with.
std::string_view without_byte_order_mark(std::string_view text);

/// Throws `Error` (code io) if the contents of a file, of which `bytes` have been read, exceed the
/// maximum of `max_bytes`.
void check_file_size(const std::string& file, std::size_t bytes, std::size_t max_bytes,
                     std::string_view explanation);

/// Throws `Error` (code io) if something other than a regular file, such as a pipe, has this path:
/// opening it could block for ever. Does nothing if there is no such file.
void require_regular_file(const std::string& path);

/// The first `bytes` bytes of a file, to detect its format; empty if it cannot be read.
std::string read_file_prefix(const std::string& path, std::size_t bytes = 4096);

/// Names a value of a file in error messages: "x of element 5", or just "radius".
struct Field {
  std::string_view name;
  std::string_view item = {};
  std::size_t item_number = 0;

  [[nodiscard]] std::string description() const {
    return item.empty() ? std::string(name) : message(name, " of ", item, " ", item_number);
  }
};

/// Reads a text once from beginning to end, token by token. Keeps track of the line, so that every
/// `Error` (code invalid_input) has file and line, and for a wrong value also column, key and
/// value:
///
///     particles.csv:7:5: x of particle 3 = abc: must be a number
///
/// File name and text are not copied and must outlive the scanner. Copies are cheap and serve to
/// look ahead.
class Scanner {
 public:
  /// A token ends at a blank, a line end or `separator`.
  Scanner(std::string_view file, std::string_view text, char separator = ' ')
      : file_(file),
        begin_(text.data()),
        cursor_(begin_),
        end_(begin_ + text.size()),
        separator_(separator) {}

  [[nodiscard]] std::size_t line() const { return line_; }  ///< counted from 1
  /// Number of bytes that have not been read.
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - cursor_); }
  [[nodiscard]] bool at_end() const { return cursor_ == end_; }
  [[nodiscard]] bool at_line_end() const {
    return at_end() || *cursor_ == '\n' || *cursor_ == '\r';
  }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : *cursor_; }

  void skip_blanks() {
    while (cursor_ != end_ && (*cursor_ == ' ' || *cursor_ == '\t')) ++cursor_;
  }

  /// Skips the next character if it is `wanted`; returns whether it was.
  bool skip(char wanted) {
    const bool found = peek() == wanted && cursor_ != end_;
    cursor_ += static_cast<int>(found);
    return found;
  }

  /// Skips a line end (LF, CRLF or CR); returns whether there was one.
  bool skip_line_end() {
    if (!at_line_end() || at_end()) return false;
    if (*cursor_ == '\r' && end_ - cursor_ > 1 && cursor_[1] == '\n') ++cursor_;
    ++cursor_;
    ++line_;
    return true;
  }

  /// Skips blanks and line ends.
  void skip_whitespace() {
    do skip_blanks();
    while (skip_line_end());
  }

  /// Moves forward to this offset in the text, in bytes, and counts the lines in between.
  void advance_to(std::size_t offset);

  /// Reads a finite number.
  double number(const Field& field) {
    double value = 0;
    read(field, value, "a number");
    if (!std::isfinite(value)) fail(field, last_token_, "must be finite");
    return value;
  }

  template <class Integer>
  Integer integer(const Field& field) {
    Integer value = 0;
    read(field, value, "an integer");
    return value;
  }

  /// The token at the cursor, which does not move.
  [[nodiscard]] std::string_view word() const {
    const char* stop = cursor_;
    while (stop != end_ && !ends_word(*stop)) ++stop;
    return {cursor_, static_cast<std::size_t>(stop - cursor_)};
  }

  void skip_word() { cursor_ += word().size(); }

  /// Skips up to the next separator or line end and returns the text in between, quotes included. A
  /// separator within quotes belongs to the field.
  std::string_view field() {
    const char* begin = cursor_;
    while (skip('"'))  // a quote within quotes is written twice
      while (!at_line_end() && !skip('"')) ++cursor_;
    while (!at_line_end() && *cursor_ != separator_) ++cursor_;
    return {begin, static_cast<std::size_t>(cursor_ - begin)};
  }

  /// The last number or integer as it is written in the file.
  [[nodiscard]] std::string_view last_token() const { return last_token_; }

  /// Throws an `Error` about the current line, or about a field in it that has no value.
  [[noreturn]] void fail(std::string_view problem) const;
  [[noreturn]] void fail(const Field& field, std::string_view problem) const;
  /// Throws an `Error` about the value of a field. The column is known if `value` is a view of the
  /// scanned text.
  [[noreturn]] void fail(const Field& field, std::string_view value,
                         std::string_view problem) const;

  /// A value as it appears in messages: at most 40 characters, with escaped control characters.
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
  [[nodiscard]] ErrorDetails current_line() const;

  std::string_view file_;
  const char* begin_;
  const char* cursor_;
  const char* end_;
  char separator_;
  std::size_t line_ = 1;
  std::string_view last_token_;
};

/// Whether a text begins with a CSV header: its first line begins with a letter or a quote and has
/// a comma.
bool looks_like_csv(std::string_view text);

/// Reads the column titles of a CSV file, without surrounding quotes and blanks, in lower case.
std::vector<std::string> read_csv_header(Scanner& scan);

/// The column titles in the first line of a text; none unless it is a CSV header with commas.
std::vector<std::string> csv_titles(std::string_view text);

/// For each of `titles` its index in `names`, or `names.size()` for a column to be ignored. Fails
/// if a name is missing or occurs twice; `hint` shows the expected header.
std::vector<std::size_t> match_csv_columns(const Scanner& scan,
                                           const std::vector<std::string>& titles,
                                           std::span<const std::string_view> names,
                                           std::string_view hint);

/// Reads a CSV row of `columns` fields; `read_field(i)` must read field i. Messages name the row as
/// `item number`. Afterward the scanner is at the end of the line.
template <class ReadField>
void read_csv_row(Scanner& scan, std::size_t columns, std::string_view item, std::size_t number,
                  const ReadField& read_field) {
  for (std::size_t i = 0; i < columns; ++i) {
    if (i > 0 && !scan.skip(','))
      scan.fail(message(item, " ", number, " has ", i, " fields, but the header has ", columns));
    scan.skip_blanks();
    read_field(i);
    scan.skip_blanks();
  }
  if (!scan.at_line_end())
    scan.fail(message(item, " ", number, " has more than the ", columns,
                      " fields of the header; write decimal points (1.5), not commas"));
}

}  // namespace abut
