// Volume, centroid and inertia of polyhedra and clusters. A polyhedron is the sum of the tetrahedra
// between its first vertex and the triangles of its faces. For a tetrahedron 0, a, b, c with
// s = a + b + c:
//   V = det(a, b, c) / 6,   ∫x dV = det(a, b, c) / 24 · s,
//   ∫x xᵀ dV = det(a, b, c) / 120 · (a aᵀ + b bᵀ + c cᵀ + s sᵀ).
#include "narrow/mass_properties.hpp"

#include "core/vec.hpp"

namespace abut {
namespace {

// Sums over tetrahedra, about the vertex that they share.
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

double volume_of(const Polygon& part) { return part.area(); }
double volume_of(const Polyhedron& part) { return part.volume(); }

void add_inertia(double part, double& inertia) { inertia += part; }

void add_inertia(const std::array<Point<3>, 3>& part, std::array<Point<3>, 3>& inertia) {
  for (std::size_t i = 0; i < 3; ++i) inertia[i] = sum(inertia[i], part[i]);
}

// Parallel axis theorem: the inertia of a part whose centroid is at `arm` from the common one.
void add_parallel_axis(double volume, const Point<2>& arm, double& inertia) {
  inertia += volume * dot(arm, arm);
}

void add_parallel_axis(double volume, const Point<3>& arm, std::array<Point<3>, 3>& inertia) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      inertia[i][j] += volume * ((i == j ? dot(arm, arm) : 0) - arm[i] * arm[j]);
}

}  // namespace

MassProperties<3> mass_properties(const PolyhedronTopology& topology,
                                  std::span<const Point<3>> vertices) {
  Moments moments;
  const auto origin_of = [&](Index h) {
    return difference(vertices[topology.half_edges[h].origin], vertices[0]);
  };
  for (Index face = 0; face < topology.face_count(); ++face)
    for (Index h = topology.face_offsets[face] + 1; h + 1 < topology.face_offsets[face + 1]; ++h)
      moments.add(origin_of(topology.face_offsets[face]), origin_of(h), origin_of(h + 1));

  MassProperties<3> result;
  result.volume = moments.six_volumes / 6;
  if (!(result.volume > 0)) return result;
  const Point<3> mean = scaled(moments.first_moment, 1 / result.volume);
  result.centroid = sum(vertices[0], mean);
  auto& second = moments.second_moment;  // shifted to the centroid
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) second[i][j] -= result.volume * mean[i] * mean[j];
  const double trace = second[0][0] + second[1][1] + second[2][2];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result.inertia[i][j] = (i == j ? trace : 0) - second[i][j];
  return result;
}

double signed_volume(const Mesh<3>& mesh) {
  double six_volumes = 0;
  for (const auto& [a, b, c] : mesh.facets) {
    const Point<3>& origin = mesh.vertices[mesh.facets[0][0]];
    const auto from_origin = [&](Index vertex) {
      return difference(mesh.vertices[vertex], origin);
    };
    six_volumes += dot(from_origin(a), cross(from_origin(b), from_origin(c)));
  }
  return six_volumes / 6;
}

template <std::size_t D>
MassProperties<D> mass_properties(std::span<const Convex<D>> parts) {
  MassProperties<D> cluster;
  for (const Convex<D>& part : parts) cluster.volume += volume_of(part);
  for (const Convex<D>& part : parts)
    cluster.centroid =
        add_scaled(cluster.centroid, volume_of(part) / cluster.volume, part.centroid());
  for (const Convex<D>& part : parts) {
    add_inertia(part.inertia(), cluster.inertia);
    add_parallel_axis(volume_of(part), difference(part.centroid(), cluster.centroid),
                      cluster.inertia);
  }
  return cluster;
}

template MassProperties<2> mass_properties(std::span<const Polygon>);
template MassProperties<3> mass_properties(std::span<const Polyhedron>);

}  // namespace abut
