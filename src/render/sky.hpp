#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "render/camera.hpp"
#include "render/solids.hpp"

namespace abut {

/// The light that comes to a place from a bright sky and from a lamp as wide as the sun behind thin
/// clouds, without what bodies keep away: so many directions, and for each a map of what is nearest
/// to the light. Corners between balls are dark, shadows have soft edges.
class Sky {
 public:
  Sky(const Solids& bodies, const Camera& camera, ThreadPool& pool);

  struct Light {
    Colour all;      ///< of sky and lamp
    float lamp = 0;  ///< the part of the lamp that is seen, 0 … 1
  };
  [[nodiscard]] Light at(const Float3& place, const Float3& normal) const;

  [[nodiscard]] const Float3& lamp() const { return lamp_; }

 private:
  struct Direction {
    Float3 to;      ///< where the light comes from
    Float3 across;  ///< the axes of its map
    Float3 along;
    Colour light;
    bool of_lamp;
    std::vector<std::uint16_t> nearest{};  ///< by texel; 0: nothing
  };

  void choose_directions(const Camera& camera);
  void measure(const Solids& bodies);
  void draw(const Solids& bodies, Direction& direction) const;
  [[nodiscard]] std::vector<std::uint32_t> from_the_light(
      const Direction& direction, const std::vector<SolidBall>& balls) const;
  [[nodiscard]] bool is_hidden(const Direction& direction, const SolidBall& ball) const;
  void draw_ball(Direction& direction, const Float3& at, float radius) const;
  void draw_triangle(Direction& direction, const SolidTriangle& triangle) const;
  /// In texels; the depth from 0, farthest from the light, to 1.
  [[nodiscard]] Float3 mapped(const Direction& direction, const Float3& place) const {
    const Float3 p = place - centre_;
    const float half = static_cast<float>(size_) / 2;
    return {half + texels_ * dot(p, direction.across), half + texels_ * dot(p, direction.along),
            0.5F + 0.5F * dot(p, direction.to) / reach_};
  }

  std::vector<Direction> directions_;
  Float3 lamp_{};
  Float3 centre_{};
  float reach_ = 1;       ///< of all bodies from there
  std::size_t size_ = 0;  ///< texels along a side of a map
  float texels_ = 1;      ///< a length
};

}  // namespace abut
