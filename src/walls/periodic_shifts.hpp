#pragma once

#include <abut/walls.hpp>
#include <vector>

#include "core/periodic_domain.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// Periodic axes of a wall search: wraps particles into the domain, and determines the shifts by
/// whole periods that bring them close to a body.
template <std::size_t D>
class PeriodicShifts {
 public:
  /// Throws `Error` if an axis is periodic and there is no domain.
  explicit PeriodicShifts(const WallOptions<D>& options);

  [[nodiscard]] bool is_periodic() const { return period_.any_periodic(); }

  /// The coordinate wrapped into the domain if the axis is periodic. Throws `Error` if it is more
  /// than 1e9 periods away.
  [[nodiscard]] double wrap(std::size_t axis, double x) const;

  /// The shifts that can bring a particle of the domain within the cutoff of the bounding box of a
  /// body; the zero shift comes first if it is among them. Throws `Error`, with the index of the
  /// wall, if there are too many, or for an infinite plane that is oblique to a periodic axis.
  [[nodiscard]] std::vector<Point<D>> shifts(const PlacedBody<D>& body, double cutoff,
                                             std::size_t wall) const;

 private:
  void reject_oblique_plane(const PlacedBody<D>& body, const Box<D>& box, std::size_t wall) const;
  [[nodiscard]] std::vector<double> shifts_along(std::size_t axis, const Box<D>& box, double cutoff,
                                                 std::size_t wall) const;

  PeriodicDomain<D> period_;
};

extern template class PeriodicShifts<2>;
extern template class PeriodicShifts<3>;

}  // namespace abut
