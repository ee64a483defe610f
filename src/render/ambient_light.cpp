#include "render/ambient_light.hpp"

#include <algorithm>
#include <limits>

namespace abut {
namespace {

constexpr int ambient_directions = 72;
constexpr int lamp_directions = 20;
constexpr float golden_angle = 2.39996323F;  // radians; spreads directions without alignment

// Depths are stored in 16 bits: 1 is farthest from the light, 0 means no surface.
constexpr float max_depth = 65534;

std::uint16_t quantize_depth(float fraction) {
  return static_cast<std::uint16_t>(1 + std::clamp(fraction, 0.0F, 1.0F) * (max_depth - 1));
}

float median_radius(const Primitives& primitives, float fallback) {
  std::vector<float> radii;
  for (const SpherePrimitive& sphere : primitives.spheres) radii.push_back(sphere.radius);
  if (radii.empty()) return fallback;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle;
}

template <class Visit>
void for_each_bounding_sphere(const Primitives& primitives, const Visit& visit) {
  for (const SpherePrimitive& sphere : primitives.spheres) visit(sphere.center, sphere.radius);
  for (const CapsulePrimitive& capsule : primitives.capsules)
    for (const Float3& end : capsule.ends) visit(end, capsule.radius);
  for (const TrianglePrimitive& triangle : primitives.triangles)
    for (const Float3& vertex : triangle.vertices) visit(vertex, 0.0F);
}

}  // namespace

AmbientLight::AmbientLight(const Primitives& primitives, const Camera& camera, ThreadPool& pool) {
  fit_depth_maps(primitives);
  choose_directions(camera);
  pool.run(directions_.size(),
           [&](std::size_t i, unsigned) { draw_depth_map(primitives, directions_[i]); });
}

void AmbientLight::fit_depth_maps(const Primitives& primitives) {
  constexpr float far = std::numeric_limits<float>::max();
  Float3 min{far, far, far};
  Float3 max{-far, -far, -far};
  for_each_bounding_sphere(primitives, [&](const Float3& p, float radius) {
    min = {std::min(min.x, p.x - radius), std::min(min.y, p.y - radius),
           std::min(min.z, p.z - radius)};
    max = {std::max(max.x, p.x + radius), std::max(max.y, p.y + radius),
           std::max(max.z, p.z + radius)};
  });
  if (min.x <= max.x) {
    center_ = 0.5F * (min + max);
    bounding_radius_ = std::max(1e-30F, 0.505F * length(max - min));
  }
  constexpr float texels_per_radius = 5;
  const float required =
      2 * bounding_radius_ / median_radius(primitives, bounding_radius_ / 40) * texels_per_radius;
  map_size_ = static_cast<std::size_t>(std::clamp(required, 256.0F, 1024.0F));
  texels_per_length_ = static_cast<float>(map_size_) / (2 * bounding_radius_);
}

// The sky is brighter from above than from below, as over bright ground.
void AmbientLight::choose_directions(const Camera& camera) {
  lamp_direction_ = normalized(camera.toward + Float3{0, 0, 0.9F} - 0.55F * camera.right);
  const auto add = [&](const Float3& toward, const Color& light, bool is_lamp) {
    const Float3 map_x = normalized(
        cross_product(std::abs(toward.z) < 0.9F ? Float3{0, 0, 1} : Float3{1, 0, 0}, toward));
    directions_.push_back({toward, map_x, cross_product(toward, map_x), light, is_lamp});
  };
  for (int i = 0; i < ambient_directions; ++i) {
    const float z = 1 - (2 * static_cast<float>(i) + 1) / ambient_directions;
    const float horizontal = std::sqrt(1 - z * z);
    const float angle = golden_angle * static_cast<float>(i);
    const float brightness = 4.0F / ambient_directions * (0.46F + 0.16F * z);
    add({horizontal * std::cos(angle), horizontal * std::sin(angle), z},
        brightness * Color{0.97F, 1.0F, 1.05F}, false);
  }
  const Float3 side = normalized(cross_product(lamp_direction_, {0.3F, 0.2F, 0.9F}));
  const Float3 other_side = cross_product(lamp_direction_, side);
  for (int i = 0; i < lamp_directions; ++i) {
    constexpr float lamp_radius = 0.16F;  // of a disk at unit distance
    const float offset = lamp_radius * std::sqrt((static_cast<float>(i) + 0.5F) / lamp_directions);
    const float angle = golden_angle * static_cast<float>(i);
    add(normalized(lamp_direction_ + offset * std::cos(angle) * side +
                   offset * std::sin(angle) * other_side),
        0.80F / lamp_directions * Color{1.04F, 1.0F, 0.95F}, true);
  }
}

void AmbientLight::draw_depth_map(const Primitives& primitives, LightDirection& direction) const {
  direction.depth_map.assign(map_size_ * map_size_, 0);
  for (const std::uint32_t i : sorted_from_light(direction, primitives.spheres)) {
    const SpherePrimitive& sphere = primitives.spheres[i];
    if (!is_occluded(direction, sphere)) draw_sphere(direction, sphere.center, sphere.radius);
  }
  // A capsule is drawn as a row of spheres, unless it is too thin to cast a visible shadow.
  for (const CapsulePrimitive& capsule : primitives.capsules) {
    if (capsule.radius * texels_per_length_ < 0.6F) continue;
    const Float3 span = capsule.ends[1] - capsule.ends[0];
    const int steps = static_cast<int>(std::min(64.0F, length(span) / capsule.radius)) + 1;
    for (int i = 0; i <= steps; ++i)
      draw_sphere(direction,
                  capsule.ends[0] + (static_cast<float>(i) / static_cast<float>(steps)) * span,
                  capsule.radius);
  }
  for (const TrianglePrimitive& triangle : primitives.triangles) draw_triangle(direction, triangle);
}

/// Indices of spheres, those nearer to the light first: a counting sort into 1024 slices, which is
/// accurate enough to find most occluded spheres.
std::vector<std::uint32_t> AmbientLight::sorted_from_light(
    const LightDirection& direction, const std::vector<SpherePrimitive>& spheres) const {
  constexpr std::size_t slices = 1024;
  const auto slice_of = [&](const SpherePrimitive& sphere) {
    const float fraction =
        0.5F - 0.5F * dot(sphere.center - center_, direction.toward_light) / bounding_radius_;
    return static_cast<std::size_t>(std::clamp(fraction, 0.0F, 1.0F) * (slices - 1));
  };
  std::vector<std::uint32_t> next(slices + 1, 0);
  for (const SpherePrimitive& sphere : spheres) ++next[slice_of(sphere) + 1];
  for (std::size_t i = 0; i < slices; ++i) next[i + 1] += next[i];
  std::vector<std::uint32_t> order(spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i)
    order[next[slice_of(spheres[i])]++] = static_cast<std::uint32_t>(i);
  return order;
}

/// Whether the center and four points near the rim of a sphere lie behind drawn surfaces. The light
/// that reaches the rest of it is negligible.
bool AmbientLight::is_occluded(const LightDirection& direction,
                               const SpherePrimitive& sphere) const {
  const Float3 middle = to_map(direction, sphere.center);
  const auto top = static_cast<std::int32_t>((max_depth - 1) *
                                             (middle.z + 0.5F * sphere.radius / bounding_radius_)) +
                   1;
  const auto is_covered = [&](float dx, float dy) {
    const auto x = static_cast<std::size_t>(
        std::clamp(middle.x + dx, 0.0F, static_cast<float>(map_size_ - 1)));
    const auto y = static_cast<std::size_t>(
        std::clamp(middle.y + dy, 0.0F, static_cast<float>(map_size_ - 1)));
    return direction.depth_map[y * map_size_ + x] >= top;
  };
  const float rim = 0.7F * sphere.radius * texels_per_length_;
  return is_covered(0, 0) && is_covered(-rim, -rim) && is_covered(rim, -rim) &&
         is_covered(-rim, rim) && is_covered(rim, rim);
}

void AmbientLight::draw_sphere(LightDirection& direction, const Float3& center,
                               float radius) const {
  const Float3 middle = to_map(direction, center);
  const float r = radius * texels_per_length_;
  const auto max_texel = static_cast<float>(map_size_ - 1);
  const auto texel = [&](float x) {
    return static_cast<std::ptrdiff_t>(std::clamp(std::ceil(x - 0.5F), 0.0F, max_texel));
  };
  const float depth = (max_depth - 1) * middle.z + 1;
  const float depth_per_texel = (max_depth - 1) * 0.5F / (bounding_radius_ * texels_per_length_);
  for (std::ptrdiff_t y = texel(middle.y - r); y <= texel(middle.y + r - 1); ++y) {
    const float dy = static_cast<float>(y) + 0.5F - middle.y;
    const float square = r * r - dy * dy;
    if (square <= 0) continue;
    const float half_width = std::sqrt(square);
    std::uint16_t* const row = &direction.depth_map[static_cast<std::size_t>(y) * map_size_];
    const std::ptrdiff_t end = texel(middle.x + half_width);
    for (std::ptrdiff_t x = texel(middle.x - half_width); x < end; ++x) {
      const float dx = static_cast<float>(x) + 0.5F - middle.x;
      const float height = std::sqrt(std::max(0.0F, square - dx * dx));
      const auto value = static_cast<std::int32_t>(depth + depth_per_texel * height);
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
  const auto max_texel = static_cast<float>(map_size_);
  const auto texel = [&](float x) {
    return static_cast<std::size_t>(std::clamp(std::ceil(x - 0.5F), 0.0F, max_texel));
  };
  for (std::size_t y = texel(std::min({a.y, b.y, c.y})); y < texel(std::max({a.y, b.y, c.y})); ++y)
    for (std::size_t x = texel(std::min({a.x, b.x, c.x})); x < texel(std::max({a.x, b.x, c.x}));
         ++x) {
      const float px = static_cast<float>(x) + 0.5F;
      const float py = static_cast<float>(y) + 0.5F;
      const float u = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area;
      const float v = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
      if (u < 0 || v < 0 || u + v > 1) continue;
      std::uint16_t& nearest = direction.depth_map[y * map_size_ + x];
      nearest = std::max(nearest, quantize_depth(a.z + u * (b.z - a.z) + v * (c.z - a.z)));
    }
}

// The point is offset along the normal, so that the surface does not shadow itself.
AmbientLight::Illumination AmbientLight::illumination(const Float3& point,
                                                      const Float3& normal) const {
  const Float3 offset_point = point + (1.6F / texels_per_length_) * normal;
  const float slack = (max_depth - 1) * 0.5F / (bounding_radius_ * texels_per_length_);
  Illumination light;
  for (const LightDirection& direction : directions_) {
    const float cosine = dot(direction.toward_light, normal);
    if (cosine <= 0) continue;
    const Float3 texel = to_map(direction, offset_point);
    const auto x = static_cast<std::ptrdiff_t>(texel.x);
    const auto y = static_cast<std::ptrdiff_t>(texel.y);
    const auto size = static_cast<std::ptrdiff_t>(map_size_);
    if (x >= 0 && y >= 0 && x < size && y < size) {
      const auto nearest = static_cast<float>(
          direction
              .depth_map[static_cast<std::size_t>(y) * map_size_ + static_cast<std::size_t>(x)]);
      if (nearest > (max_depth - 1) * texel.z + 1 + slack) continue;
    }
    light.total = light.total + cosine * direction.light;
    if (direction.is_lamp) light.lamp_fraction += 1.0F / lamp_directions;
  }
  return light;
}

}  // namespace abut
