#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/image.hpp"

namespace abut {

/// Height of capitals in the units of glyphs; y goes up from the ground line.
inline constexpr float cap_height = 7;

/// A letter as the lines a pen would draw.
struct Glyph {
  std::vector<std::vector<PixelPosition>> strokes;
  float advance = 0;    ///< to the beginning of the next
  float pen_width = 1;  ///< of the pen; small letters take a finer one
};

/// Latin letters, digits and signs; a box for what the font does not have.
Glyph find_glyph(char32_t letter);

/// The letters of UTF-8; what is none is left out.
std::u32string decode_utf8(std::string_view utf8);

}  // namespace abut
