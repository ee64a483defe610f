#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace abut::fuzz {

/// A reader of data from outside. Its seeds, and inputs that it once failed on, are the files of
/// fuzz/readers/<name>.
struct Reader {
  std::string_view name;
  std::string_view file_name;  ///< of its input; the extension may determine the format
  /// Throws `Error` if the input cannot be read.
  void (*read)(const std::string& path);
  /// Corrects counts and checksums of the input, so that more than their check is tested; or null.
  std::string (*repaired)(std::string bytes) = nullptr;
};

std::span<const Reader> readers();

/// Null if there is none of this name.
const Reader* find_reader(std::string_view name);

/// Passes the bytes to a reader. Returns an empty string if it reads them or throws an `Error`
/// whose message is one line of reasonable length, and otherwise what it did instead. Uses a file
/// in the folder for temporary files. Not thread-safe.
std::string check_reader(const Reader& reader, std::span<const std::uint8_t> bytes);

}  // namespace abut::fuzz
