// Animations are packed by ffmpeg, run as a program of its own: pictures go in, the film comes out.
#include "io/animation.hpp"

#include <abut/error.hpp>
#include <optional>
#include <vector>

#include "core/message.hpp"
#include "io/child_program.hpp"

namespace abut {
namespace {

using Words = std::vector<std::string>;

// Players want even sizes and halved colours; what comes through a pipe cannot go back to mend its
// beginning, so an MP4 is written in pieces.
Words format_words(std::string_view path) {
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
  if (!run_child({"ffmpeg", "-version"}, ""))
    throw Error(message("--out ", path,
                        ": animations need ffmpeg, which is not installed; on "
                        "Debian: apt-get install ffmpeg; or name a .png for a sheet of pictures"));
}

std::string packed_animation(const std::string& path, std::string_view frames, unsigned rate) {
  Words words{"ffmpeg", "-v",         "error",       "-f", "image2pipe", "-c:v",
              "png",    "-framerate", message(rate), "-i", "-"};
  const Words format = format_words(path);
  words.insert(words.end(), format.begin(), format.end());
  words.emplace_back("-");
  const std::optional<ChildOutcome> outcome = run_child(words, frames);
  if (!outcome) check_ffmpeg(path);
  if (!outcome || outcome->status != 0 || outcome->out.empty())
    throw Error(message("--out ", path,
                        ": ffmpeg cannot pack it: ", outcome ? last_line(outcome->err) : ""));
  return outcome->out;
}

}  // namespace abut
