// Convex decomposition of a simple polygon: triangulation by ear clipping (G. H. Meisters, 1975),
// then removal of diagonals as long as the polygon they divide is convex without them (S. Hertel,
// K. Mehlhorn, 1983). All decisions are exact.
//
// A vertex is an ear if its triangle contains no other vertex. If it contains any, one of them is
// not convex, so only these are searched, in a tree. One of those found, the blocker, is kept: the
// vertex is tested again when its blocker is clipped or its triangle changes. O(n log n) for most
// outlines.
#include <abut/polygon.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "narrow/box_tree.hpp"
#include "narrow/polygon_check.hpp"

namespace abut {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// An edge of a part, in counterclockwise order. Triangle i has the half-edges 3 i, 3 i + 1 and
// 3 i + 2.
struct PartEdge {
  std::size_t origin;  // vertex of the outline
  std::size_t next;
  std::size_t previous;
};

// The half-edges of both sides; `none` if there is no triangle on a side, since it would have no
// area.
struct Diagonal {
  std::size_t left = none;
  std::size_t right = none;
};

// The vertices that are not convex, to be found in triangles.
class ReflexVertices {
 public:
  ReflexVertices(const std::vector<Point<2>>& vertices, const std::vector<std::size_t>& reflex)
      : vertices_(vertices), reflex_(reflex), number_of_(vertices.size(), none) {
    std::vector<Box<2>> boxes;
    for (const std::size_t vertex : reflex) {
      number_of_[vertex] = boxes.size();
      boxes.push_back({vertices[vertex], vertices[vertex]});
    }
    tree_ = BoxTree<2>(boxes);
  }

  void remove(std::size_t vertex) {
    if (number_of_[vertex] == none) return;
    tree_.remove(number_of_[vertex]);
    number_of_[vertex] = none;
  }

  /// A vertex in the closed triangle p, q, r, which is counterclockwise, other than its corners.
  [[nodiscard]] std::size_t find_in_triangle(std::size_t p, std::size_t q, std::size_t r) const {
    const std::array corners{vertices_[p], vertices_[q], vertices_[r]};
    const auto found = tree_.find(
        [&](const Box<2>& box) { return may_overlap(box, corners); },
        [&](std::size_t i) { return reflex_[i] != p && reflex_[i] != q && reflex_[i] != r; });
    return found ? reflex_[*found] : none;
  }

 private:
  // False only if one side of the triangle separates it from the box; exact for a single point.
  static bool may_overlap(const Box<2>& box, const std::array<Point<2>, 3>& corners) {
    for (std::size_t k = 0; k < 2; ++k) {
      const auto [low, high] = std::minmax({corners[0][k], corners[1][k], corners[2][k]});
      if (box.max[k] < low || box.min[k] > high) return false;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Point<2>& from = corners[i];
      const Point<2>& to = corners[(i + 1) % 3];
      const Point<2> leftmost{to[1] > from[1] ? box.min[0] : box.max[0],
                              to[0] > from[0] ? box.max[1] : box.min[1]};
      if (orientation(from, to, leftmost) < 0) return false;
    }
    return true;
  }

  const std::vector<Point<2>>& vertices_;
  std::vector<std::size_t> reflex_;     // vertices
  std::vector<std::size_t> number_of_;  // in reflex_; `none` for other vertices
  BoxTree<2> tree_{{}};
};

class EarClipper {
 public:
  explicit EarClipper(const std::vector<Point<2>>& vertices)
      : vertices_(vertices),
        next_(vertices.size()),
        previous_(vertices.size()),
        is_ear_(vertices.size()),
        waiting_(vertices.size()),
        diagonal_after_(vertices.size(), none),
        reflex_(vertices, find_reflex_vertices()) {
    const std::size_t count = vertices.size();
    for (std::size_t k = 0; k < count; ++k) {
      next_[k] = (k + 1) % count;
      previous_[next_[k]] = k;
    }
    for (std::size_t k = 0; k < count; ++k) test_vertex(k);
    std::size_t remaining = count;
    for (; remaining > 3; --remaining) {
      const std::size_t ear = next_ear();
      if (ear == none) return;  // impossible for a simple outline
      clip(ear);
    }
    add_triangle(next_[first_]);
  }

  std::vector<PartEdge> edges;
  std::vector<Diagonal> diagonals;

 private:
  [[nodiscard]] int orient(std::size_t p, std::size_t q, std::size_t r) const {
    return orientation(vertices_[p], vertices_[q], vertices_[r]);
  }

  [[nodiscard]] std::vector<std::size_t> find_reflex_vertices() const {
    std::vector<std::size_t> reflex;
    const std::size_t count = vertices_.size();
    for (std::size_t k = 0; k < count; ++k)
      if (orient((k + count - 1) % count, k, (k + 1) % count) <= 0) reflex.push_back(k);
    return reflex;
  }

  // Determines whether a vertex is an ear; one that is collinear with its neighbors is an ear of
  // zero area.
  void test_vertex(std::size_t q) {
    const std::size_t p = previous_[q];
    const std::size_t r = next_[q];
    const int turn = orient(p, q, r);
    if (turn > 0) reflex_.remove(q);
    is_ear_[q] = turn == 0;
    if (turn > 0) {
      const std::size_t blocker = reflex_.find_in_triangle(p, q, r);
      is_ear_[q] = blocker == none;
      if (blocker != none) waiting_[blocker].push_back({q, p, r});
    }
    if (is_ear_[q]) ears_.push(q == first_ ? vertices_.size() : q);
  }

  // The first ear after the first vertex, which comes last.
  std::size_t next_ear() {
    for (; !ears_.empty(); ears_.pop()) {
      const std::size_t ear = ears_.top() == vertices_.size() ? first_ : ears_.top();
      if (is_ear_[ear]) return ear;
    }
    return none;
  }

  void clip(std::size_t q) {
    const std::size_t p = previous_[q];
    const std::size_t r = next_[q];
    diagonal_after_[p] = add_triangle(q);
    is_ear_[q] = false;
    reflex_.remove(q);
    next_[p] = r;
    previous_[r] = p;
    if (q == first_) first_ = r;
    test_vertex(p);
    test_vertex(r);
    for (const auto& [vertex, before, after] : std::exchange(waiting_[q], {}))
      if (previous_[vertex] == before && next_[vertex] == after) test_vertex(vertex);
  }

  // Adds the triangle of a vertex unless it has no area. Returns the diagonal opposite the vertex,
  // or `none`.
  std::size_t add_triangle(std::size_t q) {
    const std::size_t p = previous_[q];
    const std::size_t r = next_[q];
    if (orient(p, q, r) <= 0) return none;
    const std::size_t begin = edges.size();
    edges.push_back({p, begin + 1, begin + 2});
    edges.push_back({q, begin + 2, begin});
    edges.push_back({r, begin, begin + 1});
    for (const std::size_t edge : {begin, begin + 1, begin + 2}) {
      const std::size_t origin = edges[edge].origin;
      const bool is_of_outline = next_[origin] == edges[edges[edge].next].origin;
      if (is_of_outline && diagonal_after_[origin] != none)
        diagonals[diagonal_after_[origin]].left = edge;
    }
    if (next_[r] == p) return none;
    diagonals.push_back({none, begin + 2});
    return diagonals.size() - 1;
  }

  struct WaitingVertex {
    std::size_t vertex;
    std::size_t previous;
    std::size_t next;
  };

  const std::vector<Point<2>>& vertices_;
  std::vector<std::size_t> next_;  // of the vertices that have not been clipped
  std::vector<std::size_t> previous_;
  std::vector<bool> is_ear_;
  std::vector<std::vector<WaitingVertex>> waiting_;  // by blocker
  std::vector<std::size_t> diagonal_after_;  // from a vertex to the next; `none` for an edge
  ReflexVertices reflex_;
  std::size_t first_ = 0;
  // Vertices that are ears or have been.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ears_;
};

// The parts of the outline, at first its triangles.
class PartMerger {
 public:
  PartMerger(const std::vector<Point<2>>& vertices, std::vector<PartEdge> edges)
      : vertices_(vertices),
        edges_(std::move(edges)),
        merged_into_(edges_.size() / 3),
        first_edge_(edges_.size() / 3) {
    std::iota(merged_into_.begin(), merged_into_.end(), std::size_t{0});
    for (std::size_t part = 0; part < first_edge_.size(); ++part) first_edge_[part] = 3 * part;
  }

  /// Merges the two parts at a diagonal if the result is convex.
  void remove(const Diagonal& diagonal) {
    const auto [left, right] = diagonal;
    if (left == none || right == none) return;
    if (!is_convex(edges_[left].previous, edges_[right].next) ||
        !is_convex(edges_[right].previous, edges_[left].next))
      return;
    const std::size_t part = part_of(left);
    merged_into_[part_of(right)] = part;
    first_edge_[part] = edges_[left].next;
    connect(edges_[left].previous, edges_[right].next);
    connect(edges_[right].previous, edges_[left].next);
  }

  /// The vertices of all parts.
  [[nodiscard]] std::vector<std::vector<Point<2>>> parts() const {
    std::vector<std::vector<Point<2>>> loops;
    for (std::size_t part = 0; part < merged_into_.size(); ++part) {
      if (merged_into_[part] != part) continue;
      std::vector<Point<2>>& loop = loops.emplace_back();
      std::size_t edge = first_edge_[part];
      do {
        loop.push_back(vertices_[edges_[edge].origin]);
        edge = edges_[edge].next;
      } while (edge != first_edge_[part]);
    }
    return loops;
  }

 private:
  std::size_t part_of(std::size_t edge) {
    std::size_t part = edge / 3;
    while (merged_into_[part] != part) part = merged_into_[part] = merged_into_[merged_into_[part]];
    return part;
  }

  // Whether the outline would not turn right from one edge to another.
  [[nodiscard]] bool is_convex(std::size_t from, std::size_t to) const {
    const auto origin = [&](std::size_t edge) { return vertices_[edges_[edge].origin]; };
    return orientation(origin(from), origin(to), origin(edges_[to].next)) >= 0;
  }

  void connect(std::size_t from, std::size_t to) {
    edges_[from].next = to;
    edges_[to].previous = from;
  }

  const std::vector<Point<2>>& vertices_;
  std::vector<PartEdge> edges_;
  std::vector<std::size_t> merged_into_;  // by triangle; itself, or one of the same part
  std::vector<std::size_t> first_edge_;   // by part
};

}  // namespace

std::vector<Polygon> convex_decomposition(std::span<const Point<2>> vertices) {
  const PolygonOutline outline(vertices);
  outline.check_simple();
  EarClipper clipper(outline.vertices);
  PartMerger merger(outline.vertices, std::move(clipper.edges));
  for (const Diagonal& diagonal : clipper.diagonals) merger.remove(diagonal);
  std::vector<Polygon> polygons;
  for (const std::vector<Point<2>>& part : merger.parts())
    if (!is_collinear(part)) polygons.emplace_back(part);
  return polygons;
}

}  // namespace abut
