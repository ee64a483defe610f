// Volume, centroid and inertia: sums over the tetrahedra between a corner and the triangles of the
// faces. Of one with corners 0, a, b, c the second moments are det(a,b,c)/120·(aaᵀ+bbᵀ+ccᵀ+ssᵀ),
// s = a+b+c.
#include "narrow/mass_properties.hpp"

#include <abut/blocks.hpp>

#include "core/vec.hpp"

namespace abut {
namespace {

// About the corner the tetrahedra share; the volume is six times as large until the end.
struct Moments {
  double six_volumes = 0;
  Point<3> first_moment{};
  std::array<Point<3>, 3> second_moment{};

  void add(const Point<3>& a, const Point<3>& b, const Point<3>& c) {
    const double det = dot(a, cross(b, c));
    const Point<3> s = sum(a, sum(b, c));
    six_volumes += det;
    first_moment = add_scaled(first_moment, det / 24, s);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        second_moment[i][j] += det / 120 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
  }
};

}  // namespace

SolidProperties solid_properties(const PolyhedronTopology& topology,
                                 std::span<const Point<3>> corners) {
  Moments moments;
  const auto from = [&](Index h) {
    return difference(corners[topology.half_edges[h].origin], corners[0]);
  };
  for (Index face = 0; face < topology.face_count(); ++face)
    for (Index h = topology.face_offsets[face] + 1; h + 1 < topology.face_offsets[face + 1]; ++h)
      moments.add(from(topology.face_offsets[face]), from(h), from(h + 1));

  SolidProperties solid;
  solid.volume = moments.six_volumes / 6;
  if (!(solid.volume > 0)) return solid;
  const Point<3> middle = scaled(moments.first_moment, 1 / solid.volume);
  solid.centroid = sum(corners[0], middle);
  auto& spread = moments.second_moment;  // moved to the centroid
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) spread[i][j] -= solid.volume * middle[i] * middle[j];
  const double trace = spread[0][0] + spread[1][1] + spread[2][2];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) solid.inertia[i][j] = (i == j ? trace : 0) - spread[i][j];
  return solid;
}

double signed_volume(const Mesh<3>& mesh) {
  double six_volumes = 0;
  for (const auto& [a, b, c] : mesh.facets) {
    const Point<3>& origin = mesh.vertices[mesh.facets[0][0]];
    const auto from = [&](Index corner) { return difference(mesh.vertices[corner], origin); };
    six_volumes += dot(from(a), cross(from(b), from(c)));
  }
  return six_volumes / 6;
}

namespace {

double volume_of(const Polygon& part) { return part.area(); }
double volume_of(const Polyhedron& part) { return part.volume(); }

// What moving a body of this measure away from the centroid adds to its inertia (Steiner).
void add_parallel_axis(double measure, const Point<2>& away, double& inertia) {
  inertia += measure * dot(away, away);
}

void add_parallel_axis(double measure, const Point<3>& away, std::array<Point<3>, 3>& inertia) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      inertia[i][j] += measure * ((i == j ? dot(away, away) : 0) - away[i] * away[j]);
}

void add_inertia(double part, double& inertia) { inertia += part; }

void add_inertia(const std::array<Point<3>, 3>& part, std::array<Point<3>, 3>& inertia) {
  for (std::size_t i = 0; i < 3; ++i) inertia[i] = sum(inertia[i], part[i]);
}

}  // namespace

template <std::size_t D>
MassProperties<D> mass_properties(std::span<const Convex<D>> parts) {
  MassProperties<D> bulk;
  for (const Convex<D>& part : parts) bulk.volume += volume_of(part);
  for (const Convex<D>& part : parts)
    bulk.centroid = add_scaled(bulk.centroid, volume_of(part) / bulk.volume, part.centroid());
  for (const Convex<D>& part : parts) {
    add_inertia(part.inertia(), bulk.inertia);
    add_parallel_axis(volume_of(part), difference(part.centroid(), bulk.centroid), bulk.inertia);
  }
  return bulk;
}

template MassProperties<2> mass_properties(std::span<const Polygon>);
template MassProperties<3> mass_properties(std::span<const Polyhedron>);

}  // namespace abut
