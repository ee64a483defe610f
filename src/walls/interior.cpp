#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <limits>
#include <utility>

#include "core/message.hpp"
#include "walls/mesh_body.hpp"
#include "walls/mesh_check.hpp"
#include "walls/tree.hpp"

namespace abut {
namespace {

// Whether the edge from a to b passes above the point in the plane of two axes: the line through
// the point up the first axis crosses it. The ends are put in order first, so that all pieces of an
// edge get the same answer, right or wrong by rounding; and a corner at the height of the point
// counts as below it. So on a closed surface nothing is ever counted once too often.
bool passes_above(Point<2> a, Point<2> b, const Point<2>& point) {
  if (b < a) std::swap(a, b);
  if ((a[1] <= point[1]) == (b[1] <= point[1])) return false;
  const double turn = (b[0] - a[0]) * (point[1] - a[1]) - (point[0] - a[0]) * (b[1] - a[1]);
  return (b[1] > a[1]) == (turn > 0);
}

// Whether the ray from the point along +x crosses the piece.
bool crosses(const std::array<Point<2>, 2>& corners, const Point<2>& point) {
  return passes_above(corners[0], corners[1], point);
}

bool crosses(const std::array<Point<3>, 3>& corners, const Point<3>& point) {
  const auto seen_along_x = [](const Point<3>& p) { return Point<2>{p[1], p[2]}; };
  bool inside = false;
  for (std::size_t k = 0; k < 3; ++k)
    inside = inside != passes_above(seen_along_x(corners[k]), seen_along_x(corners[(k + 1) % 3]),
                                    seen_along_x(point));
  if (!inside) return false;
  const Point<3> normal =
      cross(unit(difference(corners[1], corners[0])), unit(difference(corners[2], corners[0])));
  const double height = dot(normal, difference(point, corners[0]));
  return normal[0] > 0 ? height < 0 : height > 0;
}

// Six times the volume, or twice the area, between a piece and a point.
double share(const std::array<Point<2>, 2>& corners, const Point<2>& from) {
  const Point<2> a = difference(corners[0], from);
  const Point<2> b = difference(corners[1], from);
  return a[0] * b[1] - a[1] * b[0];
}

double share(const std::array<Point<3>, 3>& corners, const Point<3>& from) {
  return dot(difference(corners[0], from),
             cross(difference(corners[1], from), difference(corners[2], from)));
}

}  // namespace

template <std::size_t D>
class Interior<D>::State {
 public:
  explicit State(const Mesh<D>& mesh) {
    const MeshReport report = inspect(mesh);
    if (!report.closed())
      throw Error(message("a mesh of ", report.pieces, " pieces with ", report.open_edges,
                          " open and ", report.crowded_edges,
                          " crowded edges is not closed; it has no inside"));
    const std::vector<bool> twice = repeated<D>(pieces_by_place(mesh));
    std::vector<TreePiece<D>> pieces;
    for (std::size_t i = 0; i < mesh.pieces.size(); ++i) {
      if (twice[i]) continue;
      corners_.push_back(MeshBody<D>::corners_of(mesh, i));
      pieces.push_back({around<D>(corners_.back()), corners_.back()[0], {}});
    }
    tree_ = Tree<D>(pieces);
    for (const auto& piece : corners_) volume_ += share(piece, tree_.box().min);
    volume_ = std::abs(volume_) / (D == 2 ? 2 : 6);
  }

  [[nodiscard]] bool contains(const Point<D>& point) const {
    Box<D> ray{point, point};
    ray.max[0] = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> crossed;
    tree_.each_leaf(ray, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t i = first; i < last; ++i)
        if (crosses(corners_[tree_.entry(i)], point)) crossed.push_back(tree_.entry(i));
    });
    std::ranges::sort(crossed);  // a piece is in several leaves
    return (std::unique(crossed.begin(), crossed.end()) - crossed.begin()) % 2 == 1;
  }

  [[nodiscard]] const Box<D>& box() const { return tree_.box(); }
  [[nodiscard]] double volume() const { return volume_; }

 private:
  std::vector<std::array<Point<D>, D>> corners_;
  Tree<D> tree_;
  double volume_ = 0;
};

template <std::size_t D>
Interior<D>::Interior(const Mesh<D>& mesh) : state_(std::make_unique<State>(mesh)) {}
template <std::size_t D>
Interior<D>::~Interior() = default;
template <std::size_t D>
Interior<D>::Interior(Interior&&) noexcept = default;
template <std::size_t D>
Interior<D>& Interior<D>::operator=(Interior&&) noexcept = default;

template <std::size_t D>
bool Interior<D>::contains(const Point<D>& point) const {
  return state_->contains(point);
}

template <std::size_t D>
const Box<D>& Interior<D>::box() const {
  return state_->box();
}

template <std::size_t D>
double Interior<D>::volume() const {
  return state_->volume();
}

template class Interior<2>;
template class Interior<3>;

}  // namespace abut
