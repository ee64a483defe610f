#include "render/image.hpp"

#include <algorithm>

namespace abut {
namespace {

std::uint8_t byte_of(float part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0F, 1.0F) * 255));
}

float linear(float c) { return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F); }

float encoded(float c) {
  c = std::clamp(c, 0.0F, 1.0F);
  return c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1 / 2.4F) - 0.055F;
}

}  // namespace

Colour light_of(const Colour& colour) {
  return {linear(colour.x), linear(colour.y), linear(colour.z)};
}

Colour colour_of(const Colour& light) {
  return {encoded(light.x), encoded(light.y), encoded(light.z)};
}

Image::Image(std::size_t width, std::size_t height, const Colour& background)
    : width_(width), height_(height), bytes_(3 * width * height) {
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) set(x, y, background);
}

void Image::set(std::size_t x, std::size_t y, const Colour& colour) {
  std::uint8_t* const at = &bytes_[3 * (y * width_ + x)];
  at[0] = byte_of(colour.x);
  at[1] = byte_of(colour.y);
  at[2] = byte_of(colour.z);
}

void Image::blend(std::ptrdiff_t x, std::ptrdiff_t y, const Colour& colour, float alpha) {
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

void Image::put(const Image& other, std::size_t x, std::size_t y) {
  for (std::size_t row = 0; row < other.height_; ++row)
    std::copy_n(&other.bytes_[3 * row * other.width_], 3 * other.width_,
                &bytes_[3 * ((y + row) * width_ + x)]);
}

}  // namespace abut
