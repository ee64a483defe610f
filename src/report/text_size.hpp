#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

// The size of texts in figures, estimated: the font depends on the machine that displays them.

namespace abut {

/// Number of characters: continuation bytes of UTF-8 do not count.
inline std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// Mean width of a letter relative to the font size, in a wide sans-serif font.
inline constexpr double letter_width = 0.6;

inline double text_width(std::string_view text, double font_size) {
  return letter_width * font_size * static_cast<double>(letters_of(text));
}

/// The font size, reduced if the text would be wider than `available`.
inline double fitting_font_size(std::string_view text, double font_size, double available) {
  return std::min(font_size, font_size * available / std::max(1.0, text_width(text, font_size)));
}

}  // namespace abut
