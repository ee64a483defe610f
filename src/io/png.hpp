#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace abut {

/// A PNG file of a picture: row by row from the top, red, green and blue of each pixel.
std::string png_of(std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb);

}  // namespace abut
