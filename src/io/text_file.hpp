#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace abut {

/// A whole file in memory ("-" is standard input).
class TextFile {
 public:
  /// Throws `Error` naming the file and the system's reason.
  explicit TextFile(const std::string& path);

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
std::string beginning_of(const std::string& path, std::size_t bytes = 4096);

}  // namespace abut
