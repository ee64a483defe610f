#include "walls/periodic_shifts.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/input_checks.hpp"
#include "core/message.hpp"

namespace abut {

template <std::size_t D>
PeriodicShifts<D>::PeriodicShifts(const WallOptions<D>& options) {
  for (std::size_t k = 0; k < D; ++k)
    if (options.periodic[k] && !options.domain)
      throw Error(message("periodic along ", axis_names[k],
                          ": needs a domain, whose extent is the period"));
  period_ = PeriodicDomain<D>(options.domain, options.periodic);
}

template <std::size_t D>
double PeriodicShifts<D>::wrap(std::size_t axis, double x) const {
  if (!period_.is_periodic[axis]) return x;
  const std::int32_t offset = period_.wrap_offset(axis, x);
  if (std::abs(offset) >= PeriodicDomain<D>::offset_limit)
    throw Error(message("particle with ", axis_names[axis], " = ", x,
                        ": must be within 1e9 periods of the domain"));
  return period_.shifted(axis, x, offset);
}

template <std::size_t D>
std::vector<double> PeriodicShifts<D>::shifts_along(std::size_t axis, const Box<D>& box,
                                                    double cutoff, std::size_t wall) const {
  if (!period_.is_periodic[axis]) return {0};
  if (!std::isfinite(box.max[axis])) return {0};  // infinite, and invariant under the shift
  constexpr double max_periods = 1000;
  const double period = period_.length[axis];
  const double low = period_.origin[axis];
  const double margin = cutoff + 1e-9 * period;
  const double first = std::ceil((box.min[axis] - margin - low) / period - 1);
  const double last = std::floor((box.max[axis] + margin - low) / period);
  if (!(last - first < max_periods))
    throw Error(message("wall ", wall, ": extends over more than ", max_periods, " periods along ",
                        axis_names[axis]));
  std::vector<double> shifts;
  for (double n = first; n <= last; ++n) shifts.push_back(n * period);
  return shifts;
}

template <std::size_t D>
void PeriodicShifts<D>::reject_oblique_plane(const PlacedBody<D>& body, const Box<D>& box,
                                             std::size_t wall) const {
  for (std::size_t k = 0; k < D; ++k)
    if (period_.is_periodic[k] && !std::isfinite(box.max[k]) &&
        !body.body->is_invariant_along(k, body.transform))
      throw Error(message("wall ", wall, ": infinite plane is oblique to the periodic ",
                          axis_names[k], " axis; it must be parallel or normal to it"));
}

template <std::size_t D>
std::vector<Point<D>> PeriodicShifts<D>::shifts(const PlacedBody<D>& body, double cutoff,
                                                std::size_t wall) const {
  const Box<D> box = body.body->bounding_box(body.transform);
  reject_oblique_plane(body, box, wall);
  std::vector<Point<D>> all{Point<D>{}};
  for (std::size_t k = 0; k < D; ++k) {
    std::vector<Point<D>> extended;
    for (const double shift : shifts_along(k, box, cutoff, wall))
      for (Point<D> point : all) {
        point[k] = shift;
        extended.push_back(point);
      }
    all.swap(extended);
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const Point<D>& shift) { return shift == Point<D>{}; });
  return all;
}

template class PeriodicShifts<2>;
template class PeriodicShifts<3>;

}  // namespace abut
