#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <limits>
#include <utility>

#include "core/message.hpp"
#include "walls/mesh_body.hpp"
#include "walls/mesh_check.hpp"
#include "walls/octree.hpp"

namespace abut {
namespace {

// Whether the ray from the point along the first axis crosses the segment from a to b. The ends are
// ordered first, so that all facets that share an edge get the same answer despite rounding; an end
// level with the point counts as below it. The parity of crossings of a closed surface is therefore
// consistent.
bool ray_crosses_edge(Point<2> a, Point<2> b, const Point<2>& point) {
  if (b < a) std::swap(a, b);
  if ((a[1] <= point[1]) == (b[1] <= point[1])) return false;
  const double orientation = (b[0] - a[0]) * (point[1] - a[1]) - (point[0] - a[0]) * (b[1] - a[1]);
  return (b[1] > a[1]) == (orientation > 0);
}

// Whether the ray from the point along +x crosses the facet.
bool ray_crosses(const std::array<Point<2>, 2>& vertices, const Point<2>& point) {
  return ray_crosses_edge(vertices[0], vertices[1], point);
}

bool ray_crosses(const std::array<Point<3>, 3>& vertices, const Point<3>& point) {
  const auto project_along_x = [](const Point<3>& p) { return Point<2>{p[1], p[2]}; };
  bool inside = false;
  for (std::size_t k = 0; k < 3; ++k)
    inside =
        inside != ray_crosses_edge(project_along_x(vertices[k]),
                                   project_along_x(vertices[(k + 1) % 3]), project_along_x(point));
  if (!inside) return false;
  const Point<3> normal = cross(normalized(difference(vertices[1], vertices[0])),
                                normalized(difference(vertices[2], vertices[0])));
  const double height = dot(normal, difference(point, vertices[0]));
  return normal[0] > 0 ? height < 0 : height > 0;
}

// Six times the signed volume (in 2D twice the signed area) of the simplex of a facet and a point.
double scaled_signed_volume(const std::array<Point<2>, 2>& vertices, const Point<2>& from) {
  const Point<2> a = difference(vertices[0], from);
  const Point<2> b = difference(vertices[1], from);
  return a[0] * b[1] - a[1] * b[0];
}

double scaled_signed_volume(const std::array<Point<3>, 3>& vertices, const Point<3>& from) {
  return dot(difference(vertices[0], from),
             cross(difference(vertices[1], from), difference(vertices[2], from)));
}

}  // namespace

template <std::size_t D>
class MeshInterior<D>::State {
 public:
  // Rays must not pass between vertices that count as one, so these are moved to one position.
  State(const Mesh<D>& given, double weld_tolerance) {
    const MeshReport report = inspect_mesh(given, weld_tolerance);
    if (!report.is_closed())
      throw Error(message("the mesh is not closed: ", open_edges_text(report, D)));
    const Mesh<D> mesh = welded(given, weld_tolerance);
    const std::vector<bool> is_duplicate = find_duplicates<D>(mesh.facets);
    std::vector<OctreeItem<D>> items;
    for (std::size_t i = 0; i < mesh.facets.size(); ++i) {
      if (is_duplicate[i]) continue;
      facets_.push_back(MeshBody<D>::facet_vertices(mesh, i));
      items.push_back({bounding_box_of<D>(facets_.back()), facets_.back()[0], {}});
    }
    octree_ = Octree<D>(items);
    for (const auto& facet : facets_)
      volume_ += scaled_signed_volume(facet, octree_.bounding_box().min);
    volume_ = std::abs(volume_) / (D == 2 ? 2 : 6);
  }

  [[nodiscard]] bool contains(const Point<D>& point) const {
    Box<D> ray{point, point};
    ray.max[0] = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> crossed;
    octree_.for_each_leaf(ray, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t i = first; i < last; ++i)
        if (ray_crosses(facets_[octree_.entry(i)], point)) crossed.push_back(octree_.entry(i));
    });
    std::ranges::sort(crossed);  // a facet may be in several leaves
    return (std::unique(crossed.begin(), crossed.end()) - crossed.begin()) % 2 == 1;
  }

  [[nodiscard]] const Box<D>& bounding_box() const { return octree_.bounding_box(); }
  [[nodiscard]] double volume() const { return volume_; }

 private:
  std::vector<std::array<Point<D>, D>> facets_;
  Octree<D> octree_;
  double volume_ = 0;
};

template <std::size_t D>
MeshInterior<D>::MeshInterior(const Mesh<D>& mesh, double weld_tolerance)
    : state_(std::make_unique<State>(mesh, weld_tolerance)) {}
template <std::size_t D>
MeshInterior<D>::~MeshInterior() = default;
template <std::size_t D>
MeshInterior<D>::MeshInterior(MeshInterior&&) noexcept = default;
template <std::size_t D>
MeshInterior<D>& MeshInterior<D>::operator=(MeshInterior&&) noexcept = default;

template <std::size_t D>
auto MeshInterior<D>::state() const -> const State& {
  if (state_ == nullptr)
    throw Error("the mesh interior has been moved from", ErrorCode::moved_from);
  return *state_;
}

template <std::size_t D>
bool MeshInterior<D>::contains(const Point<D>& point) const {
  return state().contains(point);
}

template <std::size_t D>
const Box<D>& MeshInterior<D>::bounding_box() const {
  return state().bounding_box();
}

template <std::size_t D>
double MeshInterior<D>::volume() const {
  return state().volume();
}

template class MeshInterior<2>;
template class MeshInterior<3>;

}  // namespace abut
