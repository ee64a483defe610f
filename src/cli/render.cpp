#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "frames/dataset.hpp"
#include "io/image_file.hpp"
#include "render/run_renderer.hpp"

namespace abut {
namespace {

std::string png_bytes(const Image& image) {
  return encode_png(image.width(), image.height(), image.bytes());
}

/// Parses WIDTHxHEIGHT in pixels.
std::array<std::size_t, 2> parse_size(const std::string& text) {
  constexpr std::size_t min_side = 64;
  constexpr std::size_t max_side = 8192;
  std::array<std::size_t, 2> size{};
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size[0]);
  const bool has_separator = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
  const auto height = has_separator ? std::from_chars(width.ptr + 1, end, size[1]) : width;
  if (!has_separator || height.ec != std::errc{} || height.ptr != end ||
      std::ranges::any_of(size,
                          [](std::size_t side) { return side < min_side || side > max_side; }))
    throw Error(
        fmt::format("--size = {}: must be WIDTHxHEIGHT in pixels, such as 1600x1200, each {} to {}",
                    text, min_side, max_side));
  return size;
}

/// Parses the axis normal to the clip plane with an optional position: "y" or "y=0.5".
ClipPlane parse_clip(const std::string& text) {
  const std::size_t axis = std::string_view("xyz").find(text[0]);
  ClipPlane clip;
  bool valid = axis != std::string_view::npos && (text.size() == 1 || text[1] == '=');
  if (valid && text.size() > 1) {
    float position = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 2, end, position);
    valid = error == std::errc{} && stop == end && std::isfinite(position);
    clip.position = position;
  }
  if (!valid)
    throw Error(fmt::format(
        "--clip = {}: must be x, y or z, optionally with a position, such as y=0.5", text));
  clip.axis = axis;
  return clip;
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
    const RenderOptions options = parse_options();
    Outputs outputs({path});
    const bool animated = is_animation(out);
    if (animated) check_ffmpeg(out);
    const Stopwatch watch;
    ProgressBar bar("reading " + path);
    const Dataset dataset(path);
    for (const std::string& warning : dataset.warnings()) fmt::print(stderr, "abut: {}\n", warning);
    const std::size_t index = frame_index(dataset);
    RunRenderer renderer(dataset, options);
    OutputFile& file = *outputs.open("--out", out);
    bar.set_label("rendering " + out);
    if (animated)
      file << encode_animation(renderer, dataset, bar);
    else if (montage || all)
      file << png_bytes(renderer.render_montage(bar.callback()));
    else
      file << png_bytes(renderer.render_frame(index));
    outputs.commit();
    bar.set_label("");
    print_summary(outputs, dataset, index, watch.seconds());
    return exit_success;
  }

 private:
  [[nodiscard]] RenderOptions parse_options() const {
    RenderOptions options;
    const std::array<std::size_t, 2> pixels = parse_size(size);
    options.width = pixels[0];
    options.height = pixels[1];
    options.style = {color, force_chains, {}};
    if (!clip.empty()) options.style.clip = parse_clip(clip);
    if (!view.empty()) options.view = {view.at(0), view.at(1)};
    options.threads = threads;
    if (options.view && !(std::abs(view[0]) <= 360 && std::abs(view[1]) <= 90))
      throw Error("--view: must be azimuth (up to ±360) and elevation (up to ±90) in degrees");
    if (time && (all || montage)) throw Error("--time and --all: give one of them");
    const bool animated = is_animation(out);
    if (animated && montage)
      throw Error(fmt::format("--montage: {} is an animation; give a .png file", out));
    if (animated && !all)
      throw Error(fmt::format("--out = {}: an animation shows all frames; add --all", out));
    if (!animated && !is_standard_output(out) && !out.ends_with(".png") && !out.ends_with(".PNG"))
      throw Error(
          fmt::format("--out = {}: must be an image (.png), or with --all an animation (.mp4, "
                      ".webm, .gif)",
                      out));
    return options;
  }

  /// Index of the frame nearest to --time; the last frame without --time.
  [[nodiscard]] std::size_t frame_index(const Dataset& dataset) const {
    const std::vector<double>& times = dataset.times();
    if (!time) return times.size() - 1;
    const double tolerance = 1e-6 * (times.back() - times.front());
    if (!(*time >= times.front() - tolerance && *time <= times.back() + tolerance))
      throw Error(fmt::format("--time = {}: must be within the frames of {}, {} to {}", *time, path,
                              times.front(), times.back()));
    const auto nearest =
        std::ranges::min_element(times, {}, [&](double other) { return std::abs(other - *time); });
    return static_cast<std::size_t>(nearest - times.begin());
  }

  [[nodiscard]] std::string encode_animation(RunRenderer& renderer, const Dataset& dataset,
                                             ProgressBar& bar) const {
    std::string frames;
    for (std::size_t i = 0; i < dataset.times().size(); ++i) {
      frames += png_bytes(renderer.render_frame(i));
      bar.set_fraction(static_cast<double>(i + 1) / static_cast<double>(dataset.times().size()));
    }
    bar.set_label("encoding " + out);
    return abut::encode_animation(out, frames, frames_per_second);
  }

  void print_summary(const Outputs& outputs, const Dataset& dataset, std::size_t index,
                     double seconds) const {
    const std::vector<double>& times = dataset.times();
    const char* const unit = dataset.has_si_units() ? " s" : "";
    std::string time_range = "one frame";
    if (all || montage)
      time_range = fmt::format("t = {:.6g} to {:.6g}{}", times.front(), times.back(), unit);
    else if (times.size() > 1)
      time_range = fmt::format("t = {:.6g}{} of {:.6g} to {:.6g}{}", times[index], unit,
                               times.front(), times.back(), unit);
    fmt::print(outputs.uses_standard_output() ? stderr : stdout, "{}: {} pixels, {}, in {}\n", out,
               size, time_range, time_text(seconds));
  }
};

}  // namespace

Command render_command(CLI::App& program) {
  Arguments app(program, "render", "Draw a run, or particles and their contacts");
  app.footer(
      "Color fields: force (sum of contact forces), radius, id, or any field of the frames, such "
      "as\n"
      "speed, velocity or coordination_number. Labels have SI units unless the case sets\n"
      "units = \"none\". Fixed particles are drawn as walls.\n\n"
      "Examples:\n"
      "  abut render silo --clip y --time 11 --out silo.png\n"
      "  abut render silo --clip y --montage --out montage.png\n"
      "  abut render silo --clip y --all --out silo.mp4      (needs ffmpeg)");
  auto render = std::make_shared<RenderCommand>();
  app.add_option("path", render->path,
                 "Folder of a run, a .vtp file, or particles or polygons that abut detect reads")
      .metavar("PATH")
      .required();
  app.add_option("--time", render->time, "Draw the frame nearest to this time (default: the last)")
      .metavar("SECONDS");
  app.add_flag("--all", render->all,
               "Draw all frames: an animation, or a montage if --out is a .png file");
  app.add_flag("--montage", render->montage, "Draw up to twelve frames side by side");
  app.add_option("--clip", render->clip,
                 "Remove everything in front of a plane normal to x, y or z, at this position, "
                 "such as y=0.5 (default: the middle)")
      .metavar("AXIS[=POSITION]");
  app.add_option("--color", render->color,
                 "Field shown as color (default: speed, coordination_number or radius)")
      .metavar("FIELD");
  app.add_flag("--force-chains", render->force_chains,
               "Draw contacts as rods whose thickness shows the force");
  app.add_option("--size", render->size, "Image size in pixels (default: 1600x1200)")
      .metavar("WIDTHxHEIGHT");
  app.add_option(
         "--view", render->view,
         "Direction of the camera in degrees (default: -32,20; with --clip: facing the plane)")
      .metavar("AZIMUTH,ELEVATION")
      .comma_separated()
      .expected(2, 2);
  app.add_option("--fps", render->frames_per_second,
                 "Frames per second of an animation (default: 12)")
      .metavar("N")
      .range(1, 120);
  app.add_option("--threads", render->threads, "Number of threads; 0: all cores (default: 0)")
      .metavar("N")
      .range(0, max_threads);
  app.add_option("--out", render->out,
                 "Image (.png), or with --all animation (.mp4, .webm, .gif); '-': standard output")
      .metavar("FILE")
      .required();
  return {app, [render] { return render->run(); }};
}

}  // namespace abut
