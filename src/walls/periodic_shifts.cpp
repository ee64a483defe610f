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
      throw Error(message("the ", axis_names[k], " axis is periodic, but there is no domain; its ",
                          "extent is the period"));
  period_ = PeriodicDomain<D>(options.domain, options.periodic);
}

template <std::size_t D>
double PeriodicShifts<D>::wrap(std::size_t axis, double x) const {
  if (!period_.is_periodic[axis]) return x;
  const std::int32_t back = period_.wrap_offset(axis, x);
  if (std::abs(back) >= PeriodicDomain<D>::offset_limit)
    throw Error(message("a particle with ", axis_names[axis], " = ", x,
                        ": more than 1e9 periods away from the domain"));
  return period_.shifted(axis, x, back);
}

template <std::size_t D>
std::vector<double> PeriodicShifts<D>::shifts_along(std::size_t axis, const Box<D>& box,
                                                    double cutoff, std::size_t body) const {
  if (!period_.is_periodic[axis]) return {0};
  if (!std::isfinite(box.max[axis])) return {0};  // an endless body that moving does not change
  constexpr double most = 1000;
  const double period = period_.length[axis];
  const double low = period_.origin[axis];
  const double wide = cutoff + 1e-9 * period;
  const double first = std::ceil((box.min[axis] - wide - low) / period - 1);
  const double last = std::floor((box.max[axis] + wide - low) / period);
  if (!(last - first < most))
    throw Error(message("body ", body, " and the particles cutoff over more than ", most,
                        " periods along ", axis_names[axis]));
  std::vector<double> shifts;
  for (double period_number = first; period_number <= last; ++period_number)
    shifts.push_back(period_number * period);
  return shifts;
}

template <std::size_t D>
void PeriodicShifts<D>::reject_oblique_plane(const PlacedBody<D>& body, const Box<D>& box,
                                             std::size_t number) const {
  for (std::size_t k = 0; k < D; ++k)
    if (period_.is_periodic[k] && !std::isfinite(box.max[k]) &&
        !body.body->is_invariant_along(k, body.transform))
      throw Error(message("body ", number, " is an endless plane oblique to the periodic ",
                          axis_names[k], " axis; it cannot repeat"));
}

template <std::size_t D>
std::vector<Point<D>> PeriodicShifts<D>::shifts(const PlacedBody<D>& body, double cutoff,
                                                std::size_t number) const {
  const Box<D> box = body.body->bounding_box(body.transform);
  reject_oblique_plane(body, box, number);
  std::vector<Point<D>> all{Point<D>{}};
  for (std::size_t k = 0; k < D; ++k) {
    std::vector<Point<D>> more;
    for (const double shift : shifts_along(k, box, cutoff, number))
      for (Point<D> so_far : all) {
        so_far[k] = shift;
        more.push_back(so_far);
      }
    all.swap(more);
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const Point<D>& shift) { return shift == Point<D>{}; });
  return all;
}

template class PeriodicShifts<2>;
template class PeriodicShifts<3>;

}  // namespace abut
