#pragma once

#include <array>
#include <charconv>
#include <concepts>
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

}  // namespace abut
