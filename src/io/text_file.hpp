#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace abut {

/// A whole text file in memory ("-" is standard input), without its byte order mark.
class TextFile {
 public:
  /// Throws `Error` naming the file and the system's reason.
  explicit TextFile(const std::string& path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string name_;
  std::unique_ptr<char[]> bytes_;
  std::string_view text_;
};

}  // namespace abut
