// A stroke font of lines and elliptic arcs. Path commands: M x y moves the pen, L x y draws a line,
// A x y rx ry from to draws an arc of the ellipse with center (x, y), radii rx and ry, between two
// angles in degrees.
#include "render/stroke_font.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace abut {
namespace {

struct GlyphPath {
  char32_t character;
  float width;
  std::string_view path;
};

constexpr float letter_spacing = 1.75F;

constexpr std::array glyph_paths{
    GlyphPath{U' ', 1.4F, ""},
    GlyphPath{U'A', 5, "M0 0 L2.5 7 L5 0 M0.9 2.4 L4.1 2.4"},
    GlyphPath{U'B', 4.5F,
              "M0 0 L0 7 L2.5 7 A2.5 5.35 1.7 1.65 90 -90 L0 3.7 M2.5 3.7 "
              "A2.6 1.85 1.85 1.85 90 -90 L0 0"},
    GlyphPath{U'C', 5, "A3 3.5 3 3.5 48 312"},
    GlyphPath{U'D', 5, "M0 0 L0 7 L1.7 7 A1.7 3.5 3.3 3.5 90 -90 L0 0"},
    GlyphPath{U'E', 3.9F, "M3.9 7 L0 7 L0 0 L3.9 0 M0 3.65 L3.4 3.65"},
    GlyphPath{U'F', 3.8F, "M3.8 7 L0 7 L0 0 M0 3.55 L3.2 3.55"},
    GlyphPath{U'G', 5.7F, "A3 3.5 3 3.5 48 335 L5.72 3.2 L3.4 3.2"},
    GlyphPath{U'H', 4.9F, "M0 0 L0 7 M4.9 0 L4.9 7 M0 3.65 L4.9 3.65"},
    GlyphPath{U'I', 0, "M0 0 L0 7"},
    GlyphPath{U'J', 3, "M3 7 L3 1.7 A1.5 1.7 1.5 1.7 0 -180"},
    GlyphPath{U'K', 4.6F, "M0 0 L0 7 M4.4 7 L0 2.7 M1.5 4.1 L4.6 0"},
    GlyphPath{U'L', 3.7F, "M0 7 L0 0 L3.7 0"},
    GlyphPath{U'M', 5.8F, "M0 0 L0 7 L2.9 1.6 L5.8 7 L5.8 0"},
    GlyphPath{U'N', 4.9F, "M0 0 L0 7 L4.9 0 L4.9 7"},
    GlyphPath{U'O', 6, "A3 3.5 3 3.5 0 360"},
    GlyphPath{U'P', 4.4F, "M0 0 L0 7 L2.5 7 A2.5 5.1 1.9 1.9 90 -90 L0 3.2"},
    GlyphPath{U'Q', 6, "A3 3.5 3 3.5 0 360 M3.7 1.8 L5.8 -0.5"},
    GlyphPath{U'R', 4.5F, "M0 0 L0 7 L2.5 7 A2.5 5.1 1.9 1.9 90 -90 L0 3.2 M2.2 3.2 L4.5 0"},
    GlyphPath{U'S', 4.4F, "A2.25 5.25 1.95 1.75 28 270 A2.25 1.75 2.15 1.75 90 -154"},
    GlyphPath{U'T', 5, "M0 7 L5 7 M2.5 7 L2.5 0"},
    GlyphPath{U'U', 4.9F, "M0 7 L0 2.4 A2.45 2.4 2.45 2.4 180 360 L4.9 7"},
    GlyphPath{U'V', 5, "M0 7 L2.5 0 L5 7"},
    GlyphPath{U'W', 7, "M0 7 L1.75 0 L3.5 6.2 L5.25 0 L7 7"},
    GlyphPath{U'X', 4.7F, "M0 0 L4.7 7 M0 7 L4.7 0"},
    GlyphPath{U'Y', 4.8F, "M0 7 L2.4 3.3 L4.8 7 M2.4 3.3 L2.4 0"},
    GlyphPath{U'Z', 4.5F, "M0 7 L4.5 7 L0 0 L4.5 0"},
    GlyphPath{U'a', 4.1F, "A2.05 2.45 2.05 2.45 0 360 M4.1 4.9 L4.1 0"},
    GlyphPath{U'b', 4.1F, "M0 7 L0 0 M0 2.45 A2.05 2.45 2.05 2.45 180 -180"},
    GlyphPath{U'c', 3.7F, "A2.15 2.45 2.15 2.45 44 316"},
    GlyphPath{U'd', 4.1F, "A2.05 2.45 2.05 2.45 0 360 M4.1 7 L4.1 0"},
    GlyphPath{U'e', 4.2F, "M0.1 2.55 L4.2 2.55 A2.1 2.45 2.1 2.45 2 318"},
    GlyphPath{U'f', 2.3F, "M0.9 0 L0.9 5.6 A2.3 5.6 1.4 1.45 180 82 M-0.2 4.7 L2.3 4.7"},
    GlyphPath{U'g', 4.1F, "A2.05 2.45 2.05 2.45 0 360 M4.1 4.9 L4.1 -0.2 A2.1 -0.2 2 1.9 0 -140"},
    GlyphPath{U'h', 3.8F, "M0 7 L0 0 M0 3 A1.9 3 1.9 1.9 180 0 L3.8 0"},
    GlyphPath{U'i', 0, "M0 0 L0 4.9 M0 6.75 L0 6.85"},
    GlyphPath{U'j', 0.9F, "M0.9 4.9 L0.9 -0.7 A-0.2 -0.7 1.1 1.3 0 -80 M0.9 6.75 L0.9 6.85"},
    GlyphPath{U'k', 3.6F, "M0 0 L0 7 M3.4 4.9 L0 1.8 M1.2 2.9 L3.6 0"},
    GlyphPath{U'l', 0, "M0 0 L0 7"},
    GlyphPath{U'm', 6.2F,
              "M0 4.9 L0 0 M0 3.2 A1.55 3.2 1.55 1.7 180 0 L3.1 0 M3.1 3.2 "
              "A4.65 3.2 1.55 1.7 180 0 L6.2 0"},
    GlyphPath{U'n', 3.8F, "M0 4.9 L0 0 M0 3 A1.9 3 1.9 1.9 180 0 L3.8 0"},
    GlyphPath{U'o', 4.3F, "A2.15 2.45 2.15 2.45 0 360"},
    GlyphPath{U'p', 4.1F, "M0 4.9 L0 -2.1 M0 2.45 A2.05 2.45 2.05 2.45 180 -180"},
    GlyphPath{U'q', 4.1F, "A2.05 2.45 2.05 2.45 0 360 M4.1 4.9 L4.1 -2.1"},
    GlyphPath{U'r', 2.2F, "M0 4.9 L0 0 M0 2.8 A1.8 2.8 1.8 2.1 180 72"},
    GlyphPath{U's', 3.3F, "A1.68 3.62 1.45 1.28 28 270 A1.68 1.17 1.6 1.17 90 -152"},
    GlyphPath{U't', 2.4F, "M0.9 6.4 L0.9 1.4 A2.2 1.4 1.3 1.4 180 280 M-0.2 4.8 L2.3 4.8"},
    GlyphPath{U'u', 3.8F, "M0 4.9 L0 1.9 A1.9 1.9 1.9 1.9 180 360 M3.8 4.9 L3.8 0"},
    GlyphPath{U'v', 3.9F, "M0 4.9 L1.95 0 L3.9 4.9"},
    GlyphPath{U'w', 5.8F, "M0 4.9 L1.45 0 L2.9 4.4 L4.35 0 L5.8 4.9"},
    GlyphPath{U'x', 3.7F, "M0 0 L3.7 4.9 M0 4.9 L3.7 0"},
    GlyphPath{U'y', 4, "M0 4.9 L2.05 0 M4 4.9 L1.2 -2.1"},
    GlyphPath{U'z', 3.5F, "M0 4.9 L3.5 4.9 L0 0 L3.5 0"},
    GlyphPath{U'0', 4.2F, "A2.1 3.5 2.1 3.5 0 360"},
    GlyphPath{U'1', 4.2F, "M0.7 5.6 L2.5 7 L2.5 0"},
    GlyphPath{U'2', 4.2F, "A2.1 5 2 2 168 -32 L0 0 L4.2 0"},
    GlyphPath{U'3', 4.2F, "A2 5.3 1.8 1.7 150 -90 A2 1.8 2.1 1.8 90 -152"},
    GlyphPath{U'4', 4.2F, "M3.1 0 L3.1 7 L0 2 L4.3 2"},
    GlyphPath{U'5', 4.2F, "M3.8 7 L0.7 7 L0.45 3.9 A2 2.3 2.1 2.3 132 -152"},
    GlyphPath{U'6', 4.2F, "A2.1 2.2 2.1 2.2 0 360 M0.02 2.6 A4.2 2.6 4.18 4.4 180 100"},
    GlyphPath{U'7', 4.2F, "M0 7 L4.2 7 L1.4 0"},
    GlyphPath{U'8', 4.2F, "A2.1 5.3 1.75 1.7 0 360 M4.2 1.8 A2.1 1.8 2.1 1.8 0 360"},
    GlyphPath{U'9', 4.2F, "A2.1 4.8 2.1 2.2 0 360 M4.18 4.4 A0 4.4 4.18 4.4 0 -80"},
    GlyphPath{U'.', 0, "M0 0 L0 0.1"},
    GlyphPath{U',', 0.4F, "M0.4 0.2 L-0.1 -1.3"},
    GlyphPath{U':', 0, "M0 0 L0 0.1 M0 4 L0 4.1"},
    GlyphPath{U';', 0.4F, "M0.4 0.2 L-0.1 -1.3 M0.4 4 L0.4 4.1"},
    GlyphPath{U'-', 2.4F, "M0 2.7 L2.4 2.7"},
    GlyphPath{U'\u2013', 3.8F, "M0 2.7 L3.8 2.7"},
    GlyphPath{U'\u2014', 6, "M0 2.7 L6 2.7"},
    GlyphPath{U'\u2212', 3.8F, "M0 3 L3.8 3"},
    GlyphPath{U'+', 3.8F, "M0 3 L3.8 3 M1.9 1.1 L1.9 4.9"},
    GlyphPath{U'=', 3.8F, "M0 4 L3.8 4 M0 2 L3.8 2"},
    GlyphPath{U'/', 2.8F, "M0 -1 L2.8 7.6"},
    GlyphPath{U'\\', 2.8F, "M2.8 -1 L0 7.6"},
    GlyphPath{U'|', 0, "M0 -1.6 L0 7.9"},
    GlyphPath{U'(', 1.5F, "A2.7 3.1 2.7 5 116 244"},
    GlyphPath{U')', 1.5F, "A-1.2 3.1 2.7 5 64 -64"},
    GlyphPath{U'[', 1.3F, "M1.3 8 L0 8 L0 -1.6 L1.3 -1.6"},
    GlyphPath{U']', 1.3F, "M0 8 L1.3 8 L1.3 -1.6 L0 -1.6"},
    GlyphPath{U'{', 2, "M2 8 L1.3 8 L0.9 7.4 L0.9 4 L0 3.2 L0.9 2.4 L0.9 -1 L1.3 -1.6 L2 -1.6"},
    GlyphPath{U'}', 2, "M0 8 L0.7 8 L1.1 7.4 L1.1 4 L2 3.2 L1.1 2.4 L1.1 -1 L0.7 -1.6 L0 -1.6"},
    GlyphPath{U'<', 3.6F, "M3.6 5 L0 3 L3.6 1"},
    GlyphPath{U'>', 3.6F, "M0 5 L3.6 3 L0 1"},
    GlyphPath{U'\u2264', 3.6F, "M3.6 6 L0 4.2 L3.6 2.4 M0 0.9 L3.6 0.9"},
    GlyphPath{U'\u2265', 3.6F, "M0 6 L3.6 4.2 L0 2.4 M0 0.9 L3.6 0.9"},
    GlyphPath{U'_', 4, "M0 -1 L4 -1"},
    GlyphPath{U'\u00b7', 0.6F, "M0.3 2.9 L0.3 3"},
    GlyphPath{U'\u00d7', 3, "M0 1.4 L3 4.6 M0 4.6 L3 1.4"},
    GlyphPath{U'*', 2.6F, "M1.3 6.9 L1.3 4.1 M0.1 6.2 L2.5 4.8 M2.5 6.2 L0.1 4.8"},
    GlyphPath{U'\'', 0, "M0 7 L0 5.2"},
    GlyphPath{U'"', 1.3F, "M0 7 L0 5.2 M1.3 7 L1.3 5.2"},
    GlyphPath{U'`', 1, "M0 7 L1 5.6"},
    GlyphPath{U'\u2019', 0.4F, "M0.4 7 L0 5.4"},
    GlyphPath{U'!', 0, "M0 7 L0 2 M0 0 L0 0.1"},
    GlyphPath{U'?', 3.4F, "A1.7 5.3 1.7 1.7 165 -60 L1.6 2 M1.6 0 L1.6 0.1"},
    GlyphPath{U'#', 4.6F, "M1 0 L2 7 M2.9 0 L3.9 7 M0 2.3 L4.4 2.3 M0.4 4.8 L4.8 4.8"},
    GlyphPath{U'$', 4.4F, "A2.25 5.1 1.95 1.6 28 270 A2.25 1.9 2.15 1.6 90 -154 M2.2 8 L2.2 -1"},
    GlyphPath{U'%', 5.6F, "A1.2 5.6 1.2 1.4 0 360 M5.6 1.4 A4.4 1.4 1.2 1.4 0 360 M4.6 7 L1 0"},
    GlyphPath{U'&', 5,
              "M5 0 L1.2 4.6 A2 5.6 1.2 1.4 215 -40 L0.8 2.8 A2.1 1.7 2.1 1.7 130 330 "
              "L4.6 3"},
    GlyphPath{U'@', 6.6F,
              "A3.3 2.6 1.4 1.7 0 360 M4.7 4.2 L4.7 2 A5.6 2 0.9 1 180 350 "
              "L6.6 3 A3.3 3 3.3 3.9 0 300"},
    GlyphPath{U'^', 3, "M0 5 L1.5 7 L3 5"},
    GlyphPath{U'~', 3.6F, "A0.9 2.8 0.9 0.9 180 20 A2.7 3.2 0.9 0.9 200 350"},
    GlyphPath{U'\u00b0', 2, "A1 6 1 1 0 360"},
    GlyphPath{U'\u00b5', 3.8F, "M0 4.9 L0 -2.1 M0 1.9 A1.9 1.9 1.9 1.9 180 360 M3.8 4.9 L3.8 0"},
    GlyphPath{U'\u00df', 4, "M0 0 L0 5.2 A1.8 5.2 1.8 1.8 180 -60 L2 3.8 A2.1 1.9 1.9 1.9 80 -130"},
    GlyphPath{U'\u00f8', 4.3F, "A2.15 2.45 2.15 2.45 0 360 M0.2 -0.3 L4.1 5.2"},
};

/// Accents, centered at x = 0.
constexpr std::array accents{
    GlyphPath{U'\'', 0, "M-0.4 0 L0.6 1.1"},    // acute
    GlyphPath{U'`', 0, "M0.4 0 L-0.6 1.1"},     // grave
    GlyphPath{U'^', 0, "M-0.9 0 L0 1 L0.9 0"},  // circumflex
    GlyphPath{U'v', 0, "M-0.9 1 L0 0 L0.9 1"},  // caron
    GlyphPath{U':', 0, "M-0.8 0.5 L-0.8 0.6 M0.8 0.5 L0.8 0.6"},
    GlyphPath{U'~', 0, "M-1 0.3 L-0.4 0.8 L0.4 0.3 L1 0.8"},
    GlyphPath{U'o', 0, "A0 0.6 0.6 0.6 0 360"},
};

struct AccentedLetter {
  char32_t character;
  char32_t base;
  char32_t accent;
};

constexpr std::array accented_letters{
    AccentedLetter{U'á', U'a', U'\''}, AccentedLetter{U'à', U'a', U'`'},
    AccentedLetter{U'â', U'a', U'^'},  AccentedLetter{U'ä', U'a', U':'},
    AccentedLetter{U'ã', U'a', U'~'},  AccentedLetter{U'å', U'a', U'o'},
    AccentedLetter{U'ć', U'c', U'\''}, AccentedLetter{U'č', U'c', U'v'},
    AccentedLetter{U'é', U'e', U'\''}, AccentedLetter{U'è', U'e', U'`'},
    AccentedLetter{U'ê', U'e', U'^'},  AccentedLetter{U'ë', U'e', U':'},
    AccentedLetter{U'ě', U'e', U'v'},  AccentedLetter{U'í', U'i', U'\''},
    AccentedLetter{U'ñ', U'n', U'~'},  AccentedLetter{U'ó', U'o', U'\''},
    AccentedLetter{U'ô', U'o', U'^'},  AccentedLetter{U'ö', U'o', U':'},
    AccentedLetter{U'ř', U'r', U'v'},  AccentedLetter{U'š', U's', U'v'},
    AccentedLetter{U'ś', U's', U'\''}, AccentedLetter{U'ú', U'u', U'\''},
    AccentedLetter{U'ü', U'u', U':'},  AccentedLetter{U'ý', U'y', U'\''},
    AccentedLetter{U'ž', U'z', U'v'},  AccentedLetter{U'Ä', U'A', U':'},
    AccentedLetter{U'Å', U'A', U'o'},  AccentedLetter{U'É', U'E', U'\''},
    AccentedLetter{U'Ö', U'O', U':'},  AccentedLetter{U'Ü', U'U', U':'},
    AccentedLetter{U'Č', U'C', U'v'},  AccentedLetter{U'Š', U'S', U'v'},
    AccentedLetter{U'Ž', U'Z', U'v'},
};

constexpr std::u32string_view superscript_digits = U"⁰¹²³⁴⁵⁶⁷⁸⁹";

/// Converts a path to polylines.
class PathReader {
 public:
  explicit PathReader(std::string_view path) : rest_(path) {
    for (skip_spaces(); !rest_.empty(); skip_spaces()) {
      const char command = rest_.front();
      rest_.remove_prefix(1);
      if (command == 'A')
        read_arc();
      else
        read_point(command == 'M');
    }
  }

  std::vector<std::vector<PixelPosition>> lines;

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  float read_number() {
    skip_spaces();
    float value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    rest_.remove_prefix(error == std::errc{} ? static_cast<std::size_t>(end - rest_.data())
                                             : rest_.size());
    return value;
  }

  void read_point(bool starts_stroke) {
    const float x = read_number();
    const float y = read_number();
    if (starts_stroke) lines.emplace_back();
    lines.back().push_back({x, y});
  }

  void read_arc() {
    constexpr int steps = 24;
    std::array<float, 6> arguments{};
    for (float& value : arguments) value = read_number();
    const auto& [x, y, rx, ry, from, to] = arguments;
    if (lines.empty()) lines.emplace_back();
    for (int i = 0; i <= steps; ++i) {
      const float fraction = static_cast<float>(i) / steps;
      const float angle = (from + fraction * (to - from)) * 3.14159265F / 180;
      lines.back().push_back({x + rx * std::cos(angle), y + ry * std::sin(angle)});
    }
  }

  std::string_view rest_;
};

const GlyphPath* find_glyph_path(char32_t character) {
  const auto* const found = std::ranges::find(glyph_paths, character, &GlyphPath::character);
  return found == glyph_paths.end() ? nullptr : found;
}

void scale_and_shift(std::vector<std::vector<PixelPosition>>& lines, float scale,
                     const PixelPosition& offset) {
  for (std::vector<PixelPosition>& line : lines)
    for (PixelPosition& point : line)
      point = {offset[0] + scale * point[0], offset[1] + scale * point[1]};
}

Glyph superscript(const Glyph& glyph) {
  Glyph small = glyph;
  scale_and_shift(small.strokes, 0.62F, {0, 3.6F});
  small.advance *= 0.62F;
  small.pen_width = 0.75F;
  return small;
}

Glyph accented(const AccentedLetter& letter) {
  Glyph glyph = find_glyph(letter.base);
  const float height = letter.base < U'a' ? 8.1F : 6.1F;
  if (letter.base == U'i') glyph.strokes.pop_back();  // its dot
  const auto* const accent = std::ranges::find(accents, letter.accent, &GlyphPath::character);
  PathReader path(accent->path);
  scale_and_shift(path.lines, 1, {(glyph.advance - letter_spacing) / 2, height});
  glyph.strokes.insert(glyph.strokes.end(), path.lines.begin(), path.lines.end());
  return glyph;
}

}  // namespace

Glyph find_glyph(char32_t character) {
  if (const GlyphPath* const path = find_glyph_path(character))
    return {PathReader(path->path).lines, path->width + letter_spacing};
  if (character == U'⁻') return superscript(find_glyph(U'\u2212'));
  const std::size_t digit = superscript_digits.find(character);
  if (digit != std::u32string_view::npos)
    return superscript(find_glyph(U'0' + static_cast<char32_t>(digit)));
  const auto* const letter =
      std::ranges::find(accented_letters, character, &AccentedLetter::character);
  if (letter != accented_letters.end()) return accented(*letter);
  return {PathReader("M0 0 L0 6 L3 6 L3 0 L0 0").lines, 3 + letter_spacing};
}

std::u32string decode_utf8(std::string_view utf8) {
  std::u32string characters;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t character = bytes == 1 ? first : first & (0xFFU >> (bytes + 1));
    bool is_valid = first < 0x80 || (first >= 0xC0 && first < 0xF8 && i + bytes <= utf8.size());
    for (std::size_t k = 1; is_valid && k < bytes; ++k) {
      const auto next = static_cast<unsigned char>(utf8[i + k]);
      is_valid = (next & 0xC0U) == 0x80U;
      character = character << 6U | (next & 0x3FU);
    }
    if (is_valid && character >= U' ') characters.push_back(character);
    i += is_valid ? bytes : 1;
  }
  return characters;
}

}  // namespace abut
