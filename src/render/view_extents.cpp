#include "render/view_extents.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "io/text_format.hpp"

namespace abut {
namespace {

constexpr std::size_t max_sampled_frames = 12;  // frames, at most

/// A few frames have to stand for all; the last is one of them.
std::vector<std::size_t> sampled_frames(std::size_t count) {
  std::vector<std::size_t> chosen;
  const std::size_t most = std::min(count, max_sampled_frames);
  for (std::size_t i = 0; i < most; ++i)
    chosen.push_back(most == 1 ? count - 1 : i * (count - 1) / (most - 1));
  return chosen;
}

/// Without the few that are far above all others, which would leave no colours to the rest.
float upper_limit(std::vector<float>& values, bool whole) {
  const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  const auto rank =
      whole ? last : static_cast<std::ptrdiff_t>(std::ceil(0.9 * static_cast<double>(last)));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

/// Round numbers between two values.
std::vector<double> round_ticks(double low, double high, bool whole) {
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

ColorScale make_color_scale(const ColorField& quantity, std::vector<float> values) {
  ColorScale scale;
  scale.label = quantity.label;
  if (values.empty()) values = {0, 1};
  const auto [least, most] = std::ranges::minmax(values);
  if (quantity.starts_at_zero && least >= 0) {
    scale.ticks = linear_ticks(upper_limit(values, quantity.is_integer));
    if (quantity.is_integer) scale.ticks = round_ticks(0, std::max(1.0F, most), true);
    scale.high =
        quantity.is_integer ? std::max(1.0F, most) : static_cast<float>(scale.ticks.back());
    scale.has_overflow = most > scale.high;
  } else {
    scale.low = least;
    scale.high = most;
    const bool one = !(most - least > 1e-6F * std::max(std::abs(most), std::abs(least)));
    scale.ticks = one ? std::vector<double>{most} : round_ticks(least, most, quantity.is_integer);
  }
  return scale;
}

void append_movable(const FrameData& frame, const ColorField& quantity,
                    std::vector<float>& values) {
  const std::vector<bool> fixed = fixed_particles(frame);
  for (std::size_t i = 0; i < quantity.values.size(); ++i)
    if ((fixed.empty() || i >= fixed.size() || !fixed[i]) && std::isfinite(quantity.values[i]))
      values.push_back(quantity.values[i]);
}

float diagonal(const ViewBox& box) { return box.is_empty() ? 0 : length(box.max - box.min); }

/// Walls that are not far larger than what they hold belong to the picture as a whole.
void include_walls(const FrameData& frame, const ViewBox& particles, ViewExtents& survey) {
  std::map<std::int32_t, ViewBox> bodies;
  std::map<std::int32_t, std::vector<BoundingSphere>> corners_of;
  const FrameWalls& walls = frame.walls;
  const auto include = [&](std::size_t piece, const auto& corners) {
    for (const std::uint32_t corner : corners) {
      bodies[walls.wall_id[piece]].include(walls.vertices[corner], 0);
      corners_of[walls.wall_id[piece]].push_back({walls.vertices[corner], 0});
    }
  };
  for (std::size_t i = 0; i < walls.segments.size(); ++i) include(i, walls.segments[i]);
  for (std::size_t i = 0; i < walls.triangles.size(); ++i)
    include(walls.segments.size() + i, walls.triangles[i]);
  for (const auto& [number, body] : bodies) {
    if (!particles.is_empty() && diagonal(body) > 2 * diagonal(particles)) continue;
    survey.box.include(body.min, 0);
    survey.box.include(body.max, 0);
    survey.bounding_spheres.insert(survey.bounding_spheres.end(), corners_of[number].begin(),
                                   corners_of[number].end());
  }
}

}  // namespace

void ViewBox::include(const Float3& place, float around) {
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

ViewExtents::ViewExtents(const Dataset& shown, const std::string& colour, bool with_chains) {
  std::vector<float> values;
  std::vector<float> forces;
  std::vector<float> radii;
  std::vector<FrameData> walls;
  ColorField quantity;
  ColorField chain;
  ViewBox fixed_box;
  for (const std::size_t number : sampled_frames(shown.times().size())) {
    FrameData frame = shown.frame(number);
    dimension = frame.dimension;
    const std::vector<bool> fixed = fixed_particles(frame);
    for (std::size_t i = 0; i < frame.particles.position.size(); ++i) {
      box.include(frame.particles.position[i], frame.particles.radius[i]);
      if (!fixed.empty() && fixed[i])
        fixed_box.include(frame.particles.position[i], frame.particles.radius[i]);
      radii.push_back(frame.particles.radius[i]);
      bounding_spheres.push_back({frame.particles.position[i], frame.particles.radius[i]});
    }
    for (const auto& corner : frame.blocks.vertices) {
      box.include(corner, 0);
      bounding_spheres.push_back({corner, 0});
    }
    for (const auto& ends : frame.contacts.ends)
      if (frame.particles.position.empty() && frame.blocks.vertices.empty())
        for (const auto& end : ends) box.include(end, 0);
    quantity = find_color_field(frame, colour);
    append_movable(frame, quantity, values);
    if (with_chains) {
      chain = find_force_chain_field(frame);
      forces.insert(forces.end(), chain.values.begin(), chain.values.end());
    }
    frame.particles = {};
    frame.contacts = {};
    walls.push_back(std::move(frame));
  }
  const ViewBox particles = box;
  for (const FrameData& frame : walls) include_walls(frame, particles, *this);
  if (box.is_empty()) box.include({0, 0, 0}, 1);
  if (bounding_spheres.empty())
    bounding_spheres.push_back({box.center(), length(box.max - box.min) / 2});
  color_scale = make_color_scale(quantity, std::move(values));
  if (with_chains) force_chain_scale = make_color_scale(chain, std::move(forces));
  container_center = fixed_box.is_empty() ? box.center() : fixed_box.center();
  if (!radii.empty()) {
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    typical_radius = *middle;
  } else {
    typical_radius = diagonal(box) / 60;
  }
}

}  // namespace abut
