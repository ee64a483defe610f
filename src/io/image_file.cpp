// PNG (ISO/IEC 15948): a file is a sequence of chunks with checksums. Each row is predicted from
// the pixels to the left and above; the differences are compressed by zlib. Animations are encoded
// by ffmpeg, which runs as a separate process: PNG files in, video out.
#include "io/image_file.hpp"

#include <zlib.h>

#include <abut/error.hpp>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/message.hpp"
#include "io/system.hpp"

namespace abut {
namespace {

constexpr std::size_t channels = 3;

using PixelRow = std::span<const std::uint8_t>;

// Big endian.
void append_number(std::string& file, std::uint32_t value) {
  for (unsigned bits = 32; bits > 0;) file += static_cast<char>(value >> (bits -= 8) & 0xFFU);
}

void append_chunk(std::string& file, std::string_view kind, std::string_view content) {
  append_number(file, static_cast<std::uint32_t>(content.size()));
  const std::string checked = std::string(kind) + std::string(content);
  file += checked;
  std::vector<Bytef> bytes(checked.begin(), checked.end());
  append_number(
      file, static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size()))));
}

// The Paeth predictor: the neighbor whose value is nearest to left + above − corner.
std::uint8_t paeth(int left, int above, int corner) {
  const int whole = left + above - corner;
  const int to_left = std::abs(whole - left);
  const int to_above = std::abs(whole - above);
  const int to_corner = std::abs(whole - corner);
  if (to_left <= to_above && to_left <= to_corner) return static_cast<std::uint8_t>(left);
  return static_cast<std::uint8_t>(to_above <= to_corner ? above : corner);
}

// A row after one of the five filters: 0 none, 1 left, 2 above, 3 mean, 4 Paeth.
std::vector<Bytef> filtered(unsigned filter, PixelRow row, PixelRow above) {
  std::vector<Bytef> bytes{static_cast<Bytef>(filter)};
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int left = i < channels ? 0 : row[i - channels];
    const int up = above.empty() ? 0 : above[i];
    const int corner = i < channels || above.empty() ? 0 : above[i - channels];
    const std::array<int, 5> predictions{0, left, up, (left + up) / 2, paeth(left, up, corner)};
    bytes.push_back(static_cast<Bytef>(row[i] - predictions[filter]));
  }
  return bytes;
}

// The filter with the smallest sum of absolute differences; it usually compresses best.
std::vector<Bytef> best_filtered(PixelRow row, PixelRow above) {
  std::vector<Bytef> best;
  std::uint64_t min_sum = std::numeric_limits<std::uint64_t>::max();
  for (unsigned filter = 0; filter < 5; ++filter) {
    std::vector<Bytef> bytes = filtered(filter, row, above);
    std::uint64_t sum = 0;
    for (const Bytef byte : bytes) sum += byte < 128 ? byte : 256U - byte;
    if (sum >= min_sum) continue;
    min_sum = sum;
    best = std::move(bytes);
  }
  return best;
}

}  // namespace

std::string encode_png(std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb) {
  std::vector<Bytef> rows;
  rows.reserve((channels * width + 1) * height);
  for (std::size_t y = 0; y < height; ++y) {
    const PixelRow row = rgb.subspan(channels * width * y, channels * width);
    const PixelRow above =
        y == 0 ? PixelRow{} : rgb.subspan(channels * width * (y - 1), channels * width);
    const std::vector<Bytef> bytes = best_filtered(row, above);
    rows.insert(rows.end(), bytes.begin(), bytes.end());
  }
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::vector<Bytef> packed(size);
  constexpr int compression_level = 7;
  if (compress2(packed.data(), &size, rows.data(), static_cast<uLong>(rows.size()),
                compression_level) != Z_OK)
    throw Error("zlib cannot compress an image: not enough memory", ErrorCode::memory_limit);

  std::string file = "\x89PNG\r\n\x1a\n";
  std::string header;
  append_number(header, static_cast<std::uint32_t>(width));
  append_number(header, static_cast<std::uint32_t>(height));
  header += std::string_view("\x08\x02\0\0\0", 5);  // 8 bits per channel, RGB
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT",
               std::string(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)));
  append_chunk(file, "IEND", {});
  return file;
}

namespace {

using Arguments = std::vector<std::string>;

// Players require even sizes and 4:2:0 colors. The output is a stream, so MP4 must be fragmented.
Arguments format_arguments(std::string_view path) {
  const std::string even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white";
  if (path.ends_with(".gif"))
    return {"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif"};
  if (path.ends_with(".webm"))
    return {"-vf",  even, "-c:v",     "libvpx-vp9", "-crf", "28",
            "-b:v", "0",  "-pix_fmt", "yuv420p",    "-f",   "webm"};
  return {"-vf", even,       "-c:v",    "libx264",   "-crf",
          "20",  "-pix_fmt", "yuv420p", "-movflags", "frag_keyframe+empty_moov",
          "-f",  "mp4"};
}

}  // namespace

bool is_animation(std::string_view path) {
  return path.ends_with(".mp4") || path.ends_with(".webm") || path.ends_with(".gif");
}

void check_ffmpeg(const std::string& path) {
  if (!run_process({"ffmpeg", "-version"}, ""))
    throw Error(
        ErrorCode::unsupported, {.key = "--out", .value = path},
        "animations need ffmpeg, which is not installed; on Debian: apt-get install ffmpeg; "
        "or give a .png for a montage");
}

std::string encode_animation(const std::string& path, std::string_view frames, unsigned rate) {
  Arguments arguments{"ffmpeg", "-v",         "error",       "-f", "image2pipe", "-c:v",
                      "png",    "-framerate", message(rate), "-i", "-"};
  const Arguments format = format_arguments(path);
  arguments.insert(arguments.end(), format.begin(), format.end());
  arguments.emplace_back("-");
  const std::optional<ProcessResult> result = run_process(arguments, frames);
  if (!result) check_ffmpeg(path);
  if (!result || result->status != 0 || result->output.empty())
    throw Error(ErrorCode::io, {.key = "--out", .value = path},
                message("ffmpeg failed: ", result ? last_line(result->error_output) : ""));
  return result->output;
}

}  // namespace abut
