#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "frames/dataset.hpp"
#include "io/image_file.hpp"
#include "render/run_renderer.hpp"

namespace abut {
namespace {

std::string png_bytes(const Image& image) {
  return encode_png(image.width(), image.height(), image.bytes());
}

/// WIDTHxHEIGHT.
std::array<std::size_t, 2> parse_size(const std::string& text) {
  constexpr std::size_t least = 64;
  constexpr std::size_t most = 8192;
  std::array<std::size_t, 2> size{};
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size[0]);
  const bool parted = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
  const auto height = parted ? std::from_chars(width.ptr + 1, end, size[1]) : width;
  if (!parted || height.ec != std::errc{} || height.ptr != end ||
      std::ranges::any_of(size, [](std::size_t side) { return side < least || side > most; }))
    throw Error(
        fmt::format("--size {}: is WIDTHxHEIGHT in pixels, as 1600x1200, each from {} to {}", text,
                    least, most));
  return size;
}

/// An axis, or axis=place.
ClipPlane parse_clip(const std::string& text) {
  const std::size_t axis = std::string_view("xyz").find(text[0]);
  ClipPlane cut;
  bool understood = axis != std::string_view::npos && (text.size() == 1 || text[1] == '=');
  if (understood && text.size() > 1) {
    float at = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 2, end, at);
    understood = error == std::errc{} && stop == end && std::isfinite(at);
    cut.position = at;
  }
  if (!understood)
    throw Error(fmt::format("--clip {}: is x, y or z, or such as y=0.5 for a place", text));
  cut.axis = axis;
  return cut;
}

struct RenderCommand {
  std::string path;
  std::string out;
  std::optional<double> time;
  bool all = false;
  bool montage = false;
  std::string clip;
  std::string color;
  bool force_chains = false;
  std::string size = "1600x1200";
  std::vector<float> view;
  unsigned frames_per_second = 12;
  unsigned threads = 0;

  int run() {
    const RenderOptions choice = check();
    Outputs outputs({path});
    const bool film = is_animation(out);
    if (film) check_ffmpeg(out);
    const Stopwatch watch;
    ProgressBar bar("reading " + path);
    const Dataset shown(path);
    const std::size_t number = frame_index(shown);
    RunRenderer maker(shown, choice);
    OutputFile& file = *outputs.open("--out", out);
    bar.set_label("drawing " + out);
    if (film)
      file << encode_animation(maker, shown, bar);
    else if (montage || all)
      file << png_bytes(maker.render_montage(bar.callback()));
    else
      file << png_bytes(maker.render_frame(number));
    outputs.commit();
    bar.set_label("");
    print_summary(outputs, shown, number, watch.seconds());
    return exit_success;
  }

 private:
  [[nodiscard]] RenderOptions check() const {
    RenderOptions choice;
    const std::array<std::size_t, 2> pixels = parse_size(size);
    choice.width = pixels[0];
    choice.height = pixels[1];
    choice.style = {color, force_chains, {}};
    if (!clip.empty()) choice.style.clip = parse_clip(clip);
    if (!view.empty()) choice.view = {view.at(0), view.at(1)};
    choice.threads = threads;
    if (choice.view && !(std::abs(view[0]) <= 360 && std::abs(view[1]) <= 90))
      throw Error(
          "--view: is degrees around the vertical, up to 360, and above the horizon, up to 90");
    if (time && (all || montage)) throw Error("--time and --all: give one of them");
    const bool film = is_animation(out);
    if (film && montage)
      throw Error(fmt::format("--montage: {} is an animation; name a .png", out));
    if (film && !all)
      throw Error(fmt::format("--out {}: an animation shows all times; add --all", out));
    if (!film && !is_standard_output(out) && !out.ends_with(".png") && !out.ends_with(".PNG"))
      throw Error(
          fmt::format("--out {}: is a picture (.png), or with --all an animation (.mp4, "
                      ".webm, .gif)",
                      out));
    return choice;
  }

  /// The frame nearest to the time; the last if none was given.
  [[nodiscard]] std::size_t frame_index(const Dataset& shown) const {
    const std::vector<double>& times = shown.times();
    if (!time) return times.size() - 1;
    const double slack = 1e-6 * (times.back() - times.front());
    if (!(*time >= times.front() - slack && *time <= times.back() + slack))
      throw Error(fmt::format("--time {}: {} goes from {} to {}", *time, path, times.front(),
                              times.back()));
    const auto nearest =
        std::ranges::min_element(times, {}, [&](double other) { return std::abs(other - *time); });
    return static_cast<std::size_t>(nearest - times.begin());
  }

  [[nodiscard]] std::string encode_animation(RunRenderer& maker, const Dataset& shown,
                                             ProgressBar& bar) const {
    std::string frames;
    for (std::size_t i = 0; i < shown.times().size(); ++i) {
      frames += png_bytes(maker.render_frame(i));
      bar.set_fraction(static_cast<double>(i + 1) / static_cast<double>(shown.times().size()));
    }
    bar.set_label("packing " + out);
    return abut::encode_animation(out, frames, frames_per_second);
  }

  void print_summary(const Outputs& outputs, const Dataset& shown, std::size_t number,
                     double seconds) const {
    const std::vector<double>& times = shown.times();
    std::string what = "one moment";
    if (all || montage)
      what = fmt::format("t = {:.6g} to {:.6g} s", times.front(), times.back());
    else if (times.size() > 1)
      what = fmt::format("t = {:.6g} s of {:.6g} to {:.6g} s", times[number], times.front(),
                         times.back());
    fmt::print(outputs.uses_standard_output() ? stderr : stdout, "{}: {} pixels, {}, in {}\n", out,
               size, what, time_text(seconds));
  }
};

}  // namespace

Command render_command(CLI::App& program) {
  Arguments app(program, "render", "Draw a run, or particles and their contacts");
  app.footer(
      "Colours: velocity, force, radius, id, coordination, or any field of the frames; labels "
      "take\n"
      "SI units. Balls that never move are walls.\n\n"
      "Example: abut render silo --clip y --time 11 --out silo.png\n"
      "         abut render silo --clip y --montage --out sheet.png\n"
      "         abut render silo --clip y --all --out silo.mp4      (needs ffmpeg)");
  auto render = std::make_shared<RenderCommand>();
  app.add_option("path", render->path,
                 "folder of abut run, a .vtp, or what abut detect reads: particles, polygons")
      .required();
  app.add_option("--time", render->time, "the frame nearest to this time [the last]");
  app.add_flag("--all", render->all, "all times: an animation, or on a .png a sheet");
  app.add_flag("--montage", render->montage, "up to twelve times side by side");
  app.add_option("--clip", render->clip,
                 "halves it: takes away what is in front of a plane across x, y or z; y=0.5 says "
                 "where [through the middle]");
  app.add_option("--color,--colour", render->color, "what colours show [velocity, if known]");
  app.add_flag("--force-chains", render->force_chains, "contacts as rods, as thick as their force");
  app.add_option("--size", render->size, "WIDTHxHEIGHT in pixels [1600x1200]");
  app.add_option("--view", render->view,
                 "AROUND,ABOVE in degrees: where one stands [-32,20; in front of a cut]")
      .comma_separated()
      .expected(2, 2);
  app.add_option("--fps", render->frames_per_second, "frames a second of an animation [12]")
      .range(1, 120);
  app.add_option("--threads", render->threads, "threads; 0 takes every core [0]")
      .range(0, max_threads);
  app.add_option("--out", render->out,
                 ".png, or with --all .mp4, .webm, .gif; - is standard output")
      .required();
  return {app, [render] { return render->run(); }};
}

}  // namespace abut
