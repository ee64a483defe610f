// Construction of convex polyhedra. Everything is checked here, so that the narrow phase need not.
#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <abut/walls.hpp>
#include <algorithm>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/vec.hpp"
#include "narrow/mass_properties.hpp"
#include "narrow/polyhedron_topology.hpp"
#include "walls/mesh_check.hpp"

namespace abut {
namespace {

// The narrow phase multiplies up to six lengths, which must not overflow or underflow.
constexpr double min_extent = 1e-30;
constexpr double max_extent = 1e30;

// Of the cubed extent: the faces of thinner bodies are determined by rounding errors.
constexpr double min_relative_volume = 1e-12;

void check_points(std::span<const Point<3>> points) {
  if (points.size() < 4)
    throw Error(message("a polyhedron of ", points.size(), " points; must have at least 4"));
  for (std::size_t i = 0; i < points.size(); ++i) check_point(points[i], message("point ", i));
}

double max_coordinate_distance(std::span<const Point<3>> points, const Point<3>& center) {
  double max = 0;
  for (const Point<3>& point : points) max = std::max(max, max_abs(difference(point, center)));
  return max;
}

double max_distance(std::span<const Point<3>> points, const Point<3>& center) {
  double max = 0;
  for (const Point<3>& point : points) max = std::max(max, length(difference(point, center)));
  return max;
}

void check_extent(std::span<const Point<3>> points) {
  const double extent = max_coordinate_distance(points, points[0]);
  if (extent == 0) throw Error(message("all ", points.size(), " points of a polyhedron coincide"));
  if (extent < min_extent || extent > max_extent)
    throw Error(message("a polyhedron has an extent of ", extent,
                        "; must be from 1e-30 to 1e30, so use another unit of length"));
}

[[noreturn]] void throw_coplanar(std::size_t count) {
  throw Error(message("all ", count, " points are coplanar; a polyhedron needs a volume"));
}

MeshReport check_closed(const Mesh<3>& mesh) {
  MeshReport report = inspect_mesh(mesh);
  if (!report.is_closed())
    throw Error(message("the mesh is not closed: ", open_edges_text(report, 3)));
  return report;
}

// The distinct positions of all vertices of facets, sorted.
std::vector<Point<3>> referenced_vertices(const Mesh<3>& mesh) {
  std::vector<Point<3>> vertices;
  for (const auto& facet : mesh.facets)
    for (const Index vertex : facet) vertices.push_back(mesh.vertices[vertex]);
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

// The facets in terms of these vertices, without degenerate facets and duplicates.
std::vector<std::array<Index, 3>> facets_of_vertices(const Mesh<3>& mesh, const MeshReport& report,
                                                     const std::vector<Point<3>>& vertices) {
  std::vector<bool> ignored(mesh.facets.size(), false);
  for (const auto* list : {&report.degenerate, &report.duplicates, &report.redundant})
    for (const Index facet : *list) ignored[facet] = true;
  std::vector<std::array<Index, 3>> facets;
  for (std::size_t i = 0; i < mesh.facets.size(); ++i) {
    if (ignored[i]) continue;
    std::array<Index, 3>& facet = facets.emplace_back();
    for (std::size_t k = 0; k < 3; ++k)
      facet[k] = static_cast<Index>(
          std::ranges::lower_bound(vertices, mesh.vertices[mesh.facets[i][k]]) - vertices.begin());
  }
  return facets;
}

// Convex: all vertices lie behind the plane of each facet, oriented away from an interior point.
void check_convex(const Mesh<3>& mesh, const Point<3>& interior, std::span<const Point<3>> vertices,
                  double bounding_radius) {
  constexpr double rounding = 1e-9;
  const double tolerance = rounding * bounding_radius;
  for (std::size_t i = 0; i < mesh.facets.size(); ++i) {
    const auto& [a, b, c] = mesh.facets[i];
    const Point<3>& origin = mesh.vertices[a];
    Point<3> normal = normalized(
        cross(difference(mesh.vertices[b], origin), difference(mesh.vertices[c], origin)));
    if (dot(normal, difference(interior, origin)) > 0) normal = scaled(normal, -1);
    for (const Point<3>& vertex : vertices) {
      const double height = dot(normal, difference(vertex, origin));
      if (height > tolerance)
        throw Error(message("the mesh is not convex: a vertex lies ", height,
                            " outside the plane of triangle ", i,
                            "; use convex_decomposition for concave bodies"));
    }
  }
}

}  // namespace

void Polyhedron::build(std::vector<Point<3>> vertices, std::vector<std::vector<Index>> faces) {
  const std::size_t point_count = vertices.size();
  remove_redundant_vertices(faces, vertices);
  auto topology = std::make_shared<PolyhedronTopology>(build_topology(faces, vertices));
  const MassProperties<3> mass = mass_properties(*topology, vertices);
  const double extent = max_coordinate_distance(vertices, vertices[0]);
  if (!(mass.volume > min_relative_volume * extent * extent * extent)) throw_coplanar(point_count);
  vertices_ = std::move(vertices);
  volume_ = mass.volume;
  centroid_ = mass.centroid;
  inertia_ = mass.inertia;
  bounding_radius_ = max_distance(vertices_, centroid_);
  topology->bounding_radius = bounding_radius_;
  topology_ = std::move(topology);
}

Polyhedron::Polyhedron(std::span<const Point<3>> points) {
  check_points(points);
  check_extent(points);
  build({points.begin(), points.end()}, convex_hull(points));
}

Polyhedron::Polyhedron(const Mesh<3>& mesh) {
  const MeshReport report = check_closed(mesh);
  const Mesh<3> closed = welded(mesh, default_weld_tolerance);
  const std::vector<Point<3>> points = referenced_vertices(closed);
  check_points(points);
  check_extent(points);
  if (has_convex_hull()) {
    build(points, convex_hull(points));
    check_convex(closed, centroid_, vertices_, bounding_radius_);
    return;
  }
  Point<3> interior{};
  for (const Point<3>& point : points)
    interior = add_scaled(interior, 1 / static_cast<double>(points.size()), point);
  check_convex(closed, interior, points, max_distance(points, interior));
  build(points, merge_coplanar_facets(facets_of_vertices(closed, report, points), points));
}

void Polyhedron::throw_moved_from() {
  throw Error("the polyhedron has been moved from", ErrorCode::moved_from);
}

Index Polyhedron::face_count() const { return view().topology->face_count(); }

std::vector<Index> Polyhedron::face_vertices(Index face) const {
  if (face >= face_count())
    throw Error(message("face ", face, " does not exist; the polyhedron has ", face_count()),
                ErrorCode::out_of_range);
  std::vector<Index> vertices;
  for (Index h = topology_->face_offsets[face]; h < topology_->face_offsets[face + 1]; ++h)
    vertices.push_back(topology_->half_edges[h].origin);
  return vertices;
}

PolyhedronView Polyhedron::transformed(const RigidTransform<3>& transform,
                                       std::span<Point<3>> buffer) const {
  if (!topology_) throw_moved_from();
  if (buffer.size() < vertices_.size())
    throw Error(message("a buffer for ", buffer.size(),
                        " vertices is too small for a polyhedron of ", vertices_.size()));
  // Rotated about the centroid, not about the origin: far from it, a rotation would lose digits.
  PolyhedronView result{buffer.first(vertices_.size()), topology_.get(), {}};
  for (std::size_t k = 0; k < 3; ++k)
    result.centroid[k] = dot(transform.rotation[k], centroid_) + transform.translation[k];
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Point<3> arm = difference(vertices_[i], centroid_);
    for (std::size_t k = 0; k < 3; ++k)
      buffer[i][k] = result.centroid[k] + dot(transform.rotation[k], arm);
  }
  return result;
}

}  // namespace abut
