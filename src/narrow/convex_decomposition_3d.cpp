// A closed mesh cut into convex parts: a tree of cuts through the planes of its triangles (Fuchs,
// Kedem, Naylor, SIGGRAPH 1980). In a cell of space in which no triangle is left, all is inside or
// all outside, whichever side of the last cut it is on. A convex body is never cut. Cells begin as
// the box around the mesh; each triangle is cut with the cell it is in. Exact up to rounding of the
// points where planes cross edges; the volumes of the parts must add up to that of the mesh.
#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/message.hpp"
#include "core/vec.hpp"
#include "narrow/mass_properties.hpp"
#include "walls/mesh_check.hpp"

namespace abut {
namespace {

constexpr double relative_plane_tolerance = 1e-11;  // of the size: closer to a plane is in it
constexpr double relative_volume_tolerance = 1e-9;  // relative, between the parts and the mesh
constexpr std::size_t max_parts = 10'000;
constexpr int max_cut_depth = 400;

using Fragment = std::vector<Point<3>>;  // a convex piece of a triangle

struct CutPlane {
  Point<3> origin;
  Point<3> normal;
  [[nodiscard]] double height(const Point<3>& x) const {
    return dot(normal, difference(x, origin));
  }
};

// Twice, and across the fragment.
Point<3> doubled_area_vector(const Fragment& fragment) {
  Point<3> area{};
  for (std::size_t k = 1; k + 1 < fragment.size(); ++k)
    area = sum(area, cross(difference(fragment[k], fragment[0]),
                           difference(fragment[k + 1], fragment[0])));
  return area;
}

CutPlane fragment_plane(const Fragment& fragment) {
  return {fragment[0], normalized(doubled_area_vector(fragment))};
}

// The part of a polygon, or of the corners of a solid seen as one closed list of edges, on one
// side.
Fragment clip_to_side(const Fragment& fragment, const CutPlane& plane, double sign, double slack) {
  Fragment result;
  for (std::size_t k = 0; k < fragment.size(); ++k) {
    const Point<3>& here = fragment[k];
    const Point<3>& next = fragment[(k + 1) % fragment.size()];
    const double from = sign * plane.height(here);
    const double to = sign * plane.height(next);
    if (from >= -slack) result.push_back(here);
    if ((from > slack && to < -slack) || (from < -slack && to > slack))
      result.push_back(add_scaled(here, from / (from - to), difference(next, here)));
  }
  return result;
}

struct HeightRange {
  double min = 0;
  double max = 0;
};

HeightRange height_range(const Fragment& fragment, const CutPlane& plane) {
  HeightRange reach;
  for (const Point<3>& corner : fragment) {
    const double height = plane.height(corner);
    reach = {std::min(reach.min, height), std::max(reach.max, height)};
  }
  return reach;
}

class BspCutter {
 public:
  explicit BspCutter(double size) : tolerance_(relative_plane_tolerance * size) {}

  void cut(const Polyhedron& cell, std::vector<Fragment> fragments, int depth = 0) {
    if (depth > max_cut_depth || parts_.size() > max_parts) throw Error(failure_message);
    const CutPlane plane = choose_plane(fragments);
    std::vector<Fragment> above;
    std::vector<Fragment> below;
    for (const Fragment& fragment : fragments) {
      const HeightRange reach = height_range(fragment, plane);
      const bool is_cut = reach.min < -tolerance_ && reach.max > tolerance_;
      if (reach.max > tolerance_)
        keep_fragment(is_cut ? clip_to_side(fragment, plane, 1, tolerance_) : fragment, above);
      if (reach.min < -tolerance_)
        keep_fragment(is_cut ? clip_to_side(fragment, plane, -1, tolerance_) : fragment, below);
    }
    if (!above.empty()) cut(half_cell(cell, plane, 1), std::move(above), depth + 1);
    if (below.empty())
      parts_.push_back(half_cell(cell, plane, -1));
    else
      cut(half_cell(cell, plane, -1), std::move(below), depth + 1);
  }

  std::vector<Polyhedron> parts() && { return std::move(parts_); }

  static constexpr const char* failure_message =
      "the mesh cannot be cut exactly into convex parts by planes of its triangles; give the parts";

 private:
  // Slivers as thin as rounding have no plane.
  void keep_fragment(const Fragment& fragment, std::vector<Fragment>& fragments) const {
    if (fragment.size() > 2 && length(doubled_area_vector(fragment)) > tolerance_ * tolerance_)
      fragments.push_back(fragment);
  }

  // The plane of the triangle that cuts the fewest others, of some.
  [[nodiscard]] CutPlane choose_plane(const std::vector<Fragment>& fragments) const {
    constexpr std::size_t most_tries = 24;
    const std::size_t step = std::max<std::size_t>(1, fragments.size() / most_tries);
    CutPlane best{};
    auto fewest = static_cast<std::ptrdiff_t>(fragments.size() + 1);
    for (std::size_t i = 0; i < fragments.size() && fewest > 0; i += step) {
      const CutPlane plane = fragment_plane(fragments[i]);
      const auto cuts = std::ranges::count_if(fragments, [&](const Fragment& fragment) {
        const HeightRange reach = height_range(fragment, plane);
        return reach.min < -tolerance_ && reach.max > tolerance_;
      });
      if (cuts >= fewest) continue;
      fewest = cuts;
      best = plane;
    }
    return best;
  }

  // The part of a cell on one side of a plane.
  [[nodiscard]] Polyhedron half_cell(const Polyhedron& cell, const CutPlane& plane,
                                     double sign) const {
    const PolyhedronTopology& topology = cell.topology();
    Fragment points;
    for (const Point<3>& corner : cell.vertices())
      if (sign * plane.height(corner) >= -tolerance_) points.push_back(corner);
    for (const Index h : topology.edges) {
      const Fragment crossing =
          clip_to_side({cell.vertices()[topology.half_edges[h].origin],
                        cell.vertices()[topology.half_edges[topology.half_edges[h].next].origin]},
                       plane, sign, tolerance_);
      points.insert(points.end(), crossing.begin(), crossing.end());
    }
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return Polyhedron(points);
  }

  double tolerance_;
  std::vector<Polyhedron> parts_;
};

Mesh<3> reversed_orientation(Mesh<3> mesh) {
  for (auto& piece : mesh.facets) std::swap(piece[1], piece[2]);
  return mesh;
}

Box<3> mesh_bounds(const Mesh<3>& mesh) {
  Box<3> box{mesh.vertices[mesh.facets[0][0]], mesh.vertices[mesh.facets[0][0]]};
  for (const auto& piece : mesh.facets)
    for (const Index corner : piece)
      for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], mesh.vertices[corner][k]);
        box.max[k] = std::max(box.max[k], mesh.vertices[corner][k]);
      }
  return box;
}

bool bounds_overlap(const Mesh<3>& a, const Mesh<3>& b) {
  const Box<3> first = mesh_bounds(a);
  const Box<3> second = mesh_bounds(b);
  for (std::size_t k = 0; k < 3; ++k)
    if (first.min[k] > second.max[k] || first.max[k] < second.min[k]) return false;
  return true;
}

Polyhedron bounding_polyhedron(const Mesh<3>& mesh) {
  const auto [low, high] = mesh_bounds(mesh);
  std::vector<Point<3>> corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.push_back({(i & 1U) != 0 ? high[0] : low[0], (i & 2U) != 0 ? high[1] : low[1],
                       (i & 4U) != 0 ? high[2] : low[2]});
  return Polyhedron(corners);
}

std::vector<Polyhedron> cut_mesh(const Mesh<3>& mesh) {
  const Polyhedron box = bounding_polyhedron(mesh);
  std::vector<Fragment> fragments;
  const double smallest = 1e-24 * box.bounding_radius() * box.bounding_radius();
  for (const auto& [a, b, c] : mesh.facets) {
    const Fragment triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
    if (length(doubled_area_vector(triangle)) > smallest) fragments.push_back(triangle);
  }
  BspCutter cutter(box.bounding_radius());
  cutter.cut(box, std::move(fragments));
  return std::move(cutter).parts();
}

double total_volume(const std::vector<Polyhedron>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const Polyhedron& part) { return sum + part.volume(); });
}

bool try_convex(const Mesh<3>& mesh, std::vector<Polyhedron>& parts) {
  try {
    parts = {Polyhedron(mesh)};
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Shells that hang together. If the boxes around two of them meet, one may be a hollow in the
// other: then all count as one.
std::vector<Mesh<3>> connected_shells(const Mesh<3>& mesh) {
  const auto pieces = welded_facets(mesh);
  std::vector<Index> root(3 * pieces.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](Index i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& [a, b, c] : pieces) root[find(a)] = root[find(b)] = find(c);
  std::vector<Mesh<3>> shells;
  std::vector<std::size_t> shell_of(root.size(), root.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::size_t& shell = shell_of[find(pieces[i][0])];
    if (shell == root.size()) {
      shell = shells.size();
      shells.push_back({mesh.vertices, {}});
    }
    shells[shell].facets.push_back(mesh.facets[i]);
  }
  for (std::size_t i = 0; i < shells.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (bounds_overlap(shells[i], shells[j])) return {mesh};
  return shells;
}

std::vector<Polyhedron> decompose_shell(const Mesh<3>& mesh) {
  std::vector<Polyhedron> parts;
  if (try_convex(mesh, parts)) return parts;
  const MeshReport report = inspect_mesh(mesh);
  if (report.inconsistent_edges > 0)
    throw Error(message("the mesh has ", report.inconsistent_edges,
                        " edges whose triangles face different ways; turn them alike"));
  const double volume = signed_volume(mesh);
  try {
    parts = cut_mesh(volume < 0 ? reversed_orientation(mesh) : mesh);
  } catch (const Error&) {
    throw Error(BspCutter::failure_message);
  }
  if (std::abs(total_volume(parts) - std::abs(volume)) >
      relative_volume_tolerance * std::abs(volume))
    throw Error(BspCutter::failure_message);
  return parts;
}

}  // namespace

std::vector<Polyhedron> convex_decomposition(const Mesh<3>& mesh) {
  const MeshReport report = inspect_mesh(mesh);
  if (!report.is_closed())
    throw Error(message("the mesh is not closed: ", report.boundary_edges,
                        " edges have one triangle, ", report.nonmanifold_edges, " more than two"));
  std::vector<Polyhedron> all;
  for (const Mesh<3>& shell : connected_shells(mesh))
    for (Polyhedron& part : decompose_shell(shell)) all.push_back(std::move(part));
  return all;
}

}  // namespace abut
