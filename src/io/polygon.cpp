#include "io/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/vec.hpp"

namespace abut {
namespace {

using Vector = Point<3>;

constexpr double folded_by = 1e-9;  // of the square of the size: more than rounding
constexpr double bent_by = 1e-4;    // of the size: more than files with few digits round
constexpr std::size_t most_tried = 64;

// The same polygon from the origin and of size one, so that no product leaves the range of double.
std::vector<Vector> of_size_one(std::span<const Point<3>> polygon) {
  std::vector<Vector> scaled;
  double size = 0;
  for (const Point<3>& corner : polygon) {
    scaled.push_back(difference(corner, polygon.front()));
    for (const double x : scaled.back()) size = std::max(size, std::abs(x));
  }
  if (size > 0)
    for (Vector& corner : scaled)
      for (double& x : corner) x /= size;
  return scaled;
}

// Of length one; 0 where there is no area.
Vector normal_of(std::span<const Vector> polygon) {
  Vector sum{};
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Vector part = cross(polygon[i], polygon[i + 1]);
    for (std::size_t k = 0; k < 3; ++k) sum[k] += part[k];
  }
  const double length = std::sqrt(dot(sum, sum));
  for (double& x : sum) x = length > 0 ? x / length : 0;
  return sum;
}

bool folded_from(std::span<const Vector> polygon, std::size_t corner, const Vector& normal) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Vector u = difference(polygon[(corner + i) % n], polygon[corner]);
    const Vector v = difference(polygon[(corner + i + 1) % n], polygon[corner]);
    if (dot(cross(u, v), normal) < -folded_by) return true;
  }
  return false;
}

}  // namespace

Fan fan(std::span<const Point<3>> polygon) {
  const std::vector<Vector> scaled = of_size_one(polygon);
  const Vector normal = normal_of(scaled);
  Fan found;
  found.bent = std::ranges::any_of(
      scaled, [&](const Vector& corner) { return std::abs(dot(corner, normal)) > bent_by; });
  const std::size_t tried = std::min(scaled.size(), most_tried);
  while (found.corner < tried && folded_from(scaled, found.corner, normal)) ++found.corner;
  found.folded = found.corner == tried;
  if (found.folded) found.corner = 0;
  return found;
}

}  // namespace abut
