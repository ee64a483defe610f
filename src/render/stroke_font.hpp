#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/image.hpp"

namespace abut {

/// Height of capital letters in glyph units. Glyph coordinates: y points up from the baseline.
inline constexpr float cap_height = 7;

/// A character as polylines to be drawn with a pen.
struct Glyph {
  std::vector<std::vector<PixelPosition>> strokes;
  float advance = 0;    ///< distance to the origin of the next glyph
  float pen_width = 1;  ///< relative to the default; superscripts use a finer pen
};

/// Latin letters, digits and symbols; a box for any other character.
Glyph find_glyph(char32_t character);

/// The characters of a UTF-8 text; invalid bytes and control characters are ignored.
std::u32string decode_utf8(std::string_view utf8);

}  // namespace abut
