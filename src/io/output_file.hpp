#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A file that is whole or not there: written aside, renamed by `commit`, removed otherwise. "-" is
/// standard output; devices and pipes are written as they are. Throws `Error` with the system's
/// reason when something cannot be written.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  OutputFile& operator<<(std::string_view text);
  OutputFile& operator<<(char c) {
    reserve(1);
    buffer_[used_++] = c;
    return *this;
  }
  /// Shortest digits that read back as the same number.
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> OutputFile& operator<<(
      Number value) {
    constexpr std::size_t longest = 32;
    reserve(longest);
    char* begin = buffer_.get() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest, value).ptr - begin);
    return *this;
  }

  /// Hands all that was written to the system.
  void flush() { write_buffer(); }

  /// Writes what is left and puts the file in its place.
  void commit();

  /// As `commit`, and once it returns the file survives a loss of power too.
  void commit_to_disk();

 private:
  static constexpr std::size_t capacity = 1U << 16U;

  void reserve(std::size_t bytes) {
    if (capacity - used_ < bytes) write_buffer();
  }
  void write_buffer();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_path_;  // empty when written in place
  bool is_standard_output_ = false;
  int file_ = -1;
  std::size_t used_ = 0;
  std::unique_ptr<char[]> buffer_;
};

/// What a file that is written aside will be called, by the name it has until then; nothing if it
/// is not such a file.
std::optional<std::string_view> final_name(std::string_view name);

/// Whether this path means standard output.
bool is_standard_output(const std::string& path);

/// A folder for results, made with those above it if it is not there. What it made is removed
/// again where nothing has been put into it. Throws `Error` with the system's reason.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  [[nodiscard]] std::string path_of(const std::string& name) const;

 private:
  void remove_created();

  std::string path_;
  std::vector<std::string> created_;  // outermost first
};

}  // namespace abut
