#include "render/image.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "render/stroke_font.hpp"

namespace abut {
namespace {

std::uint8_t to_byte(float component) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(component, 0.0F, 1.0F) * 255));
}

float decode_srgb(float c) {
  return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}

float encode_srgb(float c) {
  c = std::clamp(c, 0.0F, 1.0F);
  return c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1 / 2.4F) - 0.055F;
}

}  // namespace

Color to_linear(const Color& srgb) {
  return {decode_srgb(srgb.x), decode_srgb(srgb.y), decode_srgb(srgb.z)};
}

Color to_srgb(const Color& linear) {
  return {encode_srgb(linear.x), encode_srgb(linear.y), encode_srgb(linear.z)};
}

Image::Image(std::size_t width, std::size_t height, const Color& background)
    : width_(width), height_(height), bytes_(3 * width * height) {
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) set(x, y, background);
}

void Image::set(std::size_t x, std::size_t y, const Color& color) {
  std::uint8_t* const pixel = &bytes_[3 * (y * width_ + x)];
  pixel[0] = to_byte(color.x);
  pixel[1] = to_byte(color.y);
  pixel[2] = to_byte(color.z);
}

void Image::blend(std::ptrdiff_t x, std::ptrdiff_t y, const Color& color, float alpha) {
  if (x < 0 || y < 0 || x >= std::ssize(bytes_) || y >= std::ssize(bytes_)) return;
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  if (column >= width_ || row >= height_ || !(alpha > 0)) return;
  const std::uint8_t* const pixel = &bytes_[3 * (row * width_ + column)];
  const auto mixed = [&](std::uint8_t below, float above) {
    return static_cast<float>(below) / 255 * (1 - alpha) + above * alpha;
  };
  set(column, row, {mixed(pixel[0], color.x), mixed(pixel[1], color.y), mixed(pixel[2], color.z)});
}

void Image::paste(const Image& other, std::size_t x, std::size_t y) {
  for (std::size_t row = 0; row < other.height_; ++row)
    std::copy_n(&other.bytes_[3 * row * other.width_], 3 * other.width_,
                &bytes_[3 * ((y + row) * width_ + x)]);
}

namespace {

/// Oklab to linear RGB (Ottosson 2020).
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

/// Linear interpolation between equidistant knots; `fraction` is 0 … 1.
template <std::size_t N>
float interpolate_knots(const std::array<float, N>& knots, float fraction) {
  const float position = fraction * (N - 1);
  const auto left = std::min(static_cast<std::size_t>(position), N - 2);
  const float offset = position - static_cast<float>(left);
  return knots[left] * (1 - offset) + knots[left + 1] * offset;
}

}  // namespace

// A path through the perceptually uniform color space Oklab: lightness is linear, the hue goes from
// violet to yellow.
Color map_color(float fraction) {
  fraction = std::clamp(fraction, 0.0F, 1.0F);
  const float hue =
      interpolate_knots<6>({{298, 268, 230, 182, 142, 105}}, fraction) * 3.14159265F / 180;
  const float chroma =
      interpolate_knots<6>({{0.150F, 0.135F, 0.110F, 0.120F, 0.165F, 0.185F}}, fraction);
  const float lightness = 0.40F + 0.51F * fraction;
  return to_srgb(oklab_to_linear(lightness, chroma * std::cos(hue), chroma * std::sin(hue)));
}

namespace {

/// A rectangle of pixels, clamped to the image.
struct PixelRange {
  std::ptrdiff_t left;
  std::ptrdiff_t right;  ///< exclusive
  std::ptrdiff_t top;
  std::ptrdiff_t bottom;  ///< exclusive
};

std::ptrdiff_t clamp_to_index(float x, std::size_t max) {
  return static_cast<std::ptrdiff_t>(std::clamp(x, 0.0F, static_cast<float>(max)));
}

PixelRange pixel_range(const Image& image, const PixelPosition& from, const PixelPosition& to) {
  return {clamp_to_index(std::floor(from[0]), image.width()),
          clamp_to_index(std::ceil(to[0]) + 1, image.width()),
          clamp_to_index(std::floor(from[1]), image.height()),
          clamp_to_index(std::ceil(to[1]) + 1, image.height())};
}

/// Calls `visit(x, y, center)` for each pixel.
template <class Visit>
void for_each_pixel(const PixelRange& range, const Visit& visit) {
  for (std::ptrdiff_t y = range.top; y < range.bottom; ++y)
    for (std::ptrdiff_t x = range.left; x < range.right; ++x)
      visit(x, y, PixelPosition{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F});
}

float distance(const PixelPosition& a, const PixelPosition& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

/// From a point to the segment from a to b.
float distance(const PixelPosition& p, const PixelPosition& a, const PixelPosition& b) {
  const float x = b[0] - a[0];
  const float y = b[1] - a[1];
  const float square = x * x + y * y;
  const float projection = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
  const float t = std::clamp(projection, 0.0F, 1.0F);
  return distance(p, {a[0] + t * x, a[1] + t * y});
}

/// The distances of the pixels of a range from the nearest of many segments, as far as they are at
/// most `reach`.
class NearestSegments {
 public:
  NearestSegments(const PixelRange& range, float reach)
      : range_(range),
        reach_(reach),
        columns_(std::max<std::ptrdiff_t>(0, range.right - range.left)),
        nearest_(static_cast<std::size_t>(columns_ *
                                          std::max<std::ptrdiff_t>(0, range.bottom - range.top)),
                 std::numeric_limits<float>::max()) {}

  /// Visits only pixels near the segment, row by row.
  void add(const PixelPosition& a, const PixelPosition& b) {
    const auto [low, high] = std::minmax(a[1], b[1]);
    const auto [top, bottom] = pixels_within(low, high, range_.top, range_.bottom);
    for (std::ptrdiff_t y = top; y < bottom; ++y) {
      const float center = static_cast<float>(y) + 0.5F;
      // The part of the segment that is not farther from the row than the reach.
      const auto x_at = [&](float height) {
        const float t = (height - a[1]) / (b[1] - a[1]);
        return a[0] + std::clamp(t, 0.0F, 1.0F) * (b[0] - a[0]);
      };
      const bool is_level = high - low < 1e-3F;
      const float from = is_level ? a[0] : x_at(center - reach_);
      const float to = is_level ? b[0] : x_at(center + reach_);
      const auto [left, right] =
          pixels_within(std::min(from, to), std::max(from, to), range_.left, range_.right);
      for (std::ptrdiff_t x = left; x < right; ++x) {
        float& nearest = nearest_[index_of(x, y)];
        nearest = std::min(nearest, distance({static_cast<float>(x) + 0.5F, center}, a, b));
      }
    }
  }

  [[nodiscard]] float at(std::ptrdiff_t x, std::ptrdiff_t y) const {
    return nearest_[index_of(x, y)];
  }

 private:
  // The pixels from `first` to `last` − 1 whose centers are within the reach of low … high, and
  // some more because of rounding.
  [[nodiscard]] std::array<std::ptrdiff_t, 2> pixels_within(float low, float high,
                                                            std::ptrdiff_t first,
                                                            std::ptrdiff_t last) const {
    const auto clamped = [&](float position) {
      return static_cast<std::ptrdiff_t>(
          std::clamp(position, static_cast<float>(first), static_cast<float>(last)));
    };
    return {clamped(std::floor(low - reach_) - 1), clamped(std::ceil(high + reach_) + 2)};
  }

  [[nodiscard]] std::size_t index_of(std::ptrdiff_t x, std::ptrdiff_t y) const {
    return static_cast<std::size_t>((y - range_.top) * columns_ + x - range_.left);
  }

  PixelRange range_;
  float reach_;
  std::ptrdiff_t columns_;
  std::vector<float> nearest_;
};

/// The edges of an outline that cross a row of pixels, for consecutive rows.
class CrossingEdges {
 public:
  explicit CrossingEdges(std::span<const PixelPosition> outline)
      : outline_(outline), waiting_(outline.size()) {
    std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
    std::ranges::sort(waiting_, std::ranges::greater{}, [&](std::size_t i) { return top(i); });
  }

  [[nodiscard]] const PixelPosition& from(std::size_t edge) const { return outline_[edge]; }
  [[nodiscard]] const PixelPosition& to(std::size_t edge) const {
    return outline_[edge + 1 == outline_.size() ? 0 : edge + 1];
  }

  /// Rows must be given in ascending order.
  std::span<const std::size_t> in_row(std::ptrdiff_t row) {
    const auto y = static_cast<float>(row);
    std::erase_if(active_, [&](std::size_t i) { return std::max(from(i)[1], to(i)[1]) < y; });
    for (; !waiting_.empty() && top(waiting_.back()) <= y + 1; waiting_.pop_back())
      active_.push_back(waiting_.back());
    return active_;
  }

 private:
  [[nodiscard]] float top(std::size_t edge) const { return std::min(from(edge)[1], to(edge)[1]); }

  std::span<const PixelPosition> outline_;
  std::vector<std::size_t> waiting_;  // the highest last
  std::vector<std::size_t> active_;
};

/// The covered fraction of a pixel whose center lies `depth` pixels inside the edge of a shape.
float coverage(float depth) { return std::clamp(depth + 0.5F, 0.0F, 1.0F); }

}  // namespace

void Canvas::draw_strokes(std::span<const std::vector<PixelPosition>> polylines, float width,
                          const Color& color, float alpha) {
  constexpr float far = std::numeric_limits<float>::max();
  PixelPosition min{far, far};
  PixelPosition max{-far, -far};
  for (const std::vector<PixelPosition>& line : polylines)
    for (const PixelPosition& point : line)
      for (std::size_t k = 0; k < 2; ++k) {
        min[k] = std::min(min[k], point[k] - width);
        max[k] = std::max(max[k], point[k] + width);
      }
  // A line thinner than a pixel is drawn one pixel wide and paler.
  const float drawn_width = std::max(width, 1.0F);
  const float opacity = alpha * std::min(width, 1.0F);
  const PixelRange range = pixel_range(image_, {min[0] - 1, min[1] - 1}, {max[0] + 1, max[1] + 1});
  NearestSegments nearest(range, drawn_width / 2 + 0.5F);
  for (const std::vector<PixelPosition>& line : polylines)
    for (std::size_t i = 0; i + 1 < line.size(); ++i) nearest.add(line[i], line[i + 1]);
  for_each_pixel(range, [&](std::ptrdiff_t x, std::ptrdiff_t y, const PixelPosition& /*pixel*/) {
    image_.blend(x, y, color, opacity * coverage(drawn_width / 2 - nearest.at(x, y)));
  });
}

void Canvas::stroke(std::span<const PixelPosition> polyline, float width, const Color& color,
                    float alpha) {
  const std::vector<std::vector<PixelPosition>> polylines{{polyline.begin(), polyline.end()}};
  draw_strokes(polylines, width, color, alpha);
}

void Canvas::disk(const PixelPosition& center, float radius, const Color& color, float alpha) {
  for_each_pixel(pixel_range(image_, {center[0] - radius - 1, center[1] - radius - 1},
                             {center[0] + radius + 1, center[1] + radius + 1}),
                 [&](std::ptrdiff_t x, std::ptrdiff_t y, const PixelPosition& pixel) {
                   image_.blend(x, y, color, alpha * coverage(radius - distance(pixel, center)));
                 });
}

void Canvas::circle(const PixelPosition& center, float radius, float width, const Color& color,
                    float alpha) {
  const float drawn_width = std::max(width, 1.0F);
  const float opacity = alpha * std::min(width, 1.0F);
  for_each_pixel(
      pixel_range(image_, {center[0] - radius - width - 1, center[1] - radius - width - 1},
                  {center[0] + radius + width + 1, center[1] + radius + width + 1}),
      [&](std::ptrdiff_t x, std::ptrdiff_t y, const PixelPosition& pixel) {
        const float offset = std::abs(distance(pixel, center) - radius);
        image_.blend(x, y, color, opacity * coverage(drawn_width / 2 - offset));
      });
}

// Anti-aliasing by 16 scan lines per row of pixels; along each, the exact length inside is summed.
void Canvas::fill(std::span<const PixelPosition> outline, const Color& color, float alpha) {
  constexpr int scan_lines = 16;
  PixelPosition min{outline[0]};
  PixelPosition max{outline[0]};
  for (const PixelPosition& vertex : outline)
    for (std::size_t k = 0; k < 2; ++k) {
      min[k] = std::min(min[k], vertex[k]);
      max[k] = std::max(max[k], vertex[k]);
    }
  const PixelRange area = pixel_range(image_, min, max);
  if (area.left >= area.right) return;
  std::vector<float> covered(static_cast<std::size_t>(area.right - area.left));
  std::vector<float> crossings;
  CrossingEdges edges(outline);
  // The first column that begins at this position or to the right of it.
  const auto column_after = [&](float x) {
    const float offset = std::ceil(x - static_cast<float>(area.left));
    return static_cast<std::size_t>(std::clamp(offset, 0.0F, static_cast<float>(covered.size())));
  };
  for (std::ptrdiff_t row = area.top; row < area.bottom; ++row) {
    std::ranges::fill(covered, 0.0F);
    const std::span<const std::size_t> active = edges.in_row(row);
    for (int line = 0; line < scan_lines; ++line) {
      const float y = static_cast<float>(row) + (static_cast<float>(line) + 0.5F) / scan_lines;
      crossings.clear();
      for (const std::size_t edge : active) {
        const PixelPosition& a = edges.from(edge);
        const PixelPosition& b = edges.to(edge);
        if ((a[1] <= y) == (b[1] <= y)) continue;
        crossings.push_back(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
      }
      std::ranges::sort(crossings);
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
        const std::size_t end = column_after(crossings[i + 1]);
        for (std::size_t x = column_after(crossings[i] - 1); x < end; ++x) {
          const float left = static_cast<float>(area.left) + static_cast<float>(x);
          const float length = std::min(crossings[i + 1], left + 1) - std::max(crossings[i], left);
          covered[x] += std::max(0.0F, length) / scan_lines;
        }
      }
    }
    for (std::size_t x = 0; x < covered.size(); ++x)
      image_.blend(area.left + static_cast<std::ptrdiff_t>(x), row, color, alpha * covered[x]);
  }
}

void Canvas::rectangle(const PixelPosition& from, const PixelPosition& to, const Color& color) {
  fill(std::array<PixelPosition, 4>{{from, {to[0], from[1]}, to, {from[0], to[1]}}}, color);
}

void Canvas::draw_text(std::string_view text, const PixelPosition& start, float height,
                       const Color& color, bool bold) {
  const float scale = height / cap_height;
  float x = start[0];
  for (const char32_t character : decode_utf8(text)) {
    Glyph glyph = find_glyph(character);
    for (std::vector<PixelPosition>& line : glyph.strokes)
      for (PixelPosition& point : line) point = {x + scale * point[0], start[1] - scale * point[1]};
    if (!glyph.strokes.empty())
      draw_strokes(glyph.strokes, glyph.pen_width * std::max(1.15F, (bold ? 1.25F : 0.85F) * scale),
                   color, 1);
    x += scale * glyph.advance;
  }
}

float text_width(std::string_view text, float height) {
  float width = 0;
  for (const char32_t character : decode_utf8(text)) width += find_glyph(character).advance;
  return width * height / cap_height;
}

}  // namespace abut
