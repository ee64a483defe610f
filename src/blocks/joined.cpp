#include <abut/blocks.hpp>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double same_direction = 1e-6;  // of normals: what their difference may be long
constexpr double same_height = 1e-6;     // of planes, in distances between the points

// Whether two contacts of the same particles lie in one plane, or nearly.
template <std::size_t D>
bool in_one_plane(const BlockContact<D>& a, const BlockContact<D>& b) {
  if (length(difference(a.plane.normal, b.plane.normal)) > same_direction) return false;
  const Point<D> apart = difference(b.point, a.point);
  const double size = length(apart) + std::abs(a.plane.gap) + std::abs(b.plane.gap);
  return std::abs(dot(a.plane.normal, apart)) <= same_height * size &&
         std::abs(a.plane.gap - b.plane.gap) <= same_height * size;
}

// By their measures; where both have none, half way.
template <std::size_t D>
void take_in(const BlockContact<D>& other, BlockContact<D>& own) {
  const double whole = own.measure + other.measure;
  const double part = whole > 0 ? other.measure / whole : 0.5;
  own.point = along(own.point, part, difference(other.point, own.point));
  own.measure = whole;
  own.plane.gap = std::min(own.plane.gap, other.plane.gap);
}

}  // namespace

template <std::size_t D>
std::vector<BlockContact<D>> joined(std::span<const BlockContact<D>> contacts) {
  const auto particles = [](const BlockContact<D>& one) {
    return std::tie(one.a, one.b, one.image);
  };
  std::vector<BlockContact<D>> sorted(contacts.begin(), contacts.end());
  std::ranges::stable_sort(sorted, {}, particles);
  std::vector<BlockContact<D>> result;
  std::size_t first = 0;  // of the same particles
  for (const BlockContact<D>& contact : sorted) {
    if (result.empty() || particles(result.back()) != particles(contact)) first = result.size();
    const auto same =
        std::find_if(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(),
                     [&](const BlockContact<D>& own) { return in_one_plane(own, contact); });
    if (same == result.end())
      result.push_back(contact);
    else
      take_in(contact, *same);
  }
  return result;
}

template std::vector<BlockContact<2>> joined(std::span<const BlockContact<2>>);
template std::vector<BlockContact<3>> joined(std::span<const BlockContact<3>>);

}  // namespace abut
