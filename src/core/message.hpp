#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace abut {

inline void append(std::string& text, std::string_view part) { text += part; }

// Appends the shortest decimal representation that converts back to the same number, e.g. 0.1.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
void append(std::string& text, Number value) {
  std::array<char, 32> digits{};
  text.append(digits.data(),
              std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

/// Concatenates strings and numbers: message("radius[", i, "] = ", r).
template <class... Parts>
std::string message(const Parts&... parts) {
  std::string text;
  (append(text, parts), ...);
  return text;
}

/// A text as it is quoted in messages: at most 60 bytes of it, without a part of a UTF-8 character.
inline std::string shortened(std::string_view text) {
  constexpr std::size_t max_bytes = 60;
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t size = max_bytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return std::string(text.substr(0, size)) + "…";
}

}  // namespace abut
