// A simple polygon in convex parts: ears are clipped off until nothing is left (G. H. Meisters,
// 1975), then diagonals are taken out again as long as what they divide is convex without them
// (S. Hertel, K. Mehlhorn, 1983). All decisions are exact. Time n³ at worst: outlines are short,
// and cut once.
#include <abut/polygon.hpp>
#include <algorithm>
#include <array>

#include "narrow/orientation.hpp"
#include "narrow/outline.hpp"

namespace abut {
namespace {

using Part = std::vector<std::size_t>;  // corners of the outline, counterclockwise

class Ears {
 public:
  explicit Ears(const std::vector<Point<2>>& corners) : corners_(corners) {
    for (std::size_t k = 0; k < corners.size(); ++k) left_.push_back(k);
    while (left_.size() > 3) clip();
    add(1);
  }

  std::vector<Part> triangles;
  std::vector<std::array<std::size_t, 2>> diagonals;

 private:
  [[nodiscard]] std::size_t corner(std::size_t k) const { return left_[k % left_.size()]; }
  [[nodiscard]] int turn(std::size_t p, std::size_t q, std::size_t r) const {
    return orientation(corners_[p], corners_[q], corners_[r]);
  }

  void clip() {
    const std::size_t count = left_.size();
    for (std::size_t k = 1; k <= count; ++k) {
      if (!is_ear(k)) continue;
      add(k);
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k % count));
      return;
    }
    left_.resize(3);  // never, of a simple outline: but no input may hang it
  }

  // A corner on the line between its neighbours is one of no area.
  [[nodiscard]] bool is_ear(std::size_t k) const {
    const std::size_t p = corner(k - 1);
    const std::size_t q = corner(k);
    const std::size_t r = corner(k + 1);
    const int bend = turn(p, q, r);
    if (bend <= 0) return bend == 0;
    return std::ranges::none_of(left_, [&](std::size_t i) {
      return i != p && i != q && i != r && turn(p, q, i) >= 0 && turn(q, r, i) >= 0 &&
             turn(r, p, i) >= 0;
    });
  }

  void add(std::size_t k) {
    const Part ear{corner(k - 1), corner(k), corner(k + 1)};
    if (turn(ear[0], ear[1], ear[2]) <= 0) return;
    triangles.push_back(ear);
    if (left_.size() > 3) diagonals.push_back({ear[0], ear[2]});
  }

  const std::vector<Point<2>>& corners_;
  Part left_;
};

// The part's corners from `last`, if a side of it goes from `first` to `last`.
Part from_side(const Part& part, std::size_t first, std::size_t last) {
  const auto at = std::ranges::find(part, last);
  if (at == part.end()) return {};
  Part turned(at, part.end());
  turned.insert(turned.end(), part.begin(), at);
  return turned.back() == first ? turned : Part{};
}

bool convex(const std::vector<Point<2>>& corners, const Part& part) {
  for (std::size_t k = 0; k < part.size(); ++k)
    if (orientation(corners[part[k]], corners[part[(k + 1) % part.size()]],
                    corners[part[(k + 2) % part.size()]]) < 0)
      return false;
  return true;
}

void take_out(const std::vector<Point<2>>& corners, std::vector<Part>& parts,
              const std::array<std::size_t, 2>& diagonal) {
  const auto [p, q] = diagonal;
  const auto with = [&](std::size_t first, std::size_t last) {
    return std::ranges::find_if(parts, [&, first, last](const Part& part) {
      return !from_side(part, first, last).empty();
    });
  };
  const auto one = with(p, q);
  const auto other = with(q, p);
  if (one == parts.end() || other == parts.end()) return;
  Part joined = from_side(*one, p, q);
  const Part more = from_side(*other, q, p);
  joined.insert(joined.end(), more.begin() + 1, more.end() - 1);
  if (!convex(corners, joined)) return;
  *one = std::move(joined);
  parts.erase(other);
}

}  // namespace

std::vector<Polygon> convex_parts(std::span<const Point<2>> corners) {
  const Outline outline(corners);
  outline.check_simple();
  const Ears ears(outline.corners);
  std::vector<Part> parts = ears.triangles;
  for (const auto& diagonal : ears.diagonals) take_out(outline.corners, parts, diagonal);
  std::vector<Polygon> made;
  for (const Part& part : parts) {
    std::vector<Point<2>> own;
    for (const std::size_t k : part) own.push_back(outline.corners[k]);
    if (!is_flat(own)) made.emplace_back(own);
  }
  return made;
}

}  // namespace abut
