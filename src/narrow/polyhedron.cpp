// A convex polyhedron, checked once, so that searches need not.
#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <abut/walls.hpp>
#include <algorithm>

#include "core/check_point.hpp"
#include "core/message.hpp"
#include "core/vec.hpp"
#include "narrow/solid.hpp"
#include "narrow/topology.hpp"

namespace abut {
namespace {

// The kernels multiply up to six lengths.
constexpr double smallest_radius = 1e-30;
constexpr double largest_radius = 1e30;

// Thinner than this part of its size, the faces of a hull are those of rounding.
constexpr double thinnest = 1e-12;

void check_points(std::span<const Point<3>> points) {
  if (points.size() < 4)
    throw Error(message("a polyhedron of ", points.size(), " points: it needs at least 4"));
  for (std::size_t i = 0; i < points.size(); ++i) check_point(points[i], message("point ", i));
}

double reach(std::span<const Point<3>> points, const Point<3>& centre) {
  double farthest = 0;
  for (const Point<3>& point : points)
    farthest = std::max(farthest, largest_part(difference(point, centre)));
  return farthest;
}

void check_size(std::span<const Point<3>> points) {
  const double size = reach(points, points[0]);
  if (size == 0) throw Error(message("all ", points.size(), " points of a polyhedron are one"));
  if (size < smallest_radius || size > largest_radius)
    throw Error(message("a polyhedron of size ", size, ": sizes are within 1e-30 and 1e30"));
}

double farthest_from(std::span<const Point<3>> points, const Point<3>& centre) {
  double farthest = 0;
  for (const Point<3>& point : points)
    farthest = std::max(farthest, length(difference(point, centre)));
  return farthest;
}

std::vector<Point<3>> used_corners(const Mesh<3>& mesh) {
  const MeshReport report = inspect(mesh);
  if (report.pieces == 0) throw Error("a mesh of no triangles encloses nothing");
  if (!report.closed())
    throw Error(message("the mesh is not closed: ", report.open_edges, " edges have one triangle, ",
                        report.crowded_edges, " more than two"));
  std::vector<Point<3>> corners;
  for (const auto& piece : mesh.pieces)
    for (const Index corner : piece) corners.push_back(mesh.corners[corner]);
  std::ranges::sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

// Convex: seen from its triangles, turned away from the centroid, nothing stands out.
void check_convex(const Mesh<3>& mesh, const Polyhedron& hull) {
  constexpr double rounding = 1e-9;
  const double allowed = rounding * hull.radius();
  for (std::size_t i = 0; i < mesh.pieces.size(); ++i) {
    const auto& [a, b, c] = mesh.pieces[i];
    const Point<3>& origin = mesh.corners[a];
    Point<3> normal =
        unit(cross(difference(mesh.corners[b], origin), difference(mesh.corners[c], origin)));
    if (dot(normal, difference(hull.centroid(), origin)) > 0) normal = scaled(normal, -1);
    for (const Point<3>& corner : hull.corners()) {
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
  corners_.assign(points.begin(), points.end());
  drop_idle_corners(faces, corners_);
  auto topology = std::make_shared<PolyhedronTopology>(topology_of(faces, corners_));
  const Solid solid = solid_of(*topology, corners_);
  const double size = reach(corners_, corners_[0]);
  if (!(solid.volume > thinnest * size * size * size))
    throw Error(message(points.size(), " points lie in one plane: a polyhedron needs a volume"));
  volume_ = solid.volume;
  centroid_ = solid.centroid;
  inertia_ = solid.inertia;
  topology->radius = farthest_from(corners_, centroid_);
  topology_ = std::move(topology);
}

Polyhedron::Polyhedron(const Mesh<3>& mesh) : Polyhedron(used_corners(mesh)) {
  check_convex(mesh, *this);
}

std::vector<Index> Polyhedron::face(Index number) const {
  std::vector<Index> corners;
  for (Index h = topology_->first[number]; h < topology_->first[number + 1]; ++h)
    corners.push_back(topology_->half_edges[h].origin);
  return corners;
}

PolyhedronView Polyhedron::placed(const Placement<3>& where, std::span<Point<3>> into) const {
  if (into.size() < corners_.size())
    throw Error(
        message("a polyhedron of ", corners_.size(), " corners has no room in ", into.size()));
  // Turned about the centroid, not about the origin: far from it, a rotation would round corners.
  PolyhedronView result{into.first(corners_.size()), topology_.get(), {}};
  for (std::size_t k = 0; k < 3; ++k)
    result.centre[k] = dot(where.rotation[k], centroid_) + where.shift[k];
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Point<3> arm = difference(corners_[i], centroid_);
    for (std::size_t k = 0; k < 3; ++k) into[i][k] = result.centre[k] + dot(where.rotation[k], arm);
  }
  return result;
}

}  // namespace abut
