#pragma once

#include <abut/insertion.hpp>
#include <array>
#include <cstddef>
#include <optional>

namespace abut {

/// A region as a release needs it: a box around it, its volume, and whether it holds a particle.
template <std::size_t D>
class RegionShape {
 public:
  /// Throws `Error` for a region without inside.
  explicit RegionShape(const Region<D>& region);

  [[nodiscard]] const Box<D>& bounding_box() const { return box_; }
  [[nodiscard]] double volume() const { return volume_; }

  /// Whether a particle at this place is wholly inside. Along `open` axes only its center has to
  /// be: there the region goes on beyond a periodic face.
  [[nodiscard]] bool contains(const Point<D>& center, double radius,
                              const std::array<bool, D>& open) const;

 private:
  void initialize(const Box<D>& box);
  void initialize(const SphereRegion<D>& ball);
  void initialize(const CylinderRegion& barrel) requires(D == 3);
  void initialize(const MeshRegion<D>& inside);

  Region<D> region_;
  Box<D> box_{};
  double volume_ = 0;
  std::optional<MeshInterior<D>> mesh_interior_;  // of a mesh
  std::optional<Walls<D>> mesh_boundary_;
};

extern template class RegionShape<2>;
extern template class RegionShape<3>;

}  // namespace abut
