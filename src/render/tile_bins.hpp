#pragma once

#include <optional>
#include <vector>

#include "render/geometry.hpp"
#include "render/scene.hpp"

namespace abut {

/// Where a ray meets a body: how near, and what way the surface faces there, as the camera sees it.
struct RayHit {
  float z = 0;
  Float3 normal;
};

/// Bodies as the camera sees them, nearest first, and which of them a square of pixels may show.
class TileBins {
 public:
  static constexpr std::size_t tile_size = 32;  ///< pixels along a side

  TileBins(const Primitives& bodies, const Camera& camera, std::size_t width, std::size_t height);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  struct ScreenExtent {
    float left, right, top, bottom;
    float nearest;
  };
  struct BodyRange {
    const std::uint32_t* first;
    const std::uint32_t* last;
    [[nodiscard]] const std::uint32_t* begin() const { return first; }
    [[nodiscard]] const std::uint32_t* end() const { return last; }
  };
  /// Of a tile, nearest first.
  [[nodiscard]] BodyRange bodies_in(std::size_t number) const {
    return {tile_bodies_.data() + tile_offsets_[number],
            tile_bodies_.data() + tile_offsets_[number + 1]};
  }

  [[nodiscard]] const ScreenExtent& extent(std::uint32_t body) const { return extents_[body]; }
  /// What the ray through a spot meets of a body, if anything.
  [[nodiscard]] std::optional<RayHit> hit(std::uint32_t body, float x, float y) const;
  /// How near it is there; a large negative number where the ray passes it by.
  [[nodiscard]] float depth(std::uint32_t body, float x, float y) const;
  [[nodiscard]] const Color& color(std::uint32_t body) const;

 private:
  void compute_extents();
  void bin_into_tiles();
  [[nodiscard]] static std::optional<RayHit> hit_capsule(const CapsulePrimitive& rod, float x,
                                                         float y);

  std::vector<SpherePrimitive> spheres_;
  std::vector<CapsulePrimitive> capsules_;
  std::vector<TrianglePrimitive> triangles_;
  std::vector<ScreenExtent> extents_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<std::size_t> tile_offsets_;
  std::vector<std::uint32_t> tile_bodies_;
};

}  // namespace abut
