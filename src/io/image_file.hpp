#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace abut {

/// A PNG file of a picture: row by row from the top, red, green and blue of each pixel.
std::string encode_png(std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb);

/// Whether a file of this name would be an animation: MP4, WebM or GIF.
bool is_animation(std::string_view path);

/// Throws `Error` with the remedy if ffmpeg, which packs animations, is not installed.
void check_ffmpeg(const std::string& path);

/// Packs PNG files, one after the other in `frames`, into an animation of the kind the path says;
/// returns its bytes. Throws `Error` with ffmpeg's reason.
std::string encode_animation(const std::string& path, std::string_view frames, unsigned rate);

}  // namespace abut
