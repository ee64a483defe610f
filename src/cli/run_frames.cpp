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

/// Around all particles, and the domain if there is one.
template <std::size_t D>
Box<D> drawing_box(const Run<D>& run) {
  if (run.setup().model.domain) return *run.setup().model.domain;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(1);
  const Simulation<D>& now = run.simulation();
  for (std::size_t i = 0; i < now.particle_count(); ++i) {
    const ParticleState<D> p = now.particle(ParticleIndex{i});
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = i == 0 ? p.position[k] : std::min(box.min[k], p.position[k]);
      box.max[k] = i == 0 ? p.position[k] : std::max(box.max[k], p.position[k]);
    }
  }
  return box;
}

template <std::size_t D>
std::array<double, 3> to_3d(const Point<D>& point) {
  std::array<double, 3> three{};
  std::copy(point.begin(), point.end(), three.begin());
  return three;
}

template <std::size_t D>
double magnitude(const Point<D>& vector) {
  double square = 0;
  for (const double part : vector) square += part * part;
  return std::sqrt(square);
}

}  // namespace

template <std::size_t D>
RunFrames<D>::RunFrames(std::string folder, double continued_from)
    : folder_(std::move(folder)),
      series_(continued_from > 0 ? VtkSeries::resume(folder_ + "/run.pvd", continued_from)
                                 : VtkSeries(folder_ + "/run.pvd")) {}

template <std::size_t D>
std::string RunFrames<D>::file(const char* part, std::uint64_t step) const {
  return fmt::format("{}-{:010}.vtp", part, step);
}

template <std::size_t D>
void RunFrames<D>::write(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const std::vector<ContactState<D>> contacts = now.contacts();
  write_particles(now, contacts);
  if (run.setup().output.contacts) write_contacts(now, contacts);
  write_walls(run);
  series_.write();
}

template <std::size_t D>
void RunFrames<D>::write_particles(const Simulation<D>& now,
                                   const std::vector<ContactState<D>>& contacts) {
  const std::size_t count = now.particle_count();
  std::vector<std::array<double, 3>> place(count);
  std::vector<std::array<double, 3>> velocity(count);
  std::vector<std::array<double, 3>> spin(count);
  std::vector<double> radius(count);
  std::vector<double> speed(count);
  std::vector<std::int32_t> id(count);
  std::vector<std::int32_t> material(count);
  std::vector<std::int32_t> touching(count);
  std::vector<std::uint8_t> fixed(count);
  std::unordered_map<ParticleId, std::size_t> by_id;
  by_id.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ParticleState<D> p = now.particle(ParticleIndex{i});
    place[i] = to_3d<D>(p.position);
    velocity[i] = to_3d<D>(p.velocity);
    spin[i] = p.angular_velocity;
    radius[i] = p.radius;
    speed[i] = magnitude<D>(p.velocity);
    id[i] = static_cast<std::int32_t>(p.id.value());
    material[i] = static_cast<std::int32_t>(p.material.value());
    fixed[i] = p.fixed ? 1 : 0;
    by_id[p.id] = i;
  }
  for (const ContactState<D>& contact : contacts) {
    ++touching[by_id[contact.a]];
    if (!contact.is_wall) ++touching[by_id[contact.b]];
  }
  VtkFrame frame;
  frame.time = now.time();
  frame.step = static_cast<std::int64_t>(now.step());
  frame.points = place;
  frame.has_vertices = true;
  frame.point_fields = {{"radius", radius},
                        {"velocity", velocity},
                        {"speed", speed},
                        {"angular_velocity", spin},
                        {"id", id},
                        {"material", material},
                        {"coordination_number", touching},
                        {"fixed", fixed}};
  const std::string name = file("particles", now.step());
  write_vtk(folder_ + "/" + name, frame);
  series_.add({now.time(), "particles", name});
}

/// Force chains: a line from centre to centre, or from centre to wall.
template <std::size_t D>
void RunFrames<D>::write_contacts(const Simulation<D>& now,
                                  const std::vector<ContactState<D>>& contacts) {
  std::vector<std::array<double, 3>> ends;
  std::vector<std::array<double, 3>> force;
  std::vector<std::array<Index, 2>> lines;
  std::vector<double> size;
  std::vector<double> overlap;
  std::vector<std::uint8_t> wall;
  std::vector<std::int32_t> a;
  std::vector<std::int32_t> b;
  std::unordered_map<ParticleId, double> radius;
  for (std::size_t i = 0; i < now.particle_count(); ++i)
    radius[now.particle(ParticleIndex{i}).id] = now.particle(ParticleIndex{i}).radius;
  for (const ContactState<D>& contact : contacts) {
    const auto from = [&](double distance) {
      Point<D> end = contact.point;
      for (std::size_t k = 0; k < D; ++k) end[k] += distance * contact.normal[k];
      return to_3d<D>(end);
    };
    const auto first = static_cast<Index>(ends.size());
    ends.push_back(from(radius[contact.a]));
    ends.push_back(contact.is_wall ? from(0) : from(-radius[contact.b]));
    lines.push_back({first, first + 1});
    force.push_back(to_3d<D>(contact.force));
    size.push_back(magnitude<D>(contact.force));
    overlap.push_back(contact.overlap);
    wall.push_back(contact.is_wall ? 1 : 0);
    a.push_back(static_cast<std::int32_t>(contact.a.value()));
    b.push_back(
        static_cast<std::int32_t>(contact.is_wall ? contact.wall.value() : contact.b.value()));
  }
  VtkFrame frame;
  frame.time = now.time();
  frame.step = static_cast<std::int64_t>(now.step());
  frame.points = ends;
  frame.lines = lines;
  frame.cell_fields = {{"force", force},
                       {"force_magnitude", size},
                       {"overlap", overlap},
                       {"is_wall", wall},
                       {"a", a},
                       {"b", b}};
  const std::string name = file("contacts", now.step());
  write_vtk(folder_ + "/" + name, frame);
  series_.add({now.time(), "contacts", name});
}

/// Walls that stay as they are are written once.
template <std::size_t D>
void RunFrames<D>::write_walls(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  std::vector<std::array<double, 3>> corners;
  std::vector<std::array<Index, D>> pieces;
  std::vector<std::int32_t> body;
  std::string shows;
  const Box<D> box = drawing_box(run);
  for (std::size_t wall = 0; wall < run.setup().walls.size(); ++wall) {
    if (now.is_open(WallId{wall})) continue;
    const Wall<D>& one = run.setup().walls[wall];
    const bool moves = one.motion.angular_velocity != 0 || one.motion.velocity != Point<D>{};
    shows += moves ? fmt::format("{}@{},", wall, now.step()) : fmt::format("{},", wall);
    const Mesh<D> mesh = wall_mesh(one, now.time(), box);
    const auto first = static_cast<Index>(corners.size());
    for (const Point<D>& corner : mesh.vertices) corners.push_back(to_3d<D>(corner));
    for (auto piece : mesh.facets) {
      for (Index& corner : piece) corner += first;
      pieces.push_back(piece);
      body.push_back(static_cast<std::int32_t>(wall));
    }
  }
  if (corners.empty()) return;
  if (shows != written_walls_) {
    VtkFrame frame;
    frame.time = now.time();
    frame.step = static_cast<std::int64_t>(now.step());
    frame.points = corners;
    if constexpr (D == 2)
      frame.lines = pieces;
    else
      frame.triangles = pieces;
    frame.cell_fields = {{"wall_id", body}};
    walls_file_ = file("walls", now.step());
    write_vtk(folder_ + "/" + walls_file_, frame);
    written_walls_ = shows;
  }
  series_.add({now.time(), "walls", walls_file_});
}

template class RunFrames<2>;
template class RunFrames<3>;

}  // namespace abut
