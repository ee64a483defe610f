#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "render/geometry.hpp"
#include "render/scene.hpp"

namespace abut {

/// The light that comes to a place from a bright sky and from a lamp as wide as the sun behind thin
/// clouds, without what bodies keep away: so many directions, and for each a map of what is nearest
/// to the light. Corners between balls are dark, shadows have soft edges.
class AmbientLight {
 public:
  AmbientLight(const Primitives& bodies, const Camera& camera, ThreadPool& pool);

  struct Illumination {
    Color total;              ///< of sky and lamp
    float lamp_fraction = 0;  ///< the part of the lamp that is seen, 0 … 1
  };
  [[nodiscard]] Illumination illumination(const Float3& place, const Float3& normal) const;

  [[nodiscard]] const Float3& lamp_direction() const { return lamp_direction_; }

 private:
  struct LightDirection {
    Float3 toward_light;  ///< where the light comes from
    Float3 map_x;         ///< the axes of its map
    Float3 map_y;
    Color light;
    bool is_lamp;
    std::vector<std::uint16_t> depth_map{};  ///< by texel; 0: nothing
  };

  void choose_directions(const Camera& camera);
  void fit_depth_maps(const Primitives& bodies);
  void draw_depth_map(const Primitives& bodies, LightDirection& direction) const;
  [[nodiscard]] std::vector<std::uint32_t> sorted_from_light(
      const LightDirection& direction, const std::vector<SpherePrimitive>& balls) const;
  [[nodiscard]] bool is_occluded(const LightDirection& direction,
                                 const SpherePrimitive& ball) const;
  void draw_sphere(LightDirection& direction, const Float3& at, float radius) const;
  void draw_triangle(LightDirection& direction, const TrianglePrimitive& triangle) const;
  /// In texels; the depth from 0, farthest from the light, to 1.
  [[nodiscard]] Float3 to_map(const LightDirection& direction, const Float3& place) const {
    const Float3 p = place - center_;
    const float half = static_cast<float>(map_size_) / 2;
    return {half + texels_per_length_ * dot(p, direction.map_x),
            half + texels_per_length_ * dot(p, direction.map_y),
            0.5F + 0.5F * dot(p, direction.toward_light) / bounding_radius_};
  }

  std::vector<LightDirection> directions_;
  Float3 lamp_direction_{};
  Float3 center_{};
  float bounding_radius_ = 1;    ///< of all bodies from there
  std::size_t map_size_ = 0;     ///< texels along a side of a map
  float texels_per_length_ = 1;  ///< a length
};

}  // namespace abut
