#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/float3.hpp"

namespace abut {

/// Red, green and blue as screens take them, 0 … 1.
using Colour = Float3;

/// Light adds up; what screens take does not. From one to the other, and back.
Colour light_of(const Colour& colour);
Colour colour_of(const Colour& light);

/// A picture, row by row from the top, three bytes a pixel.
class Image {
 public:
  Image(std::size_t width, std::size_t height, const Colour& background);

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return height_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  void set(std::size_t x, std::size_t y, const Colour& colour);
  /// Lays a colour over what is there; nothing outside of the picture.
  void blend(std::ptrdiff_t x, std::ptrdiff_t y, const Colour& colour, float alpha);
  /// Puts another picture there; it must fit.
  void put(const Image& other, std::size_t x, std::size_t y);

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace abut
