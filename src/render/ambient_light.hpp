#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.hpp"
#include "render/geometry.hpp"
#include "render/scene.hpp"

namespace abut {

/// Illumination by an ambient sky and an extended lamp, with ambient occlusion and soft shadows.
/// Light comes from a fixed set of directions; for each, a depth map (shadow map) stores the
/// surface nearest to the light. Only opaque bodies cast shadows.
class AmbientLight {
 public:
  /// Draws the depth maps, in parallel. `primitives` is not kept.
  AmbientLight(const Primitives& primitives, const Camera& camera, ThreadPool& pool);

  struct Illumination {
    Color total;              ///< linear, of sky and lamp
    float lamp_fraction = 0;  ///< the visible fraction of the lamp, 0 … 1
  };
  /// At a point of a surface with a unit normal, both in world coordinates.
  [[nodiscard]] Illumination illumination(const Float3& point, const Float3& normal) const;

  /// Unit vector toward the lamp.
  [[nodiscard]] const Float3& lamp_direction() const { return lamp_direction_; }

 private:
  struct LightDirection {
    Float3 toward_light;  ///< unit vector
    Float3 map_x;         ///< axes of the depth map, unit vectors
    Float3 map_y;
    Color light;  ///< linear
    bool is_lamp;
    std::vector<std::uint16_t> depth_map{};  ///< by texel; 0: no surface
  };

  void choose_directions(const Camera& camera);
  void fit_depth_maps(const Primitives& primitives);
  void draw_depth_map(const Primitives& primitives, LightDirection& direction) const;
  [[nodiscard]] std::vector<std::uint32_t> sorted_from_light(
      const LightDirection& direction, const std::vector<SpherePrimitive>& spheres) const;
  [[nodiscard]] bool is_occluded(const LightDirection& direction,
                                 const SpherePrimitive& sphere) const;
  void draw_sphere(LightDirection& direction, const Float3& center, float radius) const;
  void draw_triangle(LightDirection& direction, const TrianglePrimitive& triangle) const;
  /// From world to map coordinates: x and y in texels, depth from 0 (farthest from the light) to 1.
  [[nodiscard]] Float3 to_map(const LightDirection& direction, const Float3& point) const {
    const Float3 p = point - center_;
    const float half = static_cast<float>(map_size_) / 2;
    return {half + texels_per_length_ * dot(p, direction.map_x),
            half + texels_per_length_ * dot(p, direction.map_y),
            0.5F + 0.5F * dot(p, direction.toward_light) / bounding_radius_};
  }

  std::vector<LightDirection> directions_;
  Float3 lamp_direction_{};
  Float3 center_{};  ///< of the bounding sphere of all primitives
  float bounding_radius_ = 1;
  std::size_t map_size_ = 0;  ///< texels along a side of a depth map
  float texels_per_length_ = 1;
};

}  // namespace abut
