// Volume, centroid and inertia: sums over the tetrahedra between a corner and the triangles of the
// faces. Of one with corners 0, a, b, c the second moments are det(a,b,c)/120·(aaᵀ+bbᵀ+ccᵀ+ssᵀ),
// s = a+b+c.
#include "narrow/solid.hpp"

#include "core/vec.hpp"

namespace abut {
namespace {

// About the corner the tetrahedra share; the volume is six times as large until the end.
struct Moments {
  double six_volumes = 0;
  Point<3> first{};
  std::array<Point<3>, 3> second{};

  void add(const Point<3>& a, const Point<3>& b, const Point<3>& c) {
    const double det = dot(a, cross(b, c));
    const Point<3> s = sum(a, sum(b, c));
    six_volumes += det;
    first = along(first, det / 24, s);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        second[i][j] += det / 120 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
  }
};

}  // namespace

Solid solid_of(const PolyhedronTopology& topology, std::span<const Point<3>> corners) {
  Moments moments;
  const auto from = [&](Index h) {
    return difference(corners[topology.half_edges[h].origin], corners[0]);
  };
  for (Index face = 0; face < topology.faces(); ++face)
    for (Index h = topology.first[face] + 1; h + 1 < topology.first[face + 1]; ++h)
      moments.add(from(topology.first[face]), from(h), from(h + 1));

  Solid solid;
  solid.volume = moments.six_volumes / 6;
  if (!(solid.volume > 0)) return solid;
  const Point<3> middle = scaled(moments.first, 1 / solid.volume);
  solid.centroid = sum(corners[0], middle);
  auto& spread = moments.second;  // moved to the centroid
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) spread[i][j] -= solid.volume * middle[i] * middle[j];
  const double trace = spread[0][0] + spread[1][1] + spread[2][2];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) solid.inertia[i][j] = (i == j ? trace : 0) - spread[i][j];
  return solid;
}

double signed_volume(const Mesh<3>& mesh) {
  double six_volumes = 0;
  for (const auto& [a, b, c] : mesh.pieces) {
    const Point<3>& origin = mesh.corners[mesh.pieces[0][0]];
    const auto from = [&](Index corner) { return difference(mesh.corners[corner], origin); };
    six_volumes += dot(from(a), cross(from(b), from(c)));
  }
  return six_volumes / 6;
}

}  // namespace abut
