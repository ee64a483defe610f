#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/geometry.hpp"

namespace abut {

/// Red, green and blue in 0 … 1, sRGB-encoded unless stated otherwise.
using Color = Float3;

/// Conversion between sRGB-encoded and linear color components. Only linear components, which are
/// proportional to light intensity, may be added or averaged.
Color to_linear(const Color& srgb);
Color to_srgb(const Color& linear);

/// A raster image: rows from top to bottom, three bytes per pixel.
class Image {
 public:
  Image(std::size_t width, std::size_t height, const Color& background);

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return height_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  void set(std::size_t x, std::size_t y, const Color& color);
  /// Blends a color over a pixel; does nothing outside the image.
  void blend(std::ptrdiff_t x, std::ptrdiff_t y, const Color& color, float alpha);
  /// Copies an image, its upper left corner to (x, y). Precondition: it fits.
  void paste(const Image& other, std::size_t x, std::size_t y);

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<std::uint8_t> bytes_;
};

/// The color map for scalar fields: dark violet, blue, green, bright yellow. It is perceptually
/// uniform (lightness is linear in `fraction`), so it also works in grayscale print and for
/// color-blind readers. `fraction` is clamped to 0 … 1.
Color map_color(float fraction);

/// x and y in pixels from the upper left corner of an image; y points down.
using PixelPosition = std::array<float, 2>;

/// Draws anti-aliased lines, areas and text on an image, which must outlive the canvas.
class Canvas {
 public:
  explicit Canvas(Image& image) : image_(image) {}

  /// A polyline with round ends; `width` in pixels.
  void stroke(std::span<const PixelPosition> polyline, float width, const Color& color,
              float alpha = 1);
  void disk(const PixelPosition& center, float radius, const Color& color, float alpha = 1);
  void circle(const PixelPosition& center, float radius, float width, const Color& color,
              float alpha = 1);
  /// A simple polygon, convex or not.
  void fill(std::span<const PixelPosition> outline, const Color& color, float alpha = 1);
  void rectangle(const PixelPosition& from, const PixelPosition& to, const Color& color);

  /// One line of UTF-8 text; `start` is the left end of its baseline, `height` the cap height.
  void draw_text(std::string_view text, const PixelPosition& start, float height,
                 const Color& color, bool bold = false);

 private:
  void draw_strokes(std::span<const std::vector<PixelPosition>> polylines, float width,
                    const Color& color, float alpha);

  Image& image_;
};

/// The width in pixels of a text drawn by `Canvas::draw_text`.
float text_width(std::string_view text, float height);

}  // namespace abut
