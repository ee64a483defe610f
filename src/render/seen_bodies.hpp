#pragma once

#include <optional>
#include <vector>

#include "render/camera.hpp"
#include "render/solids.hpp"

namespace abut {

/// Where a ray meets a body: how near, and what way the surface faces there, as the camera sees it.
struct RayHit {
  float z = 0;
  Float3 normal;
};

/// Bodies as the camera sees them, nearest first, and which of them a square of pixels may show.
class SeenBodies {
 public:
  static constexpr std::size_t tile = 32;  ///< pixels along a side

  SeenBodies(const Solids& bodies, const Camera& camera, std::size_t width, std::size_t height);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  struct Extent {
    float left, right, top, bottom;
    float nearest;
  };
  struct Range {
    const std::uint32_t* first;
    const std::uint32_t* last;
    [[nodiscard]] const std::uint32_t* begin() const { return first; }
    [[nodiscard]] const std::uint32_t* end() const { return last; }
  };
  /// Of a tile, nearest first.
  [[nodiscard]] Range of(std::size_t number) const {
    return {order_.data() + begins_[number], order_.data() + begins_[number + 1]};
  }

  [[nodiscard]] const Extent& extent(std::uint32_t body) const { return extents_[body]; }
  /// What the ray through a spot meets of a body, if anything.
  [[nodiscard]] std::optional<RayHit> hit(std::uint32_t body, float x, float y) const;
  /// How near it is there; a large negative number where the ray passes it by.
  [[nodiscard]] float depth(std::uint32_t body, float x, float y) const;
  [[nodiscard]] const Colour& colour(std::uint32_t body) const;

 private:
  void take_extents();
  void sort_into_tiles();
  [[nodiscard]] static std::optional<RayHit> hit_rod(const SolidRod& rod, float x, float y);

  std::vector<SolidBall> balls_;
  std::vector<SolidRod> rods_;
  std::vector<SolidTriangle> triangles_;
  std::vector<Extent> extents_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> order_;
};

}  // namespace abut
