#pragma once

#include <abut/release.hpp>
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

  [[nodiscard]] const Box<D>& box() const { return box_; }
  [[nodiscard]] double volume() const { return volume_; }

  /// Whether a particle at this place is wholly inside. Along `open` axes only its centre has to
  /// be: there the region goes on beyond a periodic face.
  [[nodiscard]] bool holds(const Point<D>& centre, double radius,
                           const std::array<bool, D>& open) const;

 private:
  void measure(const Box<D>& box);
  void measure(const Ball<D>& ball);
  void measure(const Barrel& barrel) requires(D == 3);
  void measure(const Inside<D>& inside);

  Region<D> region_;
  Box<D> box_{};
  double volume_ = 0;
  std::optional<Interior<D>> interior_;  // of a mesh
  std::optional<Walls<D>> shell_;
};

extern template class RegionShape<2>;
extern template class RegionShape<3>;

}  // namespace abut
