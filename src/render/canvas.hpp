#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "render/image.hpp"

namespace abut {

/// A place in a picture, in pixels from its upper left corner; y goes down.
using Spot = std::array<float, 2>;

/// Lines, areas and writing on an image, their edges smooth.
class Canvas {
 public:
  explicit Canvas(Image& image) : image_(image) {}

  /// A line from spot to spot, with round ends.
  void stroke(std::span<const Spot> line, float width, const Colour& colour, float alpha = 1);
  void disc(const Spot& middle, float radius, const Colour& colour, float alpha = 1);
  void circle(const Spot& middle, float radius, float width, const Colour& colour, float alpha = 1);
  /// An area by its corners, which may turn inwards.
  void fill(std::span<const Spot> outline, const Colour& colour, float alpha = 1);
  void rectangle(const Spot& from, const Spot& to, const Colour& colour);

  /// A line of text; `at` is where it begins on its ground line, `height` that of a capital.
  void write(std::string_view text, const Spot& at, float height, const Colour& colour,
             bool bold = false);

 private:
  void strokes(std::span<const std::vector<Spot>> lines, float width, const Colour& colour,
               float alpha);

  Image& image_;
};

/// How wide a text is that `Canvas::write` writes.
float text_width(std::string_view text, float height);

}  // namespace abut
