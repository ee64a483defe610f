#include "show/vtp_parts.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "core/survey.hpp"
#include "show/source.hpp"

namespace abut {
namespace {

constexpr std::string_view remedy = "it is damaged: copy it again, or repeat the run";

std::vector<std::array<float, 3>> places_of(const std::string& path, const VtkArray& points) {
  const std::vector<float> numbers = points.as<float>();
  std::vector<std::array<float, 3>> places(points.count());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      places[i][k] = numbers[3 * i + k];
      if (!std::isfinite(places[i][k]))
        throw Error(message(path, ": point ", i, " is nowhere (", axis_names[k],
                            " is no number that can be drawn); ", remedy));
    }
  return places;
}

ShownField field_of(const VtkArray& array) {
  return {array.name, array.components, array.as<float>()};
}

const VtkArray& needed(const std::string& path, const VtkArray* array, std::string_view name) {
  if (array != nullptr && array->components == 1) return *array;
  throw Error(message(path, ": no field '", name, "', which frames of abut run have; ", remedy));
}

// A wall is not a particle: its number goes below zero.
void take_names(const VtkContent& file, ShownContacts& contacts) {
  const VtkArray* const a = file.cell_field("a");
  const VtkArray* const b = file.cell_field("b");
  const VtkArray* const wall = file.cell_field("wall");
  if (a == nullptr || b == nullptr || a->components != 1 || b->components != 1) return;
  contacts.a = a->as<std::int64_t>();
  contacts.b = b->as<std::int64_t>();
  if (wall == nullptr || wall->components != 1) return;
  const auto is_wall = wall->as<std::int32_t>();
  for (std::size_t i = 0; i < is_wall.size(); ++i)
    if (is_wall[i] != 0) contacts.b[i] = -1 - contacts.b[i];
}

bool lies_flat(const std::vector<std::array<float, 3>>& points) {
  return std::ranges::all_of(points, [](const auto& point) { return point[2] == 0; });
}

}  // namespace

ShownParticles particles_of(const std::string& path, const VtkContent& file) {
  ShownParticles particles;
  particles.place = places_of(path, file.points());
  particles.radius = needed(path, file.point_field("radius"), "radius").as<float>();
  particles.id = needed(path, file.point_field("id"), "id").as<std::int64_t>();
  for (std::size_t i = 0; i < particles.radius.size(); ++i)
    if (!(particles.radius[i] > 0) || !std::isfinite(particles.radius[i]))
      throw Error(message(path, ": the radius of particle ", i, " is ", particles.radius[i],
                          ", not above zero; ", remedy));
  for (const VtkArray& field : file.point_fields())
    if (field.name != "radius" && field.name != "id") particles.fields.push_back(field_of(field));
  return particles;
}

ShownContacts contacts_of(const std::string& path, const VtkContent& file) {
  if (file.has_vertices() || !file.triangles().empty())
    throw Error(message(path, ": contacts are lines and nothing else; ", remedy));
  const std::vector<std::array<float, 3>> points = places_of(path, file.points());
  ShownContacts contacts;
  for (const auto& [from, to] : file.lines()) contacts.ends.push_back({points[from], points[to]});
  for (const VtkArray& field : file.cell_fields())
    if (field.name != "a" && field.name != "b") contacts.fields.push_back(field_of(field));
  take_names(file, contacts);
  return contacts;
}

ShownWalls walls_of(const std::string& path, const VtkContent& file) {
  ShownWalls walls;
  walls.corners = places_of(path, file.points());
  walls.triangles.assign(file.triangles().begin(), file.triangles().end());
  walls.segments.assign(file.lines().begin(), file.lines().end());
  const std::size_t pieces = walls.triangles.size() + walls.segments.size();
  const VtkArray* const body = file.cell_field("wall");
  if (body != nullptr && body->components == 1 && body->count() == pieces)
    walls.body = body->as<std::int32_t>();
  else
    walls.body.assign(pieces, 0);
  return walls;
}

bool is_flat(const ShownFrame& frame) {
  return frame.walls.triangles.empty() && frame.blocks.triangles.empty() &&
         lies_flat(frame.particles.place) && lies_flat(frame.walls.corners) &&
         std::ranges::all_of(frame.contacts.ends,
                             [](const auto& ends) { return ends[0][2] == 0 && ends[1][2] == 0; });
}

ShownFrame frame_of_vtp(const std::string& path) {
  const VtkContent file(path);
  ShownFrame frame;
  frame.time = file.time();
  if (file.point_field("radius") != nullptr)
    frame.particles = particles_of(path, file);
  else if (file.cell_field("force") != nullptr)
    frame.contacts = contacts_of(path, file);
  else
    frame.walls = walls_of(path, file);
  frame.dimension = is_flat(frame) ? 2 : 3;
  return frame;
}

}  // namespace abut
