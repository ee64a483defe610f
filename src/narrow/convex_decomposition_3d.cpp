// Convex decomposition of a closed mesh by binary space partitioning (BSP) along the planes of its
// facets (Fuchs, Kedem, Naylor, SIGGRAPH 1980). A cell of space without facets is entirely inside
// or outside, depending on its side of the last cut. Starts with the bounding box of the mesh as
// cell; facets are cut together with the cell that contains them. Convex bodies are never cut.
// Exact up to the rounding of intersections of planes and edges; the volumes of the parts must sum
// to that of the mesh.
#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/message.hpp"
#include "core/vec.hpp"
#include "narrow/box_tree.hpp"
#include "narrow/mass_properties.hpp"
#include "narrow/polyhedron_topology.hpp"
#include "walls/mesh_check.hpp"

namespace abut {
namespace {

constexpr double relative_plane_tolerance = 1e-11;  // of the size: closer points are in the plane
constexpr double relative_volume_tolerance = 1e-9;  // between the parts and the mesh
constexpr std::size_t max_parts = 10'000;
constexpr int max_cut_depth = 400;
constexpr Index unnumbered = std::numeric_limits<Index>::max();

using Fragment = std::vector<Point<3>>;  // a convex piece of a facet

struct CutPlane {
  Point<3> origin;
  Point<3> normal;
  [[nodiscard]] double height(const Point<3>& x) const {
    return dot(normal, difference(x, origin));
  }
};

// Normal to the fragment, with twice its area as length.
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

// The part of a closed polygon, which may be an edge as two vertices, above the plane (sign 1) or
// below it (sign −1).
Fragment clip_to_side(const Fragment& fragment, const CutPlane& plane, double sign,
                      double tolerance) {
  Fragment result;
  for (std::size_t k = 0; k < fragment.size(); ++k) {
    const Point<3>& current = fragment[k];
    const Point<3>& next = fragment[(k + 1) % fragment.size()];
    const double from = sign * plane.height(current);
    const double to = sign * plane.height(next);
    if (from >= -tolerance) result.push_back(current);
    if ((from > tolerance && to < -tolerance) || (from < -tolerance && to > tolerance))
      result.push_back(add_scaled(current, from / (from - to), difference(next, current)));
  }
  return result;
}

struct HeightRange {
  double min = 0;
  double max = 0;
};

HeightRange height_range(const Fragment& fragment, const CutPlane& plane) {
  HeightRange range;
  for (const Point<3>& vertex : fragment) {
    const double height = plane.height(vertex);
    range = {std::min(range.min, height), std::max(range.max, height)};
  }
  return range;
}

class BspCutter {
 public:
  explicit BspCutter(double size) : tolerance_(relative_plane_tolerance * size) {}

  // Cuts a cell along the facets in it and adds the inner cells to the parts.
  void cut(const Polyhedron& cell, std::vector<Fragment> fragments, int depth = 0) {
    if (depth > max_cut_depth || parts_.size() > max_parts) throw Error(failure_message);
    const CutPlane plane = choose_plane(fragments);
    std::vector<Fragment> above;
    std::vector<Fragment> below;
    for (const Fragment& fragment : fragments) {
      const HeightRange range = height_range(fragment, plane);
      const bool is_cut = range.min < -tolerance_ && range.max > tolerance_;
      if (range.max > tolerance_)
        keep_fragment(is_cut ? clip_to_side(fragment, plane, 1, tolerance_) : fragment, above);
      if (range.min < -tolerance_)
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
      "the mesh cannot be cut exactly into convex parts along the planes of its triangles; give "
      "the convex parts instead";

 private:
  // Ignores slivers, which have no plane.
  void keep_fragment(const Fragment& fragment, std::vector<Fragment>& fragments) const {
    if (fragment.size() > 2 && length(doubled_area_vector(fragment)) > tolerance_ * tolerance_)
      fragments.push_back(fragment);
  }

  // The plane that cuts the fewest fragments, among those of a sample.
  [[nodiscard]] CutPlane choose_plane(const std::vector<Fragment>& fragments) const {
    constexpr std::size_t max_samples = 24;
    const std::size_t step = std::max<std::size_t>(1, fragments.size() / max_samples);
    CutPlane best{};
    auto min_cuts = static_cast<std::ptrdiff_t>(fragments.size() + 1);
    for (std::size_t i = 0; i < fragments.size() && min_cuts > 0; i += step) {
      const CutPlane plane = fragment_plane(fragments[i]);
      const auto cuts = std::ranges::count_if(fragments, [&](const Fragment& fragment) {
        const HeightRange range = height_range(fragment, plane);
        return range.min < -tolerance_ && range.max > tolerance_;
      });
      if (cuts >= min_cuts) continue;
      min_cuts = cuts;
      best = plane;
    }
    return best;
  }

  // The part of a cell above (sign 1) or below (sign −1) a plane.
  [[nodiscard]] Polyhedron half_cell(const Polyhedron& cell, const CutPlane& plane,
                                     double sign) const {
    const PolyhedronTopology& topology = *cell.view().topology;
    Fragment points;
    for (const Point<3>& vertex : cell.vertices())
      if (sign * plane.height(vertex) >= -tolerance_) points.push_back(vertex);
    for (const Index h : topology.edges) {
      const EdgeFan& fan = topology.edge_fans[h];
      const Fragment clipped = clip_to_side(
          {cell.vertices()[fan.origin], cell.vertices()[fan.target]}, plane, sign, tolerance_);
      points.insert(points.end(), clipped.begin(), clipped.end());
    }
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return Polyhedron(points);
  }

  double tolerance_;
  std::vector<Polyhedron> parts_;
};

Mesh<3> reversed_orientation(Mesh<3> mesh) {
  for (auto& facet : mesh.facets) std::swap(facet[1], facet[2]);
  return mesh;
}

Box<3> mesh_bounds(const Mesh<3>& mesh) {
  Box<3> box{mesh.vertices[mesh.facets[0][0]], mesh.vertices[mesh.facets[0][0]]};
  for (const auto& facet : mesh.facets)
    for (const Index vertex : facet)
      for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], mesh.vertices[vertex][k]);
        box.max[k] = std::max(box.max[k], mesh.vertices[vertex][k]);
      }
  return box;
}

bool boxes_overlap(const Box<3>& a, const Box<3>& b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (a.min[k] > b.max[k] || a.max[k] < b.min[k]) return false;
  return true;
}

bool any_bounds_overlap(const std::vector<Mesh<3>>& meshes) {
  std::vector<Box<3>> boxes(meshes.size());
  std::ranges::transform(meshes, boxes.begin(), mesh_bounds);
  const BoxTree<3> tree(boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (tree.find([&](const Box<3>& box) { return boxes_overlap(box, boxes[i]); },
                  [&](std::size_t j) { return j != i; }))
      return true;
  return false;
}

Polyhedron bounding_polyhedron(const Mesh<3>& mesh) {
  const auto [min, max] = mesh_bounds(mesh);
  std::vector<Point<3>> vertices;
  for (unsigned i = 0; i < 8; ++i)
    vertices.push_back({(i & 1U) != 0 ? max[0] : min[0], (i & 2U) != 0 ? max[1] : min[1],
                        (i & 4U) != 0 ? max[2] : min[2]});
  return Polyhedron(vertices);
}

std::vector<Polyhedron> cut_mesh(const Mesh<3>& mesh) {
  const Polyhedron box = bounding_polyhedron(mesh);
  std::vector<Fragment> fragments;
  const double min_area = 1e-24 * box.bounding_radius() * box.bounding_radius();
  for (const auto& [a, b, c] : mesh.facets) {
    const Fragment triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
    if (length(doubled_area_vector(triangle)) > min_area) fragments.push_back(triangle);
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

// The connected components of a mesh with welded vertices, each with its own vertices. If the
// bounding boxes of two overlap, one may be a cavity in the other: then the whole mesh is returned
// as one.
std::vector<Mesh<3>> connected_shells(const Mesh<3>& mesh) {
  const auto& facets = mesh.facets;
  std::vector<Index> root(mesh.vertices.size());  // union-find over vertices
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](Index i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& [a, b, c] : facets) root[find(a)] = root[find(b)] = find(c);
  std::vector<Mesh<3>> shells;
  std::vector<std::size_t> shell_of(root.size(), root.size());
  std::vector<Index> index_in_shell(root.size(), unnumbered);
  for (const auto& facet : facets) {
    std::size_t& number = shell_of[find(facet[0])];
    if (number == root.size()) {
      number = shells.size();
      shells.emplace_back();
    }
    Mesh<3>& shell = shells[number];
    shell.facets.push_back(facet);
    for (Index& vertex : shell.facets.back()) {
      Index& index = index_in_shell[vertex];
      if (index == unnumbered) {
        index = static_cast<Index>(shell.vertices.size());
        shell.vertices.push_back(mesh.vertices[vertex]);
      }
      vertex = index;
    }
  }
  if (any_bounds_overlap(shells)) return {mesh};
  return shells;
}

std::vector<Polyhedron> decompose_shell(const Mesh<3>& mesh) {
  std::vector<Polyhedron> parts;
  if (try_convex(mesh, parts)) return parts;
  if (!has_convex_hull())
    throw Error(
        "the decomposition of concave meshes needs Qhull, and this build of abut has none; rebuild "
        "with Qhull (-DABUT_QHULL=ON) or give the convex parts",
        ErrorCode::unsupported);
  const MeshReport report = inspect_mesh(mesh);
  if (report.inconsistent_edges > 0)
    throw Error(message("the mesh has ", report.inconsistent_edges,
                        " edges whose triangles have opposite orientations; orient all alike"));
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
    throw Error(message("the mesh is not closed: ", open_edges_text(report, 3)));
  std::vector<Polyhedron> all;
  for (const Mesh<3>& shell : connected_shells(welded(mesh, default_weld_tolerance)))
    for (Polyhedron& part : decompose_shell(shell)) all.push_back(std::move(part));
  return all;
}

}  // namespace abut
