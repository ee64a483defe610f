#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace abut {

/// Encodes an image as PNG. `rgb` has three bytes per pixel, row by row from the top. Throws
/// `Error` if there is not enough memory.
std::string encode_png(std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb);

/// Whether the extension is that of an animation: .mp4, .webm or .gif.
bool is_animation(std::string_view path);

/// Throws `Error` (code unsupported) if ffmpeg, which encodes animations, is not installed.
void check_ffmpeg(const std::string& path);

/// Encodes PNG files, concatenated in `frames`, as an animation of `rate` frames per second in the
/// format of the extension of `path`. Returns the bytes of the file; throws `Error` with the last
/// line of the output of ffmpeg.
std::string encode_animation(const std::string& path, std::string_view frames, unsigned rate);

}  // namespace abut
