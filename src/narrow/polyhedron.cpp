// A convex polyhedron, checked once, so that searches need not.
#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <abut/walls.hpp>
#include <algorithm>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/vec.hpp"
#include "narrow/mass_properties.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut {
namespace {

// The kernels multiply up to six lengths.
constexpr double min_extent = 1e-30;
constexpr double max_extent = 1e30;

// Thinner than this part of its size, the faces of a hull are those of rounding.
constexpr double min_relative_volume = 1e-12;

void check_points(std::span<const Point<3>> points) {
  if (points.size() < 4)
    throw Error(message("a polyhedron of ", points.size(), " points: it needs at least 4"));
  for (std::size_t i = 0; i < points.size(); ++i) check_point(points[i], message("point ", i));
}

double max_coordinate_distance(std::span<const Point<3>> points, const Point<3>& centre) {
  double farthest = 0;
  for (const Point<3>& point : points)
    farthest = std::max(farthest, max_abs(difference(point, centre)));
  return farthest;
}

void check_size(std::span<const Point<3>> points) {
  const double size = max_coordinate_distance(points, points[0]);
  if (size == 0) throw Error(message("all ", points.size(), " points of a polyhedron are one"));
  if (size < min_extent || size > max_extent)
    throw Error(message("a polyhedron of size ", size, ": sizes are within 1e-30 and 1e30"));
}

double max_distance(std::span<const Point<3>> points, const Point<3>& centre) {
  double farthest = 0;
  for (const Point<3>& point : points)
    farthest = std::max(farthest, length(difference(point, centre)));
  return farthest;
}

std::vector<Point<3>> referenced_vertices(const Mesh<3>& mesh) {
  const MeshReport report = inspect_mesh(mesh);
  if (report.facets == 0) throw Error("a mesh of no triangles encloses nothing");
  if (!report.is_closed())
    throw Error(message("the mesh is not closed: ", report.boundary_edges,
                        " edges have one triangle, ", report.nonmanifold_edges, " more than two"));
  std::vector<Point<3>> corners;
  for (const auto& piece : mesh.facets)
    for (const Index corner : piece) corners.push_back(mesh.vertices[corner]);
  std::ranges::sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

// Convex: seen from its triangles, turned away from the centroid, nothing stands out.
void check_convex(const Mesh<3>& mesh, const Polyhedron& hull) {
  constexpr double rounding = 1e-9;
  const double allowed = rounding * hull.bounding_radius();
  for (std::size_t i = 0; i < mesh.facets.size(); ++i) {
    const auto& [a, b, c] = mesh.facets[i];
    const Point<3>& origin = mesh.vertices[a];
    Point<3> normal = normalized(
        cross(difference(mesh.vertices[b], origin), difference(mesh.vertices[c], origin)));
    if (dot(normal, difference(hull.centroid(), origin)) > 0) normal = scaled(normal, -1);
    for (const Point<3>& corner : hull.vertices()) {
      const double out = dot(normal, difference(corner, origin));
      if (out > allowed)
        throw Error(message("the mesh is not convex: a corner stands ", out, " before triangle ", i,
                            "; convex_parts cuts it"));
    }
  }
}

}  // namespace

Polyhedron::Polyhedron(std::span<const Point<3>> points) {
  check_points(points);
  check_size(points);
  HullFaces faces = convex_hull(points);
  vertices_.assign(points.begin(), points.end());
  remove_redundant_vertices(faces, vertices_);
  auto topology = std::make_shared<PolyhedronTopology>(build_topology(faces, vertices_));
  const SolidProperties solid = solid_properties(*topology, vertices_);
  const double size = max_coordinate_distance(vertices_, vertices_[0]);
  if (!(solid.volume > min_relative_volume * size * size * size))
    throw Error(message(points.size(), " points lie in one plane: a polyhedron needs a volume"));
  volume_ = solid.volume;
  centroid_ = solid.centroid;
  inertia_ = solid.inertia;
  topology->bounding_radius = max_distance(vertices_, centroid_);
  topology_ = std::move(topology);
}

Polyhedron::Polyhedron(const Mesh<3>& mesh) : Polyhedron(referenced_vertices(mesh)) {
  check_convex(mesh, *this);
}

std::vector<Index> Polyhedron::face_vertices(Index number) const {
  std::vector<Index> corners;
  for (Index h = topology_->face_offsets[number]; h < topology_->face_offsets[number + 1]; ++h)
    corners.push_back(topology_->half_edges[h].origin);
  return corners;
}

PolyhedronView Polyhedron::transformed(const RigidTransform<3>& where,
                                       std::span<Point<3>> into) const {
  if (into.size() < vertices_.size())
    throw Error(
        message("a polyhedron of ", vertices_.size(), " corners has no room in ", into.size()));
  // Turned about the centroid, not about the origin: far from it, a rotation would round corners.
  PolyhedronView result{into.first(vertices_.size()), topology_.get(), {}};
  for (std::size_t k = 0; k < 3; ++k)
    result.centroid[k] = dot(where.rotation[k], centroid_) + where.translation[k];
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Point<3> arm = difference(vertices_[i], centroid_);
    for (std::size_t k = 0; k < 3; ++k)
      into[i][k] = result.centroid[k] + dot(where.rotation[k], arm);
  }
  return result;
}

}  // namespace abut
