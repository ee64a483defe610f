#include "render/canvas.hpp"

#include <algorithm>
#include <limits>

#include "render/stroke_font.hpp"

namespace abut {
namespace {

/// The pixels between two spots, as far as there are some.
struct Patch {
  std::ptrdiff_t left;
  std::ptrdiff_t right;  ///< one beyond
  std::ptrdiff_t top;
  std::ptrdiff_t bottom;
};

std::ptrdiff_t within(float x, std::size_t most) {
  return static_cast<std::ptrdiff_t>(std::clamp(x, 0.0F, static_cast<float>(most)));
}

Patch patch(const Image& image, const Spot& from, const Spot& to) {
  return {within(std::floor(from[0]), image.width()), within(std::ceil(to[0]) + 1, image.width()),
          within(std::floor(from[1]), image.height()),
          within(std::ceil(to[1]) + 1, image.height())};
}

template <class Visit>
void each_pixel(const Patch& patch, const Visit& visit) {
  for (std::ptrdiff_t y = patch.top; y < patch.bottom; ++y)
    for (std::ptrdiff_t x = patch.left; x < patch.right; ++x)
      visit(x, y, Spot{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F});
}

float distance(const Spot& a, const Spot& b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }

float distance(const Spot& p, const Spot& a, const Spot& b) {
  const float x = b[0] - a[0];
  const float y = b[1] - a[1];
  const float square = x * x + y * y;
  const float along = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
  const float part = std::clamp(along, 0.0F, 1.0F);
  return distance(p, {a[0] + part * x, a[1] + part * y});
}

float distance(const Spot& p, std::span<const std::vector<Spot>> lines) {
  float least = std::numeric_limits<float>::max();
  for (const std::vector<Spot>& line : lines)
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      least = std::min(least, distance(p, line[i], line[i + 1]));
  return least;
}

/// How much of a pixel lies within an edge that is so far beyond its middle.
float coverage(float beyond) { return std::clamp(beyond + 0.5F, 0.0F, 1.0F); }

}  // namespace

void Canvas::strokes(std::span<const std::vector<Spot>> lines, float width, const Colour& colour,
                     float alpha) {
  constexpr float far = std::numeric_limits<float>::max();
  Spot least{far, far};
  Spot most{-far, -far};
  for (const std::vector<Spot>& line : lines)
    for (const Spot& spot : line)
      for (std::size_t k = 0; k < 2; ++k) {
        least[k] = std::min(least[k], spot[k] - width);
        most[k] = std::max(most[k], spot[k] + width);
      }
  // A line thinner than a pixel is a pale one.
  const float drawn = std::max(width, 1.0F);
  const float strength = alpha * std::min(width, 1.0F);
  each_pixel(patch(image_, {least[0] - 1, least[1] - 1}, {most[0] + 1, most[1] + 1}),
             [&](std::ptrdiff_t x, std::ptrdiff_t y, const Spot& spot) {
               image_.blend(x, y, colour, strength * coverage(drawn / 2 - distance(spot, lines)));
             });
}

void Canvas::stroke(std::span<const Spot> line, float width, const Colour& colour, float alpha) {
  const std::vector<std::vector<Spot>> one{{line.begin(), line.end()}};
  strokes(one, width, colour, alpha);
}

void Canvas::disc(const Spot& middle, float radius, const Colour& colour, float alpha) {
  each_pixel(patch(image_, {middle[0] - radius - 1, middle[1] - radius - 1},
                   {middle[0] + radius + 1, middle[1] + radius + 1}),
             [&](std::ptrdiff_t x, std::ptrdiff_t y, const Spot& spot) {
               image_.blend(x, y, colour, alpha * coverage(radius - distance(spot, middle)));
             });
}

void Canvas::circle(const Spot& middle, float radius, float width, const Colour& colour,
                    float alpha) {
  const float drawn = std::max(width, 1.0F);
  const float strength = alpha * std::min(width, 1.0F);
  each_pixel(patch(image_, {middle[0] - radius - width - 1, middle[1] - radius - width - 1},
                   {middle[0] + radius + width + 1, middle[1] + radius + width + 1}),
             [&](std::ptrdiff_t x, std::ptrdiff_t y, const Spot& spot) {
               const float off = std::abs(distance(spot, middle) - radius);
               image_.blend(x, y, colour, strength * coverage(drawn / 2 - off));
             });
}

// Sixteen lines a row of pixels; along each, the exact lengths inside.
void Canvas::fill(std::span<const Spot> outline, const Colour& colour, float alpha) {
  constexpr int lines = 16;
  Spot least{outline[0]};
  Spot most{outline[0]};
  for (const Spot& spot : outline)
    for (std::size_t k = 0; k < 2; ++k) {
      least[k] = std::min(least[k], spot[k]);
      most[k] = std::max(most[k], spot[k]);
    }
  const Patch area = patch(image_, least, most);
  if (area.left >= area.right) return;
  std::vector<float> covered(static_cast<std::size_t>(area.right - area.left));
  std::vector<float> crossings;
  for (std::ptrdiff_t row = area.top; row < area.bottom; ++row) {
    std::ranges::fill(covered, 0.0F);
    for (int line = 0; line < lines; ++line) {
      const float y = static_cast<float>(row) + (static_cast<float>(line) + 0.5F) / lines;
      crossings.clear();
      for (std::size_t i = 0; i < outline.size(); ++i) {
        const Spot& a = outline[i];
        const Spot& b = outline[(i + 1) % outline.size()];
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

void Canvas::rectangle(const Spot& from, const Spot& to, const Colour& colour) {
  fill(std::array<Spot, 4>{{from, {to[0], from[1]}, to, {from[0], to[1]}}}, colour);
}

void Canvas::write(std::string_view text, const Spot& at, float height, const Colour& colour,
                   bool bold) {
  const float unit = height / capital_height;
  float x = at[0];
  for (const char32_t letter : letters_of(text)) {
    Glyph glyph = glyph_of(letter);
    for (std::vector<Spot>& line : glyph.lines)
      for (Spot& spot : line) spot = {x + unit * spot[0], at[1] - unit * spot[1]};
    if (!glyph.lines.empty())
      strokes(glyph.lines, glyph.weight * std::max(1.15F, (bold ? 1.25F : 0.85F) * unit), colour,
              1);
    x += unit * glyph.advance;
  }
}

float text_width(std::string_view text, float height) {
  float width = 0;
  for (const char32_t letter : letters_of(text)) width += glyph_of(letter).advance;
  return width * height / capital_height;
}

}  // namespace abut
