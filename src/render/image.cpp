#include "render/image.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "render/stroke_font.hpp"

namespace abut {
namespace {

std::uint8_t to_byte(float part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0F, 1.0F) * 255));
}

float decode_srgb(float c) {
  return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}

float encode_srgb(float c) {
  c = std::clamp(c, 0.0F, 1.0F);
  return c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1 / 2.4F) - 0.055F;
}

}  // namespace

Color to_linear(const Color& colour) {
  return {decode_srgb(colour.x), decode_srgb(colour.y), decode_srgb(colour.z)};
}

Color to_srgb(const Color& light) {
  return {encode_srgb(light.x), encode_srgb(light.y), encode_srgb(light.z)};
}

Image::Image(std::size_t width, std::size_t height, const Color& background)
    : width_(width), height_(height), bytes_(3 * width * height) {
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) set(x, y, background);
}

void Image::set(std::size_t x, std::size_t y, const Color& colour) {
  std::uint8_t* const at = &bytes_[3 * (y * width_ + x)];
  at[0] = to_byte(colour.x);
  at[1] = to_byte(colour.y);
  at[2] = to_byte(colour.z);
}

void Image::blend(std::ptrdiff_t x, std::ptrdiff_t y, const Color& colour, float alpha) {
  if (x < 0 || y < 0 || x >= std::ssize(bytes_) || y >= std::ssize(bytes_)) return;
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  if (column >= width_ || row >= height_ || !(alpha > 0)) return;
  const std::uint8_t* const at = &bytes_[3 * (row * width_ + column)];
  const auto mixed = [&](std::uint8_t below, float above) {
    return static_cast<float>(below) / 255 * (1 - alpha) + above * alpha;
  };
  set(column, row, {mixed(at[0], colour.x), mixed(at[1], colour.y), mixed(at[2], colour.z)});
}

void Image::paste(const Image& other, std::size_t x, std::size_t y) {
  for (std::size_t row = 0; row < other.height_; ++row)
    std::copy_n(&other.bytes_[3 * row * other.width_], 3 * other.width_,
                &bytes_[3 * ((y + row) * width_ + x)]);
}

}  // namespace abut

// A path through Oklab, a space in which distances are as they are seen: lightness goes up in a
// straight line, the hue turns from violet to yellow.
namespace abut {
namespace {

/// Oklab to light, by the matrices of its definition (Ottosson 2020).
Color oklab_to_linear(float lightness, float a, float b) {
  const float l = lightness + 0.3963377774F * a + 0.2158037573F * b;
  const float m = lightness - 0.1055613458F * a - 0.0638541728F * b;
  const float s = lightness - 0.0894841775F * a - 1.2914855480F * b;
  const float l3 = l * l * l;
  const float m3 = m * m * m;
  const float s3 = s * s * s;
  return {4.0767416621F * l3 - 3.3077115913F * m3 + 0.2309699292F * s3,
          -1.2684380046F * l3 + 2.6097574011F * m3 - 0.3413193965F * s3,
          -0.0041960863F * l3 - 0.7034186147F * m3 + 1.7076147010F * s3};
}

/// A value between those of some marks that are equally far from each other.
template <std::size_t N>
float interpolate_knots(const std::array<float, N>& marks, float part) {
  const float place = part * (N - 1);
  const auto left = std::min(static_cast<std::size_t>(place), N - 2);
  const float beyond = place - static_cast<float>(left);
  return marks[left] * (1 - beyond) + marks[left + 1] * beyond;
}

}  // namespace

Color map_color(float part) {
  part = std::clamp(part, 0.0F, 1.0F);
  const float hue =
      interpolate_knots<6>({{298, 268, 230, 182, 142, 105}}, part) * 3.14159265F / 180;
  const float chroma =
      interpolate_knots<6>({{0.150F, 0.135F, 0.110F, 0.120F, 0.165F, 0.185F}}, part);
  const float lightness = 0.40F + 0.51F * part;
  return to_srgb(oklab_to_linear(lightness, chroma * std::cos(hue), chroma * std::sin(hue)));
}

namespace {

/// The pixels between two spots, as far as there are some.
struct PixelRange {
  std::ptrdiff_t left;
  std::ptrdiff_t right;  ///< one beyond
  std::ptrdiff_t top;
  std::ptrdiff_t bottom;
};

std::ptrdiff_t clamp_to_index(float x, std::size_t most) {
  return static_cast<std::ptrdiff_t>(std::clamp(x, 0.0F, static_cast<float>(most)));
}

PixelRange pixel_range(const Image& image, const PixelPosition& from, const PixelPosition& to) {
  return {clamp_to_index(std::floor(from[0]), image.width()),
          clamp_to_index(std::ceil(to[0]) + 1, image.width()),
          clamp_to_index(std::floor(from[1]), image.height()),
          clamp_to_index(std::ceil(to[1]) + 1, image.height())};
}

template <class Visit>
void for_each_pixel(const PixelRange& patch, const Visit& visit) {
  for (std::ptrdiff_t y = patch.top; y < patch.bottom; ++y)
    for (std::ptrdiff_t x = patch.left; x < patch.right; ++x)
      visit(x, y, PixelPosition{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F});
}

float distance(const PixelPosition& a, const PixelPosition& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

float distance(const PixelPosition& p, const PixelPosition& a, const PixelPosition& b) {
  const float x = b[0] - a[0];
  const float y = b[1] - a[1];
  const float square = x * x + y * y;
  const float along = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
  const float part = std::clamp(along, 0.0F, 1.0F);
  return distance(p, {a[0] + part * x, a[1] + part * y});
}

float distance(const PixelPosition& p, std::span<const std::vector<PixelPosition>> lines) {
  float least = std::numeric_limits<float>::max();
  for (const std::vector<PixelPosition>& line : lines)
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      least = std::min(least, distance(p, line[i], line[i + 1]));
  return least;
}

/// How much of a pixel lies within an edge that is so far beyond its middle.
float coverage(float beyond) { return std::clamp(beyond + 0.5F, 0.0F, 1.0F); }

}  // namespace

void Canvas::draw_strokes(std::span<const std::vector<PixelPosition>> lines, float width,
                          const Color& colour, float alpha) {
  constexpr float far = std::numeric_limits<float>::max();
  PixelPosition least{far, far};
  PixelPosition most{-far, -far};
  for (const std::vector<PixelPosition>& line : lines)
    for (const PixelPosition& spot : line)
      for (std::size_t k = 0; k < 2; ++k) {
        least[k] = std::min(least[k], spot[k] - width);
        most[k] = std::max(most[k], spot[k] + width);
      }
  // A line thinner than a pixel is a pale one.
  const float drawn = std::max(width, 1.0F);
  const float strength = alpha * std::min(width, 1.0F);
  for_each_pixel(pixel_range(image_, {least[0] - 1, least[1] - 1}, {most[0] + 1, most[1] + 1}),
                 [&](std::ptrdiff_t x, std::ptrdiff_t y, const PixelPosition& spot) {
                   image_.blend(x, y, colour,
                                strength * coverage(drawn / 2 - distance(spot, lines)));
                 });
}

void Canvas::stroke(std::span<const PixelPosition> line, float width, const Color& colour,
                    float alpha) {
  const std::vector<std::vector<PixelPosition>> one{{line.begin(), line.end()}};
  draw_strokes(one, width, colour, alpha);
}

void Canvas::disk(const PixelPosition& middle, float radius, const Color& colour, float alpha) {
  for_each_pixel(pixel_range(image_, {middle[0] - radius - 1, middle[1] - radius - 1},
                             {middle[0] + radius + 1, middle[1] + radius + 1}),
                 [&](std::ptrdiff_t x, std::ptrdiff_t y, const PixelPosition& spot) {
                   image_.blend(x, y, colour, alpha * coverage(radius - distance(spot, middle)));
                 });
}

void Canvas::circle(const PixelPosition& middle, float radius, float width, const Color& colour,
                    float alpha) {
  const float drawn = std::max(width, 1.0F);
  const float strength = alpha * std::min(width, 1.0F);
  for_each_pixel(
      pixel_range(image_, {middle[0] - radius - width - 1, middle[1] - radius - width - 1},
                  {middle[0] + radius + width + 1, middle[1] + radius + width + 1}),
      [&](std::ptrdiff_t x, std::ptrdiff_t y, const PixelPosition& spot) {
        const float off = std::abs(distance(spot, middle) - radius);
        image_.blend(x, y, colour, strength * coverage(drawn / 2 - off));
      });
}

// Sixteen lines a row of pixels; along each, the exact lengths inside.
void Canvas::fill(std::span<const PixelPosition> outline, const Color& colour, float alpha) {
  constexpr int lines = 16;
  PixelPosition least{outline[0]};
  PixelPosition most{outline[0]};
  for (const PixelPosition& spot : outline)
    for (std::size_t k = 0; k < 2; ++k) {
      least[k] = std::min(least[k], spot[k]);
      most[k] = std::max(most[k], spot[k]);
    }
  const PixelRange area = pixel_range(image_, least, most);
  if (area.left >= area.right) return;
  std::vector<float> covered(static_cast<std::size_t>(area.right - area.left));
  std::vector<float> crossings;
  for (std::ptrdiff_t row = area.top; row < area.bottom; ++row) {
    std::ranges::fill(covered, 0.0F);
    for (int line = 0; line < lines; ++line) {
      const float y = static_cast<float>(row) + (static_cast<float>(line) + 0.5F) / lines;
      crossings.clear();
      for (std::size_t i = 0; i < outline.size(); ++i) {
        const PixelPosition& a = outline[i];
        const PixelPosition& b = outline[(i + 1) % outline.size()];
        if ((a[1] <= y) == (b[1] <= y)) continue;
        crossings.push_back(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
      }
      std::ranges::sort(crossings);
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
        for (std::size_t x = 0; x < covered.size(); ++x) {
          const float left = static_cast<float>(area.left) + static_cast<float>(x);
          const float length = std::min(crossings[i + 1], left + 1) - std::max(crossings[i], left);
          covered[x] += std::max(0.0F, length) / lines;
        }
    }
    for (std::size_t x = 0; x < covered.size(); ++x)
      image_.blend(area.left + static_cast<std::ptrdiff_t>(x), row, colour, alpha * covered[x]);
  }
}

void Canvas::rectangle(const PixelPosition& from, const PixelPosition& to, const Color& colour) {
  fill(std::array<PixelPosition, 4>{{from, {to[0], from[1]}, to, {from[0], to[1]}}}, colour);
}

void Canvas::draw_text(std::string_view text, const PixelPosition& at, float height,
                       const Color& colour, bool bold) {
  const float unit = height / cap_height;
  float x = at[0];
  for (const char32_t letter : decode_utf8(text)) {
    Glyph glyph = find_glyph(letter);
    for (std::vector<PixelPosition>& line : glyph.strokes)
      for (PixelPosition& spot : line) spot = {x + unit * spot[0], at[1] - unit * spot[1]};
    if (!glyph.strokes.empty())
      draw_strokes(glyph.strokes, glyph.pen_width * std::max(1.15F, (bold ? 1.25F : 0.85F) * unit),
                   colour, 1);
    x += unit * glyph.advance;
  }
}

float text_width(std::string_view text, float height) {
  float width = 0;
  for (const char32_t letter : decode_utf8(text)) width += find_glyph(letter).advance;
  return width * height / cap_height;
}

}  // namespace abut
