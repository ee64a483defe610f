#include "render/seen_bodies.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace abut {
namespace {

constexpr float missed = -std::numeric_limits<float>::max();

std::optional<RayHit> hit_ball(const Float3& at, float radius, float x, float y) {
  const float dx = x - at.x;
  const float dy = y - at.y;
  const float rest = radius * radius - dx * dx - dy * dy;
  if (rest < 0) return {};
  const float height = std::sqrt(rest);
  return RayHit{at.z + height, (1 / radius) * Float3{dx, dy, height}};
}

std::optional<RayHit> hit_triangle(const SolidTriangle& triangle, float x, float y) {
  const auto& [a, b, c] = triangle.corners;
  const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area == 0) return {};
  const float u = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
  const float v = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
  if (u < 0 || v < 0 || u + v > 1) return {};
  Float3 normal = normalized(cross_product(b - a, c - a));
  if (normal.z < 0) normal = -1.0F * normal;
  return RayHit{a.z + u * (b.z - a.z) + v * (c.z - a.z), normal};
}

}  // namespace

SeenBodies::SeenBodies(const Solids& bodies, const Camera& camera, std::size_t width,
                       std::size_t height)
    : balls_(bodies.balls),
      rods_(bodies.rods),
      triangles_(bodies.triangles),
      columns_((width + tile - 1) / tile),
      rows_((height + tile - 1) / tile) {
  for (SolidBall& ball : balls_) {
    ball.at = camera.seen(ball.at);
    ball.radius *= camera.scale;
  }
  for (SolidRod& rod : rods_) {
    for (Float3& end : rod.ends) end = camera.seen(end);
    rod.radius *= camera.scale;
  }
  for (SolidTriangle& triangle : triangles_)
    for (Float3& corner : triangle.corners) corner = camera.seen(corner);
  take_extents();
  sort_into_tiles();
}

void SeenBodies::take_extents() {
  for (const SolidBall& b : balls_)
    extents_.push_back({b.at.x - b.radius, b.at.x + b.radius, b.at.y - b.radius, b.at.y + b.radius,
                        b.at.z + b.radius});
  for (const SolidRod& rod : rods_) {
    const auto& [a, b] = rod.ends;
    extents_.push_back({std::min(a.x, b.x) - rod.radius, std::max(a.x, b.x) + rod.radius,
                        std::min(a.y, b.y) - rod.radius, std::max(a.y, b.y) + rod.radius,
                        std::max(a.z, b.z) + rod.radius});
  }
  for (const SolidTriangle& triangle : triangles_) {
    const auto& [a, b, c] = triangle.corners;
    extents_.push_back({std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}),
                        std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}),
                        std::max({a.z, b.z, c.z})});
  }
}

void SeenBodies::sort_into_tiles() {
  std::vector<std::uint32_t> sorted(extents_.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
    return extents_[a].nearest != extents_[b].nearest ? extents_[a].nearest > extents_[b].nearest
                                                      : a < b;
  });
  const auto number = [](float x, std::size_t most) {
    return static_cast<std::size_t>(
        std::clamp(std::floor(x / tile), 0.0F, static_cast<float>(most)));
  };
  const auto each_tile = [&](std::uint32_t body, const auto& visit) {
    const Extent& e = extents_[body];
    if (e.right < 0 || e.bottom < 0) return;
    for (std::size_t y = number(e.top, rows_); y < std::min(rows_, number(e.bottom, rows_) + 1);
         ++y)
      for (std::size_t x = number(e.left, columns_);
           x < std::min(columns_, number(e.right, columns_) + 1); ++x)
        visit(y * columns_ + x);
  };
  begins_.assign(columns_ * rows_ + 1, 0);
  for (const std::uint32_t body : sorted)
    each_tile(body, [&](std::size_t at) { ++begins_[at + 1]; });
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  order_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (const std::uint32_t body : sorted)
    each_tile(body, [&](std::size_t at) { order_[next[at]++] = body; });
}

// Looked at along z, the side of the rod is met where the way across its axis is the radius; beyond
// its ends it is two balls.
std::optional<RayHit> SeenBodies::hit_rod(const SolidRod& rod, float x, float y) {
  const auto& [a, b] = rod.ends;
  const Float3 axis = normalized(b - a);
  const Float3 from{x - a.x, y - a.y, 0};
  const float flat = 1 - axis.z * axis.z;
  if (flat > 1e-6F) {
    const float along = dot(from, axis);
    const float half = -along * axis.z;  // of (from + t·z) · z, without the part along the axis
    const float square = dot(from, from) - along * along - rod.radius * rod.radius;
    const float root = half * half - flat * square;
    if (root >= 0) {
      const float t = (-half + std::sqrt(root)) / flat;
      const float place = along + t * axis.z;
      if (place >= 0 && place <= length(b - a)) {
        const Float3 off = from + Float3{0, 0, t} - place * axis;
        return RayHit{a.z + t, (1 / rod.radius) * off};
      }
    }
  }
  const std::optional<RayHit> one = hit_ball(a, rod.radius, x, y);
  const std::optional<RayHit> other = hit_ball(b, rod.radius, x, y);
  if (!one || !other) return one ? one : other;
  return one->z > other->z ? one : other;
}

std::optional<RayHit> SeenBodies::hit(std::uint32_t body, float x, float y) const {
  if (body < balls_.size()) return hit_ball(balls_[body].at, balls_[body].radius, x, y);
  body -= static_cast<std::uint32_t>(balls_.size());
  if (body < rods_.size()) return hit_rod(rods_[body], x, y);
  body -= static_cast<std::uint32_t>(rods_.size());
  return hit_triangle(triangles_[body], x, y);
}

float SeenBodies::depth(std::uint32_t body, float x, float y) const {
  if (body < balls_.size()) {
    const SolidBall& ball = balls_[body];
    const float dx = x - ball.at.x;
    const float dy = y - ball.at.y;
    const float rest = ball.radius * ball.radius - dx * dx - dy * dy;
    return rest < 0 ? missed : ball.at.z + std::sqrt(rest);
  }
  const std::optional<RayHit> found = hit(body, x, y);
  return found ? found->z : missed;
}

const Colour& SeenBodies::colour(std::uint32_t body) const {
  if (body < balls_.size()) return balls_[body].colour;
  body -= static_cast<std::uint32_t>(balls_.size());
  if (body < rods_.size()) return rods_[body].colour;
  return triangles_[body - rods_.size()].colour;
}

}  // namespace abut
