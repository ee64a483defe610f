#include "render/view_extents.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace abut {
namespace {

constexpr std::size_t max_sampled_frames = 12;

/// Indices of up to 12 evenly spaced frames, including the last.
std::vector<std::size_t> sampled_frames(std::size_t count) {
  std::vector<std::size_t> indices;
  const std::size_t sampled = std::min(count, max_sampled_frames);
  for (std::size_t i = 0; i < sampled; ++i)
    indices.push_back(sampled == 1 ? count - 1 : i * (count - 1) / (sampled - 1));
  return indices;
}

/// Appends the finite values of particles that are not fixed.
void append_movable(const FrameData& frame, const ColorField& field, std::vector<float>& values) {
  const std::vector<bool> fixed = fixed_particles(frame);
  for (std::size_t i = 0; i < field.values.size(); ++i)
    if ((fixed.empty() || i >= fixed.size() || !fixed[i]) && std::isfinite(field.values[i]))
      values.push_back(field.values[i]);
}

float diagonal(const ViewBox& box) { return box.is_empty() ? 0 : length(box.max - box.min); }

/// Includes every wall whose diagonal is at most twice that of the particles.
void include_walls(const FrameData& frame, const ViewBox& particles, ViewExtents& extents) {
  std::map<std::int32_t, ViewBox> boxes;
  std::map<std::int32_t, std::vector<BoundingSphere>> vertices_of;
  const FrameWalls& walls = frame.walls;
  const auto include = [&](std::size_t element, const auto& vertices) {
    for (const std::uint32_t vertex : vertices) {
      boxes[walls.wall_id[element]].include(walls.vertices[vertex], 0);
      vertices_of[walls.wall_id[element]].push_back({walls.vertices[vertex], 0});
    }
  };
  for (std::size_t i = 0; i < walls.segments.size(); ++i) include(i, walls.segments[i]);
  for (std::size_t i = 0; i < walls.triangles.size(); ++i)
    include(walls.segments.size() + i, walls.triangles[i]);
  for (const auto& [wall, box] : boxes) {
    if (!particles.is_empty() && diagonal(box) > 2 * diagonal(particles)) continue;
    extents.box.include(box.min, 0);
    extents.box.include(box.max, 0);
    extents.bounding_spheres.insert(extents.bounding_spheres.end(), vertices_of[wall].begin(),
                                    vertices_of[wall].end());
  }
}

}  // namespace

void ViewBox::include(const Float3& center, float radius) {
  const Float3 r{radius, radius, radius};
  const Float3 low = center - r;
  const Float3 high = center + r;
  if (is_empty()) {
    min = low;
    max = high;
    return;
  }
  min = {std::min(min.x, low.x), std::min(min.y, low.y), std::min(min.z, low.z)};
  max = {std::max(max.x, high.x), std::max(max.y, high.y), std::max(max.z, high.z)};
}

ViewExtents::ViewExtents(const Dataset& dataset, const std::string& color_by,
                         bool with_force_chains) {
  std::vector<float> values;
  std::vector<float> forces;
  std::vector<float> radii;
  std::vector<FrameData> walls;
  ColorField color_field;
  ColorField force_chain_field;
  ViewBox fixed_box;
  for (const std::size_t index : sampled_frames(dataset.times().size())) {
    FrameData frame = dataset.frame(index);
    dimension = frame.dimension;
    const std::vector<bool> fixed = fixed_particles(frame);
    for (std::size_t i = 0; i < frame.particles.position.size(); ++i) {
      box.include(frame.particles.position[i], frame.particles.radius[i]);
      if (!fixed.empty() && fixed[i])
        fixed_box.include(frame.particles.position[i], frame.particles.radius[i]);
      radii.push_back(frame.particles.radius[i]);
      bounding_spheres.push_back({frame.particles.position[i], frame.particles.radius[i]});
    }
    for (const auto& vertex : frame.blocks.vertices) {
      box.include(vertex, 0);
      bounding_spheres.push_back({vertex, 0});
    }
    for (const auto& ends : frame.contacts.ends)
      if (frame.particles.position.empty() && frame.blocks.vertices.empty())
        for (const auto& end : ends) box.include(end, 0);
    color_field = find_color_field(frame, color_by);
    append_movable(frame, color_field, values);
    if (with_force_chains) {
      force_chain_field = find_force_chain_field(frame);
      forces.insert(forces.end(), force_chain_field.values.begin(), force_chain_field.values.end());
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
  const bool with_units = dataset.has_si_units();
  color_scale = make_color_scale(color_field, std::move(values), with_units);
  if (with_force_chains)
    force_chain_scale = make_color_scale(force_chain_field, std::move(forces), with_units);
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
