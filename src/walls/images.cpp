#include "walls/images.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "core/survey.hpp"

namespace abut {

template <std::size_t D>
Images<D>::Images(const WallOptions<D>& options) : periodic_(options.periodic) {
  for (std::size_t k = 0; k < D; ++k) {
    if (!periodic_[k]) continue;
    any_ = true;
    if (!options.domain)
      throw Error(message("the ", axis_names[k], " axis is periodic, but there is no domain; its ",
                          "extent is the period"));
  }
  if (options.domain) domain_ = *options.domain;
}

template <std::size_t D>
double Images<D>::wrapped(std::size_t axis, double x) const {
  if (!periodic_[axis] || (x >= domain_.min[axis] && x < domain_.max[axis])) return x;
  const double period = domain_.max[axis] - domain_.min[axis];
  return x - std::floor((x - domain_.min[axis]) / period) * period;
}

template <std::size_t D>
std::vector<double> Images<D>::shifts_along(std::size_t axis, const Box<D>& box, double reach,
                                            std::size_t body) const {
  if (!periodic_[axis]) return {0};
  if (!std::isfinite(box.max[axis])) return {0};  // an endless body that moving does not change
  constexpr double most = 1000;
  const double period = domain_.max[axis] - domain_.min[axis];
  const double wide = reach + 1e-9 * period;
  const double first = std::ceil((box.min[axis] - wide - domain_.max[axis]) / period);
  const double last = std::floor((box.max[axis] + wide - domain_.min[axis]) / period);
  if (!(last - first < most))
    throw Error(message("body ", body, " and the particles reach over more than ", most,
                        " periods along ", axis_names[axis]));
  std::vector<double> shifts;
  for (double period_number = first; period_number <= last; ++period_number)
    shifts.push_back(period_number * period);
  return shifts;
}

template <std::size_t D>
std::vector<Point<D>> Images<D>::shifts(const Box<D>& box, double reach, std::size_t body) const {
  std::vector<Point<D>> all{Point<D>{}};
  for (std::size_t k = 0; k < D; ++k) {
    std::vector<Point<D>> more;
    for (const double shift : shifts_along(k, box, reach, body))
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

template class Images<2>;
template class Images<3>;

}  // namespace abut
