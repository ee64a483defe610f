#pragma once

#include <string>
#include <string_view>

namespace abut {

/// A text on one line: control characters, as in names and keys from damaged files, are escaped as
/// \x0a.
inline std::string on_one_line(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      line += c;
    else
      line += {'\\', 'x', hex[byte / 16], hex[byte % 16]};
  }
  return line;
}

}  // namespace abut
