// A simple polygon in convex parts: ears are clipped off until nothing is left (G. H. Meisters,
// 1975), then diagonals are taken out again as long as what they divide is convex without them
// (S. Hertel, K. Mehlhorn, 1983). All decisions are exact. Time n³ at worst: outlines are short,
// and cut once.
#include <abut/polygon.hpp>
#include <algorithm>
#include <array>

#include "narrow/polygon_check.hpp"

namespace abut {
namespace {

using VertexLoop = std::vector<std::size_t>;  // corners of the outline, counterclockwise

class EarClipper {
 public:
  explicit EarClipper(const std::vector<Point<2>>& corners) : vertices_(corners) {
    for (std::size_t k = 0; k < corners.size(); ++k) remaining_.push_back(k);
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
    remaining_.resize(3);  // never, of a simple outline: but no input may hang it
  }

  // A corner on the line between its neighbours is one of no area.
  [[nodiscard]] bool is_ear(std::size_t k) const {
    const std::size_t p = remaining_vertex(k - 1);
    const std::size_t q = remaining_vertex(k);
    const std::size_t r = remaining_vertex(k + 1);
    const int bend = orient(p, q, r);
    if (bend <= 0) return bend == 0;
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

// The part's corners from `last`, if a side of it goes from `first` to `last`.
VertexLoop rotated_to_edge(const VertexLoop& part, std::size_t first, std::size_t last) {
  const auto at = std::ranges::find(part, last);
  if (at == part.end()) return {};
  VertexLoop turned(at, part.end());
  turned.insert(turned.end(), part.begin(), at);
  return turned.back() == first ? turned : VertexLoop{};
}

bool is_convex_loop(const std::vector<Point<2>>& corners, const VertexLoop& part) {
  for (std::size_t k = 0; k < part.size(); ++k)
    if (orientation(corners[part[k]], corners[part[(k + 1) % part.size()]],
                    corners[part[(k + 2) % part.size()]]) < 0)
      return false;
  return true;
}

void remove_diagonal(const std::vector<Point<2>>& corners, std::vector<VertexLoop>& parts,
                     const std::array<std::size_t, 2>& diagonal) {
  const auto [p, q] = diagonal;
  const auto with = [&](std::size_t first, std::size_t last) {
    return std::ranges::find_if(parts, [&, first, last](const VertexLoop& part) {
      return !rotated_to_edge(part, first, last).empty();
    });
  };
  const auto one = with(p, q);
  const auto other = with(q, p);
  if (one == parts.end() || other == parts.end()) return;
  VertexLoop joined = rotated_to_edge(*one, p, q);
  const VertexLoop more = rotated_to_edge(*other, q, p);
  joined.insert(joined.end(), more.begin() + 1, more.end() - 1);
  if (!is_convex_loop(corners, joined)) return;
  *one = std::move(joined);
  parts.erase(other);
}

}  // namespace

std::vector<Polygon> convex_decomposition(std::span<const Point<2>> corners) {
  const PolygonOutline outline(corners);
  outline.check_simple();
  const EarClipper ears(outline.vertices);
  std::vector<VertexLoop> parts = ears.triangles;
  for (const auto& diagonal : ears.diagonals) remove_diagonal(outline.vertices, parts, diagonal);
  std::vector<Polygon> made;
  for (const VertexLoop& part : parts) {
    std::vector<Point<2>> own;
    for (const std::size_t k : part) own.push_back(outline.vertices[k]);
    if (!is_collinear(own)) made.emplace_back(own);
  }
  return made;
}

}  // namespace abut
