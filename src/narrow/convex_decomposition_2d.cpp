// Convex decomposition of a simple polygon: triangulation by ear clipping (G. H. Meisters, 1975),
// then removal of diagonals as long as the polygon they divide is convex without them (S. Hertel,
// K. Mehlhorn, 1983). All decisions are exact. O(n³) in the worst case: outlines are short and
// decomposed once.
#include <abut/polygon.hpp>
#include <algorithm>
#include <array>

#include "narrow/polygon_check.hpp"

namespace abut {
namespace {

using VertexLoop = std::vector<std::size_t>;  // vertices of the outline, counterclockwise

class EarClipper {
 public:
  explicit EarClipper(const std::vector<Point<2>>& vertices) : vertices_(vertices) {
    for (std::size_t k = 0; k < vertices.size(); ++k) remaining_.push_back(k);
    while (remaining_.size() > 3) clip_ear();
    add_triangle(1);
  }

  std::vector<VertexLoop> triangles;
  std::vector<std::array<std::size_t, 2>> diagonals;

 private:
  [[nodiscard]] std::size_t remaining_vertex(std::size_t k) const {
    return remaining_[k % remaining_.size()];
  }
  [[nodiscard]] int orient(std::size_t p, std::size_t q, std::size_t r) const {
    return orientation(vertices_[p], vertices_[q], vertices_[r]);
  }

  void clip_ear() {
    const std::size_t count = remaining_.size();
    for (std::size_t k = 1; k <= count; ++k) {
      if (!is_ear(k)) continue;
      add_triangle(k);
      remaining_.erase(remaining_.begin() + static_cast<std::ptrdiff_t>(k % count));
      return;
    }
    remaining_.resize(3);  // impossible for a simple outline; ensures termination for any input
  }

  // A vertex collinear with its neighbors is an ear of zero area.
  [[nodiscard]] bool is_ear(std::size_t k) const {
    const std::size_t p = remaining_vertex(k - 1);
    const std::size_t q = remaining_vertex(k);
    const std::size_t r = remaining_vertex(k + 1);
    const int turn = orient(p, q, r);
    if (turn <= 0) return turn == 0;
    return std::ranges::none_of(remaining_, [&](std::size_t i) {
      return i != p && i != q && i != r && orient(p, q, i) >= 0 && orient(q, r, i) >= 0 &&
             orient(r, p, i) >= 0;
    });
  }

  void add_triangle(std::size_t k) {
    const VertexLoop ear{remaining_vertex(k - 1), remaining_vertex(k), remaining_vertex(k + 1)};
    if (orient(ear[0], ear[1], ear[2]) <= 0) return;
    triangles.push_back(ear);
    if (remaining_.size() > 3) diagonals.push_back({ear[0], ear[2]});
  }

  const std::vector<Point<2>>& vertices_;
  VertexLoop remaining_;
};

// The vertices of a part rotated to start with `last`, if it has the edge `first` → `last`; empty
// otherwise.
VertexLoop rotated_to_edge(const VertexLoop& part, std::size_t first, std::size_t last) {
  const auto found = std::ranges::find(part, last);
  if (found == part.end()) return {};
  VertexLoop rotated(found, part.end());
  rotated.insert(rotated.end(), part.begin(), found);
  return rotated.back() == first ? rotated : VertexLoop{};
}

bool is_convex_loop(const std::vector<Point<2>>& vertices, const VertexLoop& part) {
  for (std::size_t k = 0; k < part.size(); ++k)
    if (orientation(vertices[part[k]], vertices[part[(k + 1) % part.size()]],
                    vertices[part[(k + 2) % part.size()]]) < 0)
      return false;
  return true;
}

// Merges the two parts at a diagonal if the result is convex.
void remove_diagonal(const std::vector<Point<2>>& vertices, std::vector<VertexLoop>& parts,
                     const std::array<std::size_t, 2>& diagonal) {
  const auto [p, q] = diagonal;
  const auto part_with = [&](std::size_t first, std::size_t last) {
    return std::ranges::find_if(parts, [&, first, last](const VertexLoop& part) {
      return !rotated_to_edge(part, first, last).empty();
    });
  };
  const auto left = part_with(p, q);
  const auto right = part_with(q, p);
  if (left == parts.end() || right == parts.end()) return;
  VertexLoop merged = rotated_to_edge(*left, p, q);
  const VertexLoop added = rotated_to_edge(*right, q, p);
  merged.insert(merged.end(), added.begin() + 1, added.end() - 1);
  if (!is_convex_loop(vertices, merged)) return;
  *left = std::move(merged);
  parts.erase(right);
}

}  // namespace

std::vector<Polygon> convex_decomposition(std::span<const Point<2>> vertices) {
  const PolygonOutline outline(vertices);
  outline.check_simple();
  const EarClipper clipper(outline.vertices);
  std::vector<VertexLoop> parts = clipper.triangles;
  for (const auto& diagonal : clipper.diagonals) remove_diagonal(outline.vertices, parts, diagonal);
  std::vector<Polygon> polygons;
  for (const VertexLoop& part : parts) {
    std::vector<Point<2>> part_vertices;
    for (const std::size_t k : part) part_vertices.push_back(outline.vertices[k]);
    if (!is_collinear(part_vertices)) polygons.emplace_back(part_vertices);
  }
  return polygons;
}

}  // namespace abut
