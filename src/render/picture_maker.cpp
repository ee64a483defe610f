#include "render/picture_maker.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/message.hpp"
#include "io/ticks.hpp"
#include "render/canvas.hpp"
#include "render/colour_map.hpp"
#include "render/flat_image.hpp"
#include "render/solid_image.hpp"

namespace abut {
namespace {

constexpr Colour paper{1, 1, 1};
constexpr Colour text_ink{0.13F, 0.15F, 0.19F};
constexpr Colour soft_ink{0.40F, 0.44F, 0.50F};
constexpr std::size_t most_on_a_sheet = 12;

std::string fixed_digits(double value, int digits) {
  std::array<char, 64> text{};
  char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits)
          .ptr;
  return {text.data(), end};
}

/// Frames whose times are nearest to equal distances.
std::vector<std::size_t> evenly_spaced(const std::vector<double>& times, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t count = std::min(most, times.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double part = count == 1 ? 1 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double wanted = times.front() + part * (times.back() - times.front());
    const auto nearest =
        std::ranges::min_element(times, {}, [&](double time) { return std::abs(time - wanted); });
    const auto number = static_cast<std::size_t>(nearest - times.begin());
    if (chosen.empty() || chosen.back() != number) chosen.push_back(number);
  }
  return chosen;
}

}  // namespace

PictureMaker::PictureMaker(const Shown& shown, PictureChoice choice)
    : shown_(shown),
      choice_(std::move(choice)),
      survey_(shown, choice_.scene.colour, choice_.scene.chains),
      pool_(choice_.threads) {
  if (survey_.dimension == 2 && choice_.scene.cut)
    throw Error("--cut: this is in the plane, nothing hides anything; leave it out");
  if (survey_.dimension == 2 && choice_.view)
    throw Error("--view: this is in the plane, which is looked at from above; leave it out");
  aim();
}

// A cut is looked at from in front of it; otherwise from a side, and always a little from above.
void PictureMaker::aim() {
  if (survey_.dimension == 2) {
    camera_.up = {0, 1, 0};
    camera_.toward = {0, 0, 1};
  } else {
    std::array<float, 2> view{-32, 20};
    if (choice_.scene.cut) {
      constexpr std::array<std::array<float, 2>, 3> before{{{{90, 14}}, {{0, 14}}, {{-20, 62}}}};
      view = before[choice_.scene.cut->axis];
    }
    if (choice_.view) view = *choice_.view;
    camera_ = camera_from(view[0], view[1]);
  }
  camera_.centre = survey_.box.middle();
  constexpr float far = std::numeric_limits<float>::max();
  seen_ = {far, -far, far, -far};
  for (const OuterBall& ball : survey_.outer) {
    const float x = dot(ball.at - camera_.centre, camera_.right);
    const float y = dot(ball.at - camera_.centre, camera_.up);
    const float r = ball.radius;
    seen_ = {std::min(seen_[0], x - r), std::max(seen_[1], x + r), std::min(seen_[2], y - r),
             std::max(seen_[3], y + r)};
  }
}

Camera PictureMaker::fitted(std::size_t width, std::size_t height) const {
  Camera camera = camera_;
  const auto w = static_cast<float>(width);
  const auto h = static_cast<float>(height);
  camera.scale = 0.97F * std::min(w / std::max(1e-30F, seen_[1] - seen_[0]),
                                  h / std::max(1e-30F, seen_[3] - seen_[2]));
  camera.middle = {w / 2 - camera.scale * (seen_[0] + seen_[1]) / 2,
                   h / 2 + camera.scale * (seen_[2] + seen_[3]) / 2};
  return camera;
}

Image PictureMaker::view_of(const ShownFrame& frame, std::size_t width, std::size_t height) {
  const Camera camera = fitted(width, height);
  if (survey_.dimension == 2)
    return draw_flat(frame, survey_, choice_.scene, camera, width, height, paper);
  return draw_solids(solid_scene(frame, survey_, choice_.scene, camera), camera, width, height,
                     paper, pool_);
}

float PictureMaker::letter() const {
  const auto least = static_cast<float>(std::min(choice_.width, choice_.height));
  return std::clamp(least / 62, 7.0F, 40.0F);
}

bool PictureMaker::has_writing() const { return choice_.width >= 200 && choice_.height >= 150; }

const ColourScale& PictureMaker::scale() const {
  return choice_.scene.chains ? survey_.chains : survey_.colours;
}

float PictureMaker::bar_width() const {
  float widest = text_width(scale().label, letter());
  for (const double tick : scale().ticks)
    widest = std::max(widest, 3 * letter() + text_width("\u2265 " + tick_text(tick), letter()));
  return widest + 2.5F * letter();
}

PictureMaker::Area PictureMaker::inner_area() const {
  if (!has_writing()) return {0, 0, choice_.width, choice_.height};
  const auto top = static_cast<std::size_t>(5.5F * letter());
  const auto side = static_cast<std::size_t>(letter());
  const auto right = static_cast<std::size_t>(bar_width());
  return {side, top,
          std::max<std::size_t>(16, choice_.width - std::min(choice_.width, side + right)),
          choice_.height - top - side};
}

std::string PictureMaker::time_text_of(double time) const {
  const std::vector<double>& times = shown_.times();
  double step = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i + 1 < times.size(); ++i) step = std::min(step, times[i + 1] - times[i]);
  const double digits = std::ceil(-std::log10(std::max(step, 1e-9)) - 1e-6);
  return message("t = ", fixed_digits(time, static_cast<int>(std::clamp(digits, 0.0, 9.0))), " s");
}

void PictureMaker::draw_bar(Image& image) const {
  const ColourScale& colours = scale();
  Canvas canvas(image);
  const float unit = letter();
  const auto height = static_cast<float>(choice_.height);
  const float left = static_cast<float>(choice_.width) - bar_width() + 0.5F * unit;
  const float top = std::max(9 * unit, 0.2F * height);
  const float bottom = std::max(top + 10 * unit, 0.8F * height);
  const float width = 1.6F * unit;
  canvas.write(colours.label, {left, top - 2.2F * unit}, unit, text_ink);
  const bool one = !(colours.high > colours.low) || colours.ticks.size() == 1;
  const auto first = static_cast<std::ptrdiff_t>(std::round(top));
  const auto last = static_cast<std::ptrdiff_t>(std::round(bottom));
  for (std::ptrdiff_t y = first; y < last; ++y) {
    const float part =
        one ? 0.5F : 1 - (static_cast<float>(y - first) + 0.5F) / static_cast<float>(last - first);
    const Colour colour = mapped_colour(part);
    for (auto x = static_cast<std::ptrdiff_t>(left); x < static_cast<std::ptrdiff_t>(left + width);
         ++x)
      image.blend(x, y, colour, 1);
  }
  for (const double tick : colours.ticks) {
    const float part = one ? 0.5F : colours.part(static_cast<float>(tick));
    const float y = bottom - part * (bottom - top);
    canvas.stroke(std::array<Spot, 2>{{{left + width, y}, {left + width + 0.5F * unit, y}}},
                  std::max(1.0F, unit / 9), soft_ink);
    const bool open = colours.beyond && tick == colours.ticks.back();
    canvas.write(
        message(open ? "\u2265 " : "", tick < 0 ? "\u2212" : "", tick_text(std::abs(tick))),
        {left + width + 1.1F * unit, y + unit / 2}, unit, text_ink);
  }
}

void PictureMaker::decorate(Image& image, const std::string& subtitle) const {
  if (!has_writing()) return;
  Canvas canvas(image);
  const float unit = letter();
  std::string title = shown_.title();
  float size = 1.3F * unit;
  const float room = static_cast<float>(choice_.width) - 3 * unit;
  size =
      std::max(0.7F * unit, std::min(size, size * room / std::max(1.0F, text_width(title, size))));
  canvas.write(title, {1.5F * unit, 2.6F * unit}, size, text_ink, true);
  canvas.write(subtitle, {1.5F * unit, 4.9F * unit}, unit, soft_ink);
  draw_bar(image);
}

Image PictureMaker::picture(std::size_t number) {
  const ShownFrame frame = shown_.frame(number);
  Image image(choice_.width, choice_.height, paper);
  const Area area = inner_area();
  image.put(view_of(frame, area.width, area.height), area.left, area.top);
  std::string subtitle = shown_.times().size() > 1 ? time_text_of(frame.time) : std::string();
  decorate(image, subtitle);
  return image;
}

Image PictureMaker::sheet(const std::function<void(double)>& progress) {
  const std::vector<std::size_t> numbers = evenly_spaced(shown_.times(), most_on_a_sheet);
  Image image(choice_.width, choice_.height, paper);
  const Area area = inner_area();
  const auto caption = static_cast<std::size_t>(has_writing() ? 2.4F * letter() : 0);
  const std::size_t count = numbers.size();
  std::size_t columns = 1;
  float best = 0;
  for (std::size_t c = 1; c <= count; ++c) {  // as large as they can be
    const std::size_t rows = (count + c - 1) / c;
    if (area.height / rows <= caption + 8) continue;
    const float scale = fitted(area.width / c, area.height / rows - caption).scale;
    if (scale > best) {
      best = scale;
      columns = c;
    }
  }
  const std::size_t rows = (count + columns - 1) / columns;
  const std::size_t width = area.width / columns;
  const std::size_t height = area.height / rows;
  if (width < 8 || height <= caption + 8)
    throw Error(message("--size ", choice_.width, "x", choice_.height,
                        ": too small for a sheet of ", count, " pictures"));
  Canvas canvas(image);
  for (std::size_t i = 0; i < count; ++i) {
    const ShownFrame frame = shown_.frame(numbers[i]);
    const std::size_t left = area.left + i % columns * width;
    const std::size_t top = area.top + i / columns * height;
    image.put(view_of(frame, width, height - caption), left, top + caption);
    const std::string text = time_text_of(frame.time);
    const float unit = 0.9F * letter();
    if (has_writing())
      canvas.write(
          text,
          {static_cast<float>(left) + (static_cast<float>(width) - text_width(text, unit)) / 2,
           static_cast<float>(top) + 0.7F * static_cast<float>(caption)},
          unit, text_ink);
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(count));
  }
  decorate(image, message(time_text_of(shown_.times().front()), " to ",
                          time_text_of(shown_.times().back()).substr(4)));
  return image;
}

}  // namespace abut
