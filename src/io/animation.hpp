#pragma once

#include <string>
#include <string_view>

namespace abut {

/// Whether a file of this name would be an animation: MP4, WebM or GIF.
bool is_animation(std::string_view path);

/// Throws `Error` with the remedy if ffmpeg, which packs animations, is not installed.
void check_ffmpeg(const std::string& path);

/// Packs PNG files, one after the other in `frames`, into an animation of the kind the path says;
/// returns its bytes. Throws `Error` with ffmpeg's reason.
std::string packed_animation(const std::string& path, std::string_view frames, unsigned rate);

}  // namespace abut
