#include "render/survey_of_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "io/ticks.hpp"

namespace abut {
namespace {

constexpr std::size_t looked_at = 12;  // frames, at most

/// A few frames have to stand for all; the last is one of them.
std::vector<std::size_t> some_frames(std::size_t count) {
  std::vector<std::size_t> chosen;
  const std::size_t most = std::min(count, looked_at);
  for (std::size_t i = 0; i < most; ++i)
    chosen.push_back(most == 1 ? count - 1 : i * (count - 1) / (most - 1));
  return chosen;
}

/// Without the few that are far above all others, which would leave no colours to the rest.
float high_end(std::vector<float>& values, bool whole) {
  const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  const auto rank =
      whole ? last : static_cast<std::ptrdiff_t>(std::ceil(0.9 * static_cast<double>(last)));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

/// Round numbers between two values.
std::vector<double> ticks_between(double low, double high, bool whole) {
  const double span = high - low;
  double step = std::pow(10, std::floor(std::log10(span / 5)));
  for (const double factor : {2.0, 2.5, 2.0})
    if (span / step > 6) step *= factor;
  if (whole) step = std::max(1.0, std::round(step));
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step - 1e-6); tick * step <= high + 1e-6 * span; ++tick)
    ticks.push_back(tick * step);
  return ticks;
}

ColourScale scale_of(const Quantity& quantity, std::vector<float> values) {
  ColourScale scale;
  scale.label = quantity.label;
  if (values.empty()) values = {0, 1};
  const auto [least, most] = std::ranges::minmax(values);
  if (quantity.from_zero && least >= 0) {
    scale.ticks = linear_ticks(high_end(values, quantity.whole));
    if (quantity.whole) scale.ticks = ticks_between(0, std::max(1.0F, most), true);
    scale.high = quantity.whole ? std::max(1.0F, most) : static_cast<float>(scale.ticks.back());
    scale.beyond = most > scale.high;
  } else {
    scale.low = least;
    scale.high = most;
    const bool one = !(most - least > 1e-6F * std::max(std::abs(most), std::abs(least)));
    scale.ticks = one ? std::vector<double>{most} : ticks_between(least, most, quantity.whole);
  }
  return scale;
}

void append_moving(const ShownFrame& frame, const Quantity& quantity, std::vector<float>& values) {
  const std::vector<bool> fixed = fixed_particles(frame);
  for (std::size_t i = 0; i < quantity.values.size(); ++i)
    if ((fixed.empty() || i >= fixed.size() || !fixed[i]) && std::isfinite(quantity.values[i]))
      values.push_back(quantity.values[i]);
}

float size_of(const ShownBox& box) { return box.is_empty() ? 0 : length(box.max - box.min); }

/// Walls that are not far larger than what they hold belong to the picture as a whole.
void include_walls(const ShownFrame& frame, const ShownBox& particles, RunSurvey& survey) {
  std::map<std::int32_t, ShownBox> bodies;
  std::map<std::int32_t, std::vector<OuterBall>> corners_of;
  const ShownWalls& walls = frame.walls;
  const auto include = [&](std::size_t piece, const auto& corners) {
    for (const std::uint32_t corner : corners) {
      bodies[walls.body[piece]].include(walls.corners[corner], 0);
      corners_of[walls.body[piece]].push_back({walls.corners[corner], 0});
    }
  };
  for (std::size_t i = 0; i < walls.segments.size(); ++i) include(i, walls.segments[i]);
  for (std::size_t i = 0; i < walls.triangles.size(); ++i)
    include(walls.segments.size() + i, walls.triangles[i]);
  for (const auto& [number, body] : bodies) {
    if (!particles.is_empty() && size_of(body) > 2 * size_of(particles)) continue;
    survey.box.include(body.min, 0);
    survey.box.include(body.max, 0);
    survey.outer.insert(survey.outer.end(), corners_of[number].begin(), corners_of[number].end());
  }
}

}  // namespace

void ShownBox::include(const Float3& place, float around) {
  const Float3 r{around, around, around};
  const Float3 low = place - r;
  const Float3 high = place + r;
  if (is_empty()) {
    min = low;
    max = high;
    return;
  }
  min = {std::min(min.x, low.x), std::min(min.y, low.y), std::min(min.z, low.z)};
  max = {std::max(max.x, high.x), std::max(max.y, high.y), std::max(max.z, high.z)};
}

RunSurvey::RunSurvey(const Shown& shown, const std::string& colour, bool with_chains) {
  std::vector<float> values;
  std::vector<float> forces;
  std::vector<float> radii;
  std::vector<ShownFrame> walls;
  Quantity quantity;
  Quantity chain;
  ShownBox fixed_box;
  for (const std::size_t number : some_frames(shown.times().size())) {
    ShownFrame frame = shown.frame(number);
    dimension = frame.dimension;
    const std::vector<bool> fixed = fixed_particles(frame);
    for (std::size_t i = 0; i < frame.particles.place.size(); ++i) {
      box.include(frame.particles.place[i], frame.particles.radius[i]);
      if (!fixed.empty() && fixed[i])
        fixed_box.include(frame.particles.place[i], frame.particles.radius[i]);
      radii.push_back(frame.particles.radius[i]);
      outer.push_back({frame.particles.place[i], frame.particles.radius[i]});
    }
    for (const auto& corner : frame.blocks.corners) {
      box.include(corner, 0);
      outer.push_back({corner, 0});
    }
    for (const auto& ends : frame.contacts.ends)
      if (frame.particles.place.empty() && frame.blocks.corners.empty())
        for (const auto& end : ends) box.include(end, 0);
    quantity = quantity_of(frame, colour);
    append_moving(frame, quantity, values);
    if (with_chains) {
      chain = chain_quantity(frame);
      forces.insert(forces.end(), chain.values.begin(), chain.values.end());
    }
    frame.particles = {};
    frame.contacts = {};
    walls.push_back(std::move(frame));
  }
  const ShownBox particles = box;
  for (const ShownFrame& frame : walls) include_walls(frame, particles, *this);
  if (box.is_empty()) box.include({0, 0, 0}, 1);
  if (outer.empty()) outer.push_back({box.middle(), length(box.max - box.min) / 2});
  colours = scale_of(quantity, std::move(values));
  if (with_chains) chains = scale_of(chain, std::move(forces));
  axis = fixed_box.is_empty() ? box.middle() : fixed_box.middle();
  if (!radii.empty()) {
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    typical_radius = *middle;
  } else {
    typical_radius = size_of(box) / 60;
  }
}

}  // namespace abut
