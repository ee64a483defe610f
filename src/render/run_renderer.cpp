#include "render/run_renderer.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/message.hpp"
#include "io/text_format.hpp"
#include "render/image.hpp"
#include "render/scene.hpp"

namespace abut {
namespace {

constexpr Color background_color{1, 1, 1};
constexpr Color text_color{0.13F, 0.15F, 0.19F};
constexpr Color muted_text_color{0.40F, 0.44F, 0.50F};
constexpr std::size_t max_montage_frames = 12;

std::string format_fixed(double value, int digits) {
  std::array<char, 64> text{};
  char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits)
          .ptr;
  return {text.data(), end};
}

/// Indices of up to `max_count` frames whose times are nearest to equidistant times.
std::vector<std::size_t> evenly_spaced_frames(const std::vector<double>& times,
                                              std::size_t max_count) {
  std::vector<std::size_t> indices;
  const std::size_t count = std::min(max_count, times.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double fraction =
        count == 1 ? 1 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double target = times.front() + fraction * (times.back() - times.front());
    const auto nearest =
        std::ranges::min_element(times, {}, [&](double time) { return std::abs(time - target); });
    const auto index = static_cast<std::size_t>(nearest - times.begin());
    if (indices.empty() || indices.back() != index) indices.push_back(index);
  }
  return indices;
}

}  // namespace

RunRenderer::RunRenderer(const Dataset& dataset, RenderOptions options)
    : dataset_(dataset),
      options_(std::move(options)),
      extents_(dataset, options_.style.color_by, options_.style.force_chains),
      pool_(options_.threads) {
  if (extents_.dimension == 2 && options_.style.clip)
    throw Error("--clip: requires a 3D dataset, this one is 2D; omit --clip");
  if (extents_.dimension == 2 && options_.view)
    throw Error("--view: requires a 3D dataset, this one is 2D; omit --view");
  set_up_camera();
}

// The default camera faces the clip plane, if there is one, and always looks slightly down.
void RunRenderer::set_up_camera() {
  if (extents_.dimension == 2) {
    camera_.up = {0, 1, 0};
    camera_.toward = {0, 0, 1};
  } else {
    std::array<float, 2> view{-32, 20};
    if (options_.style.clip) {
      constexpr std::array<std::array<float, 2>, 3> clip_views{
          {{{90, 14}}, {{0, 14}}, {{-20, 62}}}};
      view = clip_views[options_.style.clip->axis];
    }
    if (options_.view) view = *options_.view;
    camera_ = camera_at(view[0], view[1]);
  }
  camera_.center = extents_.box.center();
  constexpr float far = std::numeric_limits<float>::max();
  projected_bounds_ = {far, -far, far, -far};
  for (const BoundingSphere& sphere : extents_.bounding_spheres) {
    const float x = dot(sphere.center - camera_.center, camera_.right);
    const float y = dot(sphere.center - camera_.center, camera_.up);
    const float r = sphere.radius;
    projected_bounds_ = {
        std::min(projected_bounds_[0], x - r), std::max(projected_bounds_[1], x + r),
        std::min(projected_bounds_[2], y - r), std::max(projected_bounds_[3], y + r)};
  }
}

Camera RunRenderer::fit_camera(std::size_t width, std::size_t height) const {
  Camera camera = camera_;
  const auto w = static_cast<float>(width);
  const auto h = static_cast<float>(height);
  camera.scale =
      0.97F * std::min(w / std::max(1e-30F, projected_bounds_[1] - projected_bounds_[0]),
                       h / std::max(1e-30F, projected_bounds_[3] - projected_bounds_[2]));
  camera.image_center = {w / 2 - camera.scale * (projected_bounds_[0] + projected_bounds_[1]) / 2,
                         h / 2 + camera.scale * (projected_bounds_[2] + projected_bounds_[3]) / 2};
  return camera;
}

Image RunRenderer::render_view(const FrameData& frame, std::size_t width, std::size_t height) {
  const Camera camera = fit_camera(width, height);
  if (extents_.dimension == 2)
    return draw_2d(frame, extents_, options_.style, camera, width, height, background_color);
  return draw_3d(build_scene(frame, extents_, options_.style, camera), camera, width, height,
                 background_color, pool_);
}

float RunRenderer::text_height() const {
  const auto side = static_cast<float>(std::min(options_.width, options_.height));
  return std::clamp(side / 62, 7.0F, 40.0F);
}

bool RunRenderer::has_annotations() const {
  return options_.width >= 200 && options_.height >= 150;
}

const ColorScale& RunRenderer::color_scale() const {
  return options_.style.force_chains ? extents_.force_chain_scale : extents_.color_scale;
}

float RunRenderer::color_bar_width() const {
  float widest = text_width(color_scale().label, text_height());
  for (const double tick : color_scale().ticks)
    widest = std::max(widest,
                      3 * text_height() + text_width("\u2265 " + tick_label(tick), text_height()));
  return widest + 2.5F * text_height();
}

RunRenderer::PixelArea RunRenderer::view_area() const {
  if (!has_annotations()) return {0, 0, options_.width, options_.height};
  const auto top = static_cast<std::size_t>(5.5F * text_height());
  const auto margin = static_cast<std::size_t>(text_height());
  const auto right = static_cast<std::size_t>(color_bar_width());
  return {margin, top,
          std::max<std::size_t>(16, options_.width - std::min(options_.width, margin + right)),
          options_.height - top - margin};
}

std::string RunRenderer::time_label(double time) const {
  const std::vector<double>& times = dataset_.times();
  double step = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i + 1 < times.size(); ++i) step = std::min(step, times[i + 1] - times[i]);
  const double digits = std::ceil(-std::log10(std::max(step, 1e-9)) - 1e-6);
  return message("t = ", format_fixed(time, static_cast<int>(std::clamp(digits, 0.0, 9.0))),
                 dataset_.has_si_units() ? " s" : "");
}

void RunRenderer::draw_color_bar(Image& image) const {
  const ColorScale& scale = color_scale();
  Canvas canvas(image);
  const float unit = text_height();
  const auto height = static_cast<float>(options_.height);
  const float left = static_cast<float>(options_.width) - color_bar_width() + 0.5F * unit;
  const float top = std::max(9 * unit, 0.2F * height);
  const float bottom = std::max(top + 10 * unit, 0.8F * height);
  const float width = 1.6F * unit;
  canvas.draw_text(scale.label, {left, top - 2.2F * unit}, unit, text_color);
  const bool is_constant = !(scale.high > scale.low) || scale.ticks.size() == 1;
  const auto first = static_cast<std::ptrdiff_t>(std::round(top));
  const auto last = static_cast<std::ptrdiff_t>(std::round(bottom));
  for (std::ptrdiff_t y = first; y < last; ++y) {
    const float fraction =
        is_constant ? 0.5F
                    : 1 - (static_cast<float>(y - first) + 0.5F) / static_cast<float>(last - first);
    const Color color = map_color(fraction);
    for (auto x = static_cast<std::ptrdiff_t>(left); x < static_cast<std::ptrdiff_t>(left + width);
         ++x)
      image.blend(x, y, color, 1);
  }
  for (const double tick : scale.ticks) {
    const float fraction = is_constant ? 0.5F : scale.fraction(static_cast<float>(tick));
    const float y = bottom - fraction * (bottom - top);
    canvas.stroke(
        std::array<PixelPosition, 2>{{{left + width, y}, {left + width + 0.5F * unit, y}}},
        std::max(1.0F, unit / 9), muted_text_color);
    const bool is_open_ended = scale.has_overflow && tick == scale.ticks.back();
    canvas.draw_text(message(is_open_ended ? "\u2265 " : "", tick < 0 ? "\u2212" : "",
                             tick_label(std::abs(tick))),
                     {left + width + 1.1F * unit, y + unit / 2}, unit, text_color);
  }
}

void RunRenderer::draw_annotations(Image& image, const std::string& subtitle) const {
  if (!has_annotations()) return;
  Canvas canvas(image);
  const float unit = text_height();
  const std::string& title = dataset_.title();
  float size = 1.3F * unit;
  const float available = static_cast<float>(options_.width) - 3 * unit;
  size = std::max(0.7F * unit,
                  std::min(size, size * available / std::max(1.0F, text_width(title, size))));
  canvas.draw_text(title, {1.5F * unit, 2.6F * unit}, size, text_color, true);
  canvas.draw_text(subtitle, {1.5F * unit, 4.9F * unit}, unit, muted_text_color);
  draw_color_bar(image);
}

Image RunRenderer::render_frame(std::size_t index) {
  const FrameData frame = dataset_.frame(index);
  Image image(options_.width, options_.height, background_color);
  const PixelArea area = view_area();
  image.paste(render_view(frame, area.width, area.height), area.left, area.top);
  const std::string subtitle = dataset_.times().size() > 1 ? time_label(frame.time) : std::string();
  draw_annotations(image, subtitle);
  return image;
}

Image RunRenderer::render_montage(const std::function<void(double)>& progress) {
  const std::vector<std::size_t> indices =
      evenly_spaced_frames(dataset_.times(), max_montage_frames);
  Image image(options_.width, options_.height, background_color);
  const PixelArea area = view_area();
  const auto caption = static_cast<std::size_t>(has_annotations() ? 2.4F * text_height() : 0);
  const std::size_t count = indices.size();
  std::size_t columns = 1;
  float best = 0;
  for (std::size_t c = 1; c <= count; ++c) {  // choose the layout with the largest frames
    const std::size_t rows = (count + c - 1) / c;
    if (area.height / rows <= caption + 8) continue;
    const float scale = fit_camera(area.width / c, area.height / rows - caption).scale;
    if (scale > best) {
      best = scale;
      columns = c;
    }
  }
  const std::size_t rows = (count + columns - 1) / columns;
  const std::size_t width = area.width / columns;
  const std::size_t height = area.height / rows;
  if (width < 8 || height <= caption + 8)
    throw Error(message("--size = ", options_.width, "x", options_.height,
                        ": too small for a montage of ", count, " frames"));
  Canvas canvas(image);
  for (std::size_t i = 0; i < count; ++i) {
    const FrameData frame = dataset_.frame(indices[i]);
    const std::size_t left = area.left + i % columns * width;
    const std::size_t top = area.top + i / columns * height;
    image.paste(render_view(frame, width, height - caption), left, top + caption);
    const std::string text = time_label(frame.time);
    const float unit = 0.9F * text_height();
    if (has_annotations())
      canvas.draw_text(
          text,
          {static_cast<float>(left) + (static_cast<float>(width) - text_width(text, unit)) / 2,
           static_cast<float>(top) + 0.7F * static_cast<float>(caption)},
          unit, text_color);
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(count));
  }
  draw_annotations(image, message(time_label(dataset_.times().front()), " to ",
                                  time_label(dataset_.times().back()).substr(4)));
  return image;
}

}  // namespace abut
