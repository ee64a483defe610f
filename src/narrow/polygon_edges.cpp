// Intersections of the edges of an outline, by a sweep line: M. I. Shamos, D. Hoey, Geometric
// intersection problems, 17th Symposium on Foundations of Computer Science (1976) 208–215.
#include "narrow/polygon_edges.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "narrow/polygon_check.hpp"

namespace abut {
namespace {

bool in_segment_box(const Point<2>& point, const Point<2>& from, const Point<2>& to) {
  for (std::size_t k = 0; k < 2; ++k)
    if (point[k] < std::min(from[k], to[k]) || point[k] > std::max(from[k], to[k])) return false;
  return true;
}

class OutlineEdges {
 public:
  explicit OutlineEdges(std::span<const Point<2>> vertices) : vertices_(vertices) {}

  [[nodiscard]] std::size_t size() const { return vertices_.size(); }
  [[nodiscard]] std::size_t next(std::size_t k) const { return k + 1 == size() ? 0 : k + 1; }
  [[nodiscard]] std::size_t previous(std::size_t k) const { return k == 0 ? size() - 1 : k - 1; }
  [[nodiscard]] const Point<2>& from(std::size_t edge) const { return vertices_[edge]; }
  [[nodiscard]] const Point<2>& to(std::size_t edge) const { return vertices_[next(edge)]; }

  /// Whether two edges have a point in common and no common vertex.
  [[nodiscard]] bool intersect(std::size_t i, std::size_t j) const {
    return i != j && next(i) != j && next(j) != i &&
           segments_intersect(from(i), to(i), from(j), to(j));
  }

 private:
  std::span<const Point<2>> vertices_;
};

// The sweep line moves in the direction of x; points of equal x are passed in the order of y, as if
// the line were slightly inclined. As long as no edges intersect, those that cross the line have a
// fixed order along it, which changes at vertices only. Two edges that intersect are neighbors in
// this order before the line reaches their first common point, unless that is a vertex of one of
// them; then this vertex has no place in the order.
//
// Only orientations of vertices are computed, so all decisions are exact.
class EdgeSweep {
 public:
  explicit EdgeSweep(std::span<const Point<2>> vertices)
      : vertices_(vertices),
        edges_(vertices),
        active_(Below{this}),
        positions_(vertices.size(), active_.end()) {}

  /// True if no edges intersect. If false, some do.
  bool are_disjoint() {
    std::vector<std::size_t> order(edges_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](auto i, auto j) { return vertices_[i] < vertices_[j]; });
    return std::ranges::all_of(order, [&](std::size_t vertex) { return pass(vertex); });
  }

 private:
  struct Below {
    EdgeSweep* sweep;
    bool operator()(std::size_t a, std::size_t b) const { return sweep->is_below(a, b); }
  };
  using Active = std::set<std::size_t, Below>;  // edges that cross the sweep line, upward

  [[nodiscard]] const Point<2>& left(std::size_t edge) const {
    return std::min(edges_.from(edge), edges_.to(edge));
  }
  [[nodiscard]] const Point<2>& right(std::size_t edge) const {
    return std::max(edges_.from(edge), edges_.to(edge));
  }

  bool is_below(std::size_t a, std::size_t b) {
    if (a == b) return false;
    const Point<2>& left_a = left(a);
    const Point<2>& left_b = left(b);
    // The left end that the sweep line passes last, or else the right end, is compared.
    const int side = left_a == left_b  ? orientation(left_a, right(a), right(b))
                     : left_a < left_b ? orientation(left_a, right(a), left_b)
                                       : -orientation(left_b, right(b), left_a);
    is_ordered_ = is_ordered_ && side != 0;
    return side > 0;
  }

  // Moves the sweep line past a vertex. Returns false if edges that intersect have been found.
  bool pass(std::size_t vertex) {
    const std::array incident{edges_.previous(vertex), vertex};
    for (const std::size_t edge : incident)
      if (right(edge) == vertices_[vertex] && !remove(edge)) return false;
    return std::ranges::all_of(incident, [&](std::size_t edge) {
      return left(edge) != vertices_[vertex] || insert(edge);
    });
  }

  bool remove(std::size_t edge) {
    const auto above = active_.erase(positions_[edge]);
    return above == active_.begin() || above == active_.end() ||
           !edges_.intersect(*std::prev(above), *above);
  }

  bool insert(std::size_t edge) {
    const auto [position, is_new] = active_.insert(edge);
    if (!is_new || !is_ordered_) return false;
    positions_[edge] = position;
    const auto above = std::next(position);
    return (above == active_.end() || !edges_.intersect(edge, *above)) &&
           (position == active_.begin() || !edges_.intersect(*std::prev(position), edge));
  }

  std::span<const Point<2>> vertices_;
  OutlineEdges edges_;
  Active active_;
  std::vector<Active::iterator> positions_;  // by edge
  bool is_ordered_ = true;                   // false once a vertex lies on another edge
};

// Bounding octagons of 1, 2, 4, … consecutive edges, as a binary tree: their extents along x, y, x
// + y and x − y. Rounding is monotonic, so the octagons of edges with a common point overlap.
class EdgeBoxes {
 public:
  explicit EdgeBoxes(std::span<const Point<2>> vertices)
      : edges_(vertices),
        leaves_(std::bit_ceil(vertices.size())),
        boxes_(2 * leaves_, no_extents()) {
    for (std::size_t k = 0; k < edges_.size(); ++k)
      for (const Point<2>& end : {edges_.from(k), edges_.to(k)})
        boxes_[leaves_ + k].add(extents_of(end));
    for (std::size_t node = leaves_ - 1; node > 0; --node)
      for (const std::size_t child : {2 * node, 2 * node + 1}) boxes_[node].add(boxes_[child]);
  }

  [[nodiscard]] std::optional<std::array<std::size_t, 2>> first_intersection() const {
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (const auto j = first_after(i, 1, 0, leaves_)) return std::array{i, *j};
    return std::nullopt;
  }

 private:
  struct Extents {
    std::array<double, 4> min;
    std::array<double, 4> max;

    void add(const Extents& other) {
      for (std::size_t k = 0; k < min.size(); ++k) {
        min[k] = std::min(min[k], other.min[k]);
        max[k] = std::max(max[k], other.max[k]);
      }
    }
    [[nodiscard]] bool overlap(const Extents& other) const {
      for (std::size_t k = 0; k < min.size(); ++k)
        if (min[k] > other.max[k] || other.min[k] > max[k]) return false;
      return true;
    }
  };

  static Extents extents_of(const Point<2>& point) {
    const std::array values{point[0], point[1], point[0] + point[1], point[0] - point[1]};
    return {values, values};
  }

  static Extents no_extents() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return {{inf, inf, inf, inf}, {-inf, -inf, -inf, -inf}};
  }

  // The first edge after `edge` that intersects it among the edges `begin` … `end` − 1 of a node.
  [[nodiscard]] std::optional<std::size_t> first_after(std::size_t edge, std::size_t node,
                                                       std::size_t begin, std::size_t end) const {
    if (end <= edge + 1 || !boxes_[node].overlap(boxes_[leaves_ + edge])) return std::nullopt;
    if (end - begin == 1)
      return edges_.intersect(edge, begin) ? std::optional(begin) : std::nullopt;
    const std::size_t middle = std::midpoint(begin, end);
    if (const auto found = first_after(edge, 2 * node, begin, middle)) return found;
    return first_after(edge, 2 * node + 1, middle, end);
  }

  OutlineEdges edges_;
  std::size_t leaves_;
  std::vector<Extents> boxes_;  // node k has the children 2 k and 2 k + 1; the root is 1
};

}  // namespace

bool segments_intersect(const Point<2>& p, const Point<2>& q, const Point<2>& r,
                        const Point<2>& s) {
  const int pqr = orientation(p, q, r);
  const int pqs = orientation(p, q, s);
  const int rsp = orientation(r, s, p);
  const int rsq = orientation(r, s, q);
  if (pqr * pqs < 0 && rsp * rsq < 0) return true;
  return (pqr == 0 && in_segment_box(r, p, q)) || (pqs == 0 && in_segment_box(s, p, q)) ||
         (rsp == 0 && in_segment_box(p, r, s)) || (rsq == 0 && in_segment_box(q, r, s));
}

std::optional<std::array<std::size_t, 2>> first_edge_intersection(
    std::span<const Point<2>> vertices) {
  if (EdgeSweep(vertices).are_disjoint()) return std::nullopt;
  return EdgeBoxes(vertices).first_intersection();
}

}  // namespace abut
