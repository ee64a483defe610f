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
#include "narrow/solid.hpp"
#include "walls/mesh_check.hpp"

namespace abut {
namespace {

constexpr double in_plane = 1e-11;  // of the size: closer to a plane is in it
constexpr double volumes = 1e-9;    // relative, between the parts and the mesh
constexpr std::size_t most_parts = 10'000;
constexpr int deepest = 400;

using Fragment = std::vector<Point<3>>;  // a convex piece of a triangle

struct CutPlane {
  Point<3> origin;
  Point<3> normal;
  [[nodiscard]] double height(const Point<3>& x) const {
    return dot(normal, difference(x, origin));
  }
};

// Twice, and across the fragment.
Point<3> area_of(const Fragment& fragment) {
  Point<3> area{};
  for (std::size_t k = 1; k + 1 < fragment.size(); ++k)
    area = sum(area, cross(difference(fragment[k], fragment[0]),
                           difference(fragment[k + 1], fragment[0])));
  return area;
}

CutPlane plane_of(const Fragment& fragment) { return {fragment[0], unit(area_of(fragment))}; }

// The part of a polygon, or of the corners of a solid seen as one closed list of edges, on one
// side.
Fragment side_of(const Fragment& fragment, const CutPlane& plane, double sign, double slack) {
  Fragment result;
  for (std::size_t k = 0; k < fragment.size(); ++k) {
    const Point<3>& here = fragment[k];
    const Point<3>& next = fragment[(k + 1) % fragment.size()];
    const double from = sign * plane.height(here);
    const double to = sign * plane.height(next);
    if (from >= -slack) result.push_back(here);
    if ((from > slack && to < -slack) || (from < -slack && to > slack))
      result.push_back(along(here, from / (from - to), difference(next, here)));
  }
  return result;
}

struct Reach {
  double low = 0;
  double high = 0;
};

Reach reach_of(const Fragment& fragment, const CutPlane& plane) {
  Reach reach;
  for (const Point<3>& corner : fragment) {
    const double height = plane.height(corner);
    reach = {std::min(reach.low, height), std::max(reach.high, height)};
  }
  return reach;
}

class Cutter {
 public:
  explicit Cutter(double size) : slack_(in_plane * size) {}

  void cut(const Polyhedron& cell, std::vector<Fragment> fragments, int depth = 0) {
    if (depth > deepest || parts_.size() > most_parts) throw Error(refused);
    const CutPlane plane = choose(fragments);
    std::vector<Fragment> above;
    std::vector<Fragment> below;
    for (const Fragment& fragment : fragments) {
      const Reach reach = reach_of(fragment, plane);
      const bool is_cut = reach.low < -slack_ && reach.high > slack_;
      if (reach.high > slack_) keep(is_cut ? side_of(fragment, plane, 1, slack_) : fragment, above);
      if (reach.low < -slack_)
        keep(is_cut ? side_of(fragment, plane, -1, slack_) : fragment, below);
    }
    if (!above.empty()) cut(half(cell, plane, 1), std::move(above), depth + 1);
    if (below.empty())
      parts_.push_back(half(cell, plane, -1));
    else
      cut(half(cell, plane, -1), std::move(below), depth + 1);
  }

  std::vector<Polyhedron> parts() && { return std::move(parts_); }

  static constexpr const char* refused =
      "the mesh cannot be cut exactly into convex parts by planes of its triangles; give the parts";

 private:
  // Slivers as thin as rounding have no plane.
  void keep(const Fragment& fragment, std::vector<Fragment>& fragments) const {
    if (fragment.size() > 2 && length(area_of(fragment)) > slack_ * slack_)
      fragments.push_back(fragment);
  }

  // The plane of the triangle that cuts the fewest others, of some.
  [[nodiscard]] CutPlane choose(const std::vector<Fragment>& fragments) const {
    constexpr std::size_t most_tries = 24;
    const std::size_t step = std::max<std::size_t>(1, fragments.size() / most_tries);
    CutPlane best{};
    auto fewest = static_cast<std::ptrdiff_t>(fragments.size() + 1);
    for (std::size_t i = 0; i < fragments.size() && fewest > 0; i += step) {
      const CutPlane plane = plane_of(fragments[i]);
      const auto cuts = std::ranges::count_if(fragments, [&](const Fragment& fragment) {
        const Reach reach = reach_of(fragment, plane);
        return reach.low < -slack_ && reach.high > slack_;
      });
      if (cuts >= fewest) continue;
      fewest = cuts;
      best = plane;
    }
    return best;
  }

  // The part of a cell on one side of a plane.
  [[nodiscard]] Polyhedron half(const Polyhedron& cell, const CutPlane& plane, double sign) const {
    const PolyhedronTopology& topology = cell.topology();
    Fragment points;
    for (const Point<3>& corner : cell.corners())
      if (sign * plane.height(corner) >= -slack_) points.push_back(corner);
    for (const Index h : topology.edges) {
      const Fragment crossing =
          side_of({cell.corners()[topology.half_edges[h].origin],
                   cell.corners()[topology.half_edges[topology.half_edges[h].next].origin]},
                  plane, sign, slack_);
      points.insert(points.end(), crossing.begin(), crossing.end());
    }
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return Polyhedron(points);
  }

  double slack_;
  std::vector<Polyhedron> parts_;
};

Mesh<3> turned_round(Mesh<3> mesh) {
  for (auto& piece : mesh.pieces) std::swap(piece[1], piece[2]);
  return mesh;
}

Box<3> box_of(const Mesh<3>& mesh) {
  Box<3> box{mesh.corners[mesh.pieces[0][0]], mesh.corners[mesh.pieces[0][0]]};
  for (const auto& piece : mesh.pieces)
    for (const Index corner : piece)
      for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], mesh.corners[corner][k]);
        box.max[k] = std::max(box.max[k], mesh.corners[corner][k]);
      }
  return box;
}

bool boxes_meet(const Mesh<3>& a, const Mesh<3>& b) {
  const Box<3> first = box_of(a);
  const Box<3> second = box_of(b);
  for (std::size_t k = 0; k < 3; ++k)
    if (first.min[k] > second.max[k] || first.max[k] < second.min[k]) return false;
  return true;
}

Polyhedron box_around(const Mesh<3>& mesh) {
  const auto [low, high] = box_of(mesh);
  std::vector<Point<3>> corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.push_back({(i & 1U) != 0 ? high[0] : low[0], (i & 2U) != 0 ? high[1] : low[1],
                       (i & 4U) != 0 ? high[2] : low[2]});
  return Polyhedron(corners);
}

std::vector<Polyhedron> cut_mesh(const Mesh<3>& mesh) {
  const Polyhedron box = box_around(mesh);
  std::vector<Fragment> fragments;
  const double smallest = 1e-24 * box.radius() * box.radius();
  for (const auto& [a, b, c] : mesh.pieces) {
    const Fragment triangle{mesh.corners[a], mesh.corners[b], mesh.corners[c]};
    if (length(area_of(triangle)) > smallest) fragments.push_back(triangle);
  }
  Cutter cutter(box.radius());
  cutter.cut(box, std::move(fragments));
  return std::move(cutter).parts();
}

double volume_of(const std::vector<Polyhedron>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const Polyhedron& part) { return sum + part.volume(); });
}

bool is_convex(const Mesh<3>& mesh, std::vector<Polyhedron>& parts) {
  try {
    parts = {Polyhedron(mesh)};
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Shells that hang together. If the boxes around two of them meet, one may be a hollow in the
// other: then all count as one.
std::vector<Mesh<3>> shells_of(const Mesh<3>& mesh) {
  const auto pieces = pieces_by_place(mesh);
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
      shells.push_back({mesh.corners, {}});
    }
    shells[shell].pieces.push_back(mesh.pieces[i]);
  }
  for (std::size_t i = 0; i < shells.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (boxes_meet(shells[i], shells[j])) return {mesh};
  return shells;
}

std::vector<Polyhedron> parts_of_shell(const Mesh<3>& mesh) {
  std::vector<Polyhedron> parts;
  if (is_convex(mesh, parts)) return parts;
  const MeshReport report = inspect(mesh);
  if (report.turned > 0)
    throw Error(message("the mesh has ", report.turned,
                        " edges whose triangles face different ways; turn them alike"));
  const double volume = signed_volume(mesh);
  try {
    parts = cut_mesh(volume < 0 ? turned_round(mesh) : mesh);
  } catch (const Error&) {
    throw Error(Cutter::refused);
  }
  if (std::abs(volume_of(parts) - std::abs(volume)) > volumes * std::abs(volume))
    throw Error(Cutter::refused);
  return parts;
}

}  // namespace

std::vector<Polyhedron> convex_parts(const Mesh<3>& mesh) {
  const MeshReport report = inspect(mesh);
  if (!report.closed())
    throw Error(message("the mesh is not closed: ", report.open_edges, " edges have one triangle, ",
                        report.crowded_edges, " more than two"));
  std::vector<Polyhedron> all;
  for (const Mesh<3>& shell : shells_of(mesh))
    for (Polyhedron& part : parts_of_shell(shell)) all.push_back(std::move(part));
  return all;
}

}  // namespace abut
