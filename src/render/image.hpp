#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/geometry.hpp"

namespace abut {

/// Red, green and blue as screens take them, 0 … 1.
using Color = Float3;

/// Light adds up; what screens take does not. From one to the other, and back.
Color to_linear(const Color& colour);
Color to_srgb(const Color& light);

/// A picture, row by row from the top, three bytes a pixel.
class Image {
 public:
  Image(std::size_t width, std::size_t height, const Color& background);

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return height_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  void set(std::size_t x, std::size_t y, const Color& colour);
  /// Lays a colour over what is there; nothing outside of the picture.
  void blend(std::ptrdiff_t x, std::ptrdiff_t y, const Color& colour, float alpha);
  /// Puts another picture there; it must fit.
  void paste(const Image& other, std::size_t x, std::size_t y);

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<std::uint8_t> bytes_;
};

/// Colours from dark violet over blue and green to bright yellow, whose lightness grows evenly:
/// equal steps of a value look equal, also in print and to those who see few colours. `part` is 0
/// … 1.
Color map_color(float part);

/// A place in a picture, in pixels from its upper left corner; y goes down.
using PixelPosition = std::array<float, 2>;

/// Lines, areas and writing on an image, their edges smooth.
class Canvas {
 public:
  explicit Canvas(Image& image) : image_(image) {}

  /// A line from spot to spot, with round ends.
  void stroke(std::span<const PixelPosition> line, float width, const Color& colour,
              float alpha = 1);
  void disk(const PixelPosition& middle, float radius, const Color& colour, float alpha = 1);
  void circle(const PixelPosition& middle, float radius, float width, const Color& colour,
              float alpha = 1);
  /// An area by its corners, which may turn inwards.
  void fill(std::span<const PixelPosition> outline, const Color& colour, float alpha = 1);
  void rectangle(const PixelPosition& from, const PixelPosition& to, const Color& colour);

  /// A line of text; `at` is where it begins on its ground line, `height` that of a capital.
  void draw_text(std::string_view text, const PixelPosition& at, float height, const Color& colour,
                 bool bold = false);

 private:
  void draw_strokes(std::span<const std::vector<PixelPosition>> lines, float width,
                    const Color& colour, float alpha);

  Image& image_;
};

/// How wide a text is that `Canvas::write` writes.
float text_width(std::string_view text, float height);

}  // namespace abut
