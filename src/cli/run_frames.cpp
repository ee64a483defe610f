#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "cli/run_output.hpp"
#include "io/vtk_writer.hpp"
#include "walls/wall_mesh.hpp"

namespace abut {
namespace {

/// Box in which unbounded walls are drawn: the domain, or else around all centers.
template <std::size_t D>
Box<D> drawing_box(const Run<D>& run) {
  if (run.setup().model.domain) return *run.setup().model.domain;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(1);
  const Simulation<D>& simulation = run.simulation();
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const ParticleState<D> p = simulation.particle(ParticleIndex{i});
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = i == 0 ? p.position[k] : std::min(box.min[k], p.position[k]);
      box.max[k] = i == 0 ? p.position[k] : std::max(box.max[k], p.position[k]);
    }
  }
  return box;
}

template <std::size_t D>
std::array<double, 3> to_3d(const Point<D>& point) {
  std::array<double, 3> padded{};
  std::copy(point.begin(), point.end(), padded.begin());
  return padded;
}

template <std::size_t D>
double magnitude(const Point<D>& vector) {
  double square = 0;
  for (const double component : vector) square += component * component;
  return std::sqrt(square);
}

}  // namespace

template <std::size_t D>
RunFrames<D>::RunFrames(std::string folder, double resumed_time)
    : folder_(std::move(folder)),
      series_(resumed_time > 0 ? VtkSeries::resume(folder_ + "/run.pvd", resumed_time)
                               : VtkSeries(folder_ + "/run.pvd")) {}

template <std::size_t D>
std::string RunFrames<D>::file(const char* group, std::uint64_t step) const {
  return fmt::format("{}-{:010}.vtp", group, step);
}

template <std::size_t D>
void RunFrames<D>::write(const Run<D>& run) {
  const Simulation<D>& simulation = run.simulation();
  const std::vector<ContactState<D>> contacts = simulation.contacts();
  write_particles(run, contacts);
  if (run.setup().output.contacts) write_contacts(simulation, contacts);
  write_walls(run);
  series_.write();
}

template <std::size_t D>
void RunFrames<D>::write_particles(const Run<D>& run,
                                   const std::vector<ContactState<D>>& contacts) {
  const Simulation<D>& simulation = run.simulation();
  const std::size_t count = simulation.particle_count();
  std::vector<std::array<double, 3>> position(count);
  std::vector<std::array<std::int32_t, D>> image(count);
  std::vector<std::array<double, 3>> velocity(count);
  std::vector<std::array<double, 3>> angular_velocity(count);
  std::vector<double> radius(count);
  std::vector<double> speed(count);
  std::vector<std::int32_t> id(count);
  std::vector<std::int32_t> material(count);
  std::vector<std::int32_t> coordination_number(count);
  std::vector<std::uint8_t> fixed(count);
  std::unordered_map<ParticleId, std::size_t> index_of;
  index_of.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ParticleState<D> p = simulation.particle(ParticleIndex{i});
    position[i] = to_3d<D>(p.position);
    image[i] = p.image;
    velocity[i] = to_3d<D>(p.velocity);
    angular_velocity[i] = p.angular_velocity;
    radius[i] = p.radius;
    speed[i] = magnitude<D>(p.velocity);
    id[i] = static_cast<std::int32_t>(p.id.value());
    material[i] = static_cast<std::int32_t>(p.material.value());
    fixed[i] = p.fixed ? 1 : 0;
    index_of[p.id] = i;
  }
  for (const ContactState<D>& contact : contacts) {
    ++coordination_number[index_of[contact.a]];
    if (!contact.is_wall) ++coordination_number[index_of[contact.b]];
  }
  VtkFrame frame;
  frame.time = simulation.time();
  frame.step = static_cast<std::int64_t>(simulation.step());
  frame.points = position;
  frame.has_vertices = true;
  frame.point_fields = {{"radius", radius},
                        {"velocity", velocity},
                        {"speed", speed},
                        {"angular_velocity", angular_velocity},
                        {"id", id},
                        {"material", material},
                        {"coordination_number", coordination_number},
                        {"fixed", fixed}};
  if (run.setup().model.periodic != std::array<bool, D>{})
    frame.point_fields.push_back({"image", image});
  const std::string name = file("particles", simulation.step());
  write_vtk(folder_ + "/" + name, frame);
  series_.add({simulation.time(), "particles", name});
}

/// Draws each contact as a line from center to center, or from the center to the wall.
template <std::size_t D>
void RunFrames<D>::write_contacts(const Simulation<D>& simulation,
                                  const std::vector<ContactState<D>>& contacts) {
  std::vector<std::array<double, 3>> ends;
  std::vector<std::array<double, 3>> force;
  std::vector<std::array<Index, 2>> lines;
  std::vector<double> force_magnitude;
  std::vector<double> overlap;
  std::vector<std::uint8_t> is_wall;
  std::vector<std::int32_t> a;
  std::vector<std::int32_t> b;
  std::unordered_map<ParticleId, double> radius;
  for (std::size_t i = 0; i < simulation.particle_count(); ++i)
    radius[simulation.particle(ParticleIndex{i}).id] = simulation.particle(ParticleIndex{i}).radius;
  for (const ContactState<D>& contact : contacts) {
    const auto offset_point = [&](double distance) {
      Point<D> end = contact.point;
      for (std::size_t k = 0; k < D; ++k) end[k] += distance * contact.normal[k];
      return to_3d<D>(end);
    };
    const auto first = static_cast<Index>(ends.size());
    ends.push_back(offset_point(-radius[contact.a]));
    ends.push_back(contact.is_wall ? offset_point(0) : offset_point(radius[contact.b]));
    lines.push_back({first, first + 1});
    force.push_back(to_3d<D>(contact.force));
    force_magnitude.push_back(magnitude<D>(contact.force));
    overlap.push_back(contact.overlap);
    is_wall.push_back(contact.is_wall ? 1 : 0);
    a.push_back(static_cast<std::int32_t>(contact.a.value()));
    b.push_back(
        static_cast<std::int32_t>(contact.is_wall ? contact.wall.value() : contact.b.value()));
  }
  VtkFrame frame;
  frame.time = simulation.time();
  frame.step = static_cast<std::int64_t>(simulation.step());
  frame.points = ends;
  frame.lines = lines;
  frame.cell_fields = {{"force", force},
                       {"force_magnitude", force_magnitude},
                       {"overlap", overlap},
                       {"is_wall", is_wall},
                       {"a", a},
                       {"b", b}};
  const std::string name = file("contacts", simulation.step());
  write_vtk(folder_ + "/" + name, frame);
  series_.add({simulation.time(), "contacts", name});
}

/// Writes a new file only if a wall moves, opens or closes; otherwise the last file is referenced
/// again.
template <std::size_t D>
void RunFrames<D>::write_walls(const Run<D>& run) {
  const Simulation<D>& simulation = run.simulation();
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<Index, D>> facets;
  std::vector<std::int32_t> wall_id;
  std::string visible_walls;
  const Box<D> box = drawing_box(run);
  for (std::size_t index = 0; index < run.setup().walls.size(); ++index) {
    if (simulation.is_open(WallId{index})) continue;
    const Wall<D>& wall = run.setup().walls[index];
    const bool moves = wall.motion.angular_velocity != 0 || wall.motion.velocity != Point<D>{};
    visible_walls +=
        moves ? fmt::format("{}@{},", index, simulation.step()) : fmt::format("{},", index);
    const Mesh<D> mesh = wall_mesh(wall, simulation.time(), box);
    const auto first = static_cast<Index>(vertices.size());
    for (const Point<D>& vertex : mesh.vertices) vertices.push_back(to_3d<D>(vertex));
    for (auto facet : mesh.facets) {
      for (Index& vertex : facet) vertex += first;
      facets.push_back(facet);
      wall_id.push_back(static_cast<std::int32_t>(index));
    }
  }
  if (vertices.empty()) return;
  if (visible_walls != written_walls_) {
    VtkFrame frame;
    frame.time = simulation.time();
    frame.step = static_cast<std::int64_t>(simulation.step());
    frame.points = vertices;
    if constexpr (D == 2)
      frame.lines = facets;
    else
      frame.triangles = facets;
    frame.cell_fields = {{"wall_id", wall_id}};
    walls_file_ = file("walls", simulation.step());
    write_vtk(folder_ + "/" + walls_file_, frame);
    written_walls_ = visible_walls;
  }
  series_.add({simulation.time(), "walls", walls_file_});
}

template class RunFrames<2>;
template class RunFrames<3>;

}  // namespace abut
