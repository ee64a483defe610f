#include "render/ambient_light.hpp"

#include <algorithm>
#include <limits>

namespace abut {
namespace {

constexpr int ambient_directions = 72;
constexpr int lamp_directions = 20;
constexpr float golden_angle = 2.39996323F;  // the golden angle: directions that never line up

// Depths are kept in sixteen bits: 1 is farthest from the light.
constexpr float max_depth = 65534;

std::uint16_t quantize_depth(float part) {
  return static_cast<std::uint16_t>(1 + std::clamp(part, 0.0F, 1.0F) * (max_depth - 1));
}

/// The size in the middle of all: what should be a few texels wide.
float median_radius(const Primitives& bodies, float otherwise) {
  std::vector<float> sizes;
  for (const SpherePrimitive& ball : bodies.spheres) sizes.push_back(ball.radius);
  if (sizes.empty()) return otherwise;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

template <class Visit>
void for_each_bounding_sphere(const Primitives& bodies, const Visit& visit) {
  for (const SpherePrimitive& ball : bodies.spheres) visit(ball.center, ball.radius);
  for (const CapsulePrimitive& rod : bodies.capsules)
    for (const Float3& end : rod.ends) visit(end, rod.radius);
  for (const TrianglePrimitive& triangle : bodies.triangles)
    for (const Float3& corner : triangle.vertices) visit(corner, 0.0F);
}

}  // namespace

AmbientLight::AmbientLight(const Primitives& bodies, const Camera& camera, ThreadPool& pool) {
  fit_depth_maps(bodies);
  choose_directions(camera);
  pool.run(directions_.size(),
           [&](std::size_t number, unsigned) { draw_depth_map(bodies, directions_[number]); });
}

void AmbientLight::fit_depth_maps(const Primitives& bodies) {
  constexpr float far = std::numeric_limits<float>::max();
  Float3 least{far, far, far};
  Float3 most{-far, -far, -far};
  for_each_bounding_sphere(bodies, [&](const Float3& p, float radius) {
    least = {std::min(least.x, p.x - radius), std::min(least.y, p.y - radius),
             std::min(least.z, p.z - radius)};
    most = {std::max(most.x, p.x + radius), std::max(most.y, p.y + radius),
            std::max(most.z, p.z + radius)};
  });
  if (least.x <= most.x) {
    center_ = 0.5F * (least + most);
    bounding_radius_ = std::max(1e-30F, 0.505F * length(most - least));
  }
  constexpr float texels_a_radius = 5;
  const float wanted =
      2 * bounding_radius_ / median_radius(bodies, bounding_radius_ / 40) * texels_a_radius;
  map_size_ = static_cast<std::size_t>(std::clamp(wanted, 256.0F, 1024.0F));
  texels_per_length_ = static_cast<float>(map_size_) / (2 * bounding_radius_);
}

// From below comes less than from above, as it does over a bright ground.
void AmbientLight::choose_directions(const Camera& camera) {
  lamp_direction_ = normalized(camera.toward + Float3{0, 0, 0.9F} - 0.55F * camera.right);
  const auto add = [&](const Float3& to, const Color& light, bool of_lamp) {
    const Float3 across =
        normalized(cross_product(std::abs(to.z) < 0.9F ? Float3{0, 0, 1} : Float3{1, 0, 0}, to));
    directions_.push_back({to, across, cross_product(to, across), light, of_lamp});
  };
  for (int i = 0; i < ambient_directions; ++i) {
    const float z = 1 - (2 * static_cast<float>(i) + 1) / ambient_directions;
    const float flat = std::sqrt(1 - z * z);
    const float angle = golden_angle * static_cast<float>(i);
    const float bright = 4.0F / ambient_directions * (0.46F + 0.16F * z);
    add({flat * std::cos(angle), flat * std::sin(angle), z}, bright * Color{0.97F, 1.0F, 1.05F},
        false);
  }
  const Float3 side = normalized(cross_product(lamp_direction_, {0.3F, 0.2F, 0.9F}));
  const Float3 other = cross_product(lamp_direction_, side);
  for (int i = 0; i < lamp_directions; ++i) {
    constexpr float wide = 0.16F;
    const float away = wide * std::sqrt((static_cast<float>(i) + 0.5F) / lamp_directions);
    const float angle = golden_angle * static_cast<float>(i);
    add(normalized(lamp_direction_ + away * std::cos(angle) * side +
                   away * std::sin(angle) * other),
        0.80F / lamp_directions * Color{1.04F, 1.0F, 0.95F}, true);
  }
}

void AmbientLight::draw_depth_map(const Primitives& bodies, LightDirection& direction) const {
  direction.depth_map.assign(map_size_ * map_size_, 0);
  for (const std::uint32_t i : sorted_from_light(direction, bodies.spheres)) {
    const SpherePrimitive& ball = bodies.spheres[i];
    if (!is_occluded(direction, ball)) draw_sphere(direction, ball.center, ball.radius);
  }
  for (const CapsulePrimitive& rod : bodies.capsules) {    // as a row of balls,
    if (rod.radius * texels_per_length_ < 0.6F) continue;  // unless it is too thin to cast a shadow
    const Float3 way = rod.ends[1] - rod.ends[0];
    const int steps = static_cast<int>(std::min(64.0F, length(way) / rod.radius)) + 1;
    for (int i = 0; i <= steps; ++i)
      draw_sphere(direction,
                  rod.ends[0] + (static_cast<float>(i) / static_cast<float>(steps)) * way,
                  rod.radius);
  }
  for (const TrianglePrimitive& triangle : bodies.triangles) draw_triangle(direction, triangle);
}

/// Those nearer to the light first, sorted as finely as it takes to leave out the hidden ones.
std::vector<std::uint32_t> AmbientLight::sorted_from_light(
    const LightDirection& direction, const std::vector<SpherePrimitive>& balls) const {
  constexpr std::size_t slices = 1024;
  const auto slice_of = [&](const SpherePrimitive& ball) {
    const float part =
        0.5F - 0.5F * dot(ball.center - center_, direction.toward_light) / bounding_radius_;
    return static_cast<std::size_t>(std::clamp(part, 0.0F, 1.0F) * (slices - 1));
  };
  std::vector<std::uint32_t> next(slices + 1, 0);
  for (const SpherePrimitive& ball : balls) ++next[slice_of(ball) + 1];
  for (std::size_t i = 0; i < slices; ++i) next[i + 1] += next[i];
  std::vector<std::uint32_t> order(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i)
    order[next[slice_of(balls[i])]++] = static_cast<std::uint32_t>(i);
  return order;
}

/// Whether its middle and four spots of its rim are behind others: what light gets past these to
/// the rest of it nobody would see.
bool AmbientLight::is_occluded(const LightDirection& direction, const SpherePrimitive& ball) const {
  const Float3 middle = to_map(direction, ball.center);
  const auto top = static_cast<std::int32_t>((max_depth - 1) *
                                             (middle.z + 0.5F * ball.radius / bounding_radius_)) +
                   1;
  const auto covers = [&](float dx, float dy) {
    const auto x = static_cast<std::size_t>(
        std::clamp(middle.x + dx, 0.0F, static_cast<float>(map_size_ - 1)));
    const auto y = static_cast<std::size_t>(
        std::clamp(middle.y + dy, 0.0F, static_cast<float>(map_size_ - 1)));
    return direction.depth_map[y * map_size_ + x] >= top;
  };
  const float rim = 0.7F * ball.radius * texels_per_length_;
  return covers(0, 0) && covers(-rim, -rim) && covers(rim, -rim) && covers(-rim, rim) &&
         covers(rim, rim);
}

void AmbientLight::draw_sphere(LightDirection& direction, const Float3& at, float radius) const {
  const Float3 middle = to_map(direction, at);
  const float r = radius * texels_per_length_;
  const auto most = static_cast<float>(map_size_ - 1);
  const auto texel = [&](float x) {
    return static_cast<std::ptrdiff_t>(std::clamp(std::ceil(x - 0.5F), 0.0F, most));
  };
  const float depth = (max_depth - 1) * middle.z + 1;
  const float rise = (max_depth - 1) * 0.5F / (bounding_radius_ * texels_per_length_);
  for (std::ptrdiff_t y = texel(middle.y - r); y <= texel(middle.y + r - 1); ++y) {
    const float dy = static_cast<float>(y) + 0.5F - middle.y;
    const float rest = r * r - dy * dy;
    if (rest <= 0) continue;
    const float half = std::sqrt(rest);
    std::uint16_t* const row = &direction.depth_map[static_cast<std::size_t>(y) * map_size_];
    const std::ptrdiff_t end = texel(middle.x + half);
    for (std::ptrdiff_t x = texel(middle.x - half); x < end; ++x) {
      const float dx = static_cast<float>(x) + 0.5F - middle.x;
      const float height = std::sqrt(std::max(0.0F, rest - dx * dx));
      const auto value = static_cast<std::int32_t>(depth + rise * height);
      row[x] = static_cast<std::uint16_t>(
          std::max<std::int32_t>(row[x], std::clamp<std::int32_t>(value, 1, 65534)));
    }
  }
}

void AmbientLight::draw_triangle(LightDirection& direction,
                                 const TrianglePrimitive& triangle) const {
  const Float3 a = to_map(direction, triangle.vertices[0]);
  const Float3 b = to_map(direction, triangle.vertices[1]);
  const Float3 c = to_map(direction, triangle.vertices[2]);
  const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (std::abs(area) < 1e-6F) return;
  const auto most = static_cast<float>(map_size_);
  const auto texel = [&](float x) {
    return static_cast<std::size_t>(std::clamp(std::ceil(x - 0.5F), 0.0F, most));
  };
  for (std::size_t y = texel(std::min({a.y, b.y, c.y})); y < texel(std::max({a.y, b.y, c.y})); ++y)
    for (std::size_t x = texel(std::min({a.x, b.x, c.x})); x < texel(std::max({a.x, b.x, c.x}));
         ++x) {
      const float px = static_cast<float>(x) + 0.5F;
      const float py = static_cast<float>(y) + 0.5F;
      const float u = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area;
      const float v = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
      if (u < 0 || v < 0 || u + v > 1) continue;
      std::uint16_t& here = direction.depth_map[y * map_size_ + x];
      here = std::max(here, quantize_depth(a.z + u * (b.z - a.z) + v * (c.z - a.z)));
    }
}

// A place is looked up a little above its surface, so that it does not lie in its own shadow.
AmbientLight::Illumination AmbientLight::illumination(const Float3& place,
                                                      const Float3& normal) const {
  const Float3 above = place + (1.6F / texels_per_length_) * normal;
  const float slack = (max_depth - 1) * 0.5F / (bounding_radius_ * texels_per_length_);
  Illumination light;
  for (const LightDirection& direction : directions_) {
    const float facing = dot(direction.toward_light, normal);
    if (facing <= 0) continue;
    const Float3 at = to_map(direction, above);
    const auto x = static_cast<std::ptrdiff_t>(at.x);
    const auto y = static_cast<std::ptrdiff_t>(at.y);
    const auto size = static_cast<std::ptrdiff_t>(map_size_);
    if (x >= 0 && y >= 0 && x < size && y < size) {
      const auto nearest = static_cast<float>(
          direction
              .depth_map[static_cast<std::size_t>(y) * map_size_ + static_cast<std::size_t>(x)]);
      if (nearest > (max_depth - 1) * at.z + 1 + slack) continue;
    }
    light.total = light.total + facing * direction.light;
    if (direction.is_lamp) light.lamp_fraction += 1.0F / lamp_directions;
  }
  return light;
}

}  // namespace abut
