#include "release/region_shape.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>

#include "core/ball_volume.hpp"
#include "core/message.hpp"
#include "core/survey.hpp"

namespace abut {
namespace {

void check_radius(std::string_view what, double radius) {
  if (!(radius > 0 && std::isfinite(radius)))
    throw Error(message("region: a ", what, " of radius ", radius, "; it must be above 0"));
}

template <std::size_t D>
double squared_distance(const Point<D>& one, const Point<D>& other) {
  double squares = 0;
  for (std::size_t k = 0; k < D; ++k) squares += (one[k] - other[k]) * (one[k] - other[k]);
  return squares;
}

template <std::size_t D>
bool holds(const Box<D>& box, const Point<D>& centre, double radius,
           const std::array<bool, D>& open) {
  for (std::size_t k = 0; k < D; ++k) {
    const double room = open[k] ? 0 : radius;
    if (!(centre[k] - room >= box.min[k] && centre[k] + room <= box.max[k])) return false;
  }
  return true;
}

template <std::size_t D>
bool holds(const Ball<D>& ball, const Point<D>& centre, double radius) {
  const double room = ball.radius - radius;
  return room >= 0 && squared_distance<D>(centre, ball.centre) <= room * room;
}

// How far along the axis, as a part of it, and how far from it.
bool holds(const Barrel& barrel, const Point<3>& centre, double radius) {
  const double length = std::sqrt(squared_distance<3>(barrel.from, barrel.to));
  double along = 0;
  for (std::size_t k = 0; k < 3; ++k)
    along += (centre[k] - barrel.from[k]) * (barrel.to[k] - barrel.from[k]) / length;
  const double room = barrel.radius - radius;
  const double squares = squared_distance<3>(centre, barrel.from) - along * along;
  return along >= radius && along <= length - radius && room >= 0 && squares <= room * room;
}

}  // namespace

template <std::size_t D>
void RegionShape<D>::measure(const Box<D>& box) {
  volume_ = 1;
  for (std::size_t k = 0; k < D; ++k) {
    if (!(std::isfinite(box.min[k]) && std::isfinite(box.max[k]) && box.min[k] < box.max[k]))
      throw Error(message("region: a box with ", axis_names[k], " from ", box.min[k], " to ",
                          box.max[k], "; it needs two finite numbers, the smaller first"));
    volume_ *= box.max[k] - box.min[k];
  }
  box_ = box;
}

template <std::size_t D>
void RegionShape<D>::measure(const Ball<D>& ball) {
  check_radius(D == 2 ? "disc" : "sphere", ball.radius);
  for (std::size_t k = 0; k < D; ++k) {
    box_.min[k] = ball.centre[k] - ball.radius;
    box_.max[k] = ball.centre[k] + ball.radius;
  }
  volume_ = ball_volume<D>(ball.radius);
}

template <std::size_t D>
void RegionShape<D>::measure(const Barrel& barrel) requires(D == 3) {
  check_radius("cylinder", barrel.radius);
  const double length = std::sqrt(squared_distance<3>(barrel.from, barrel.to));
  if (!(length > 0 && std::isfinite(length)))
    throw Error("region: a cylinder needs two ends that are apart");
  for (std::size_t k = 0; k < 3; ++k) {
    const double lean = (barrel.to[k] - barrel.from[k]) / length;
    const double beside = barrel.radius * std::sqrt(std::max(0.0, 1 - lean * lean));
    box_.min[k] = std::min(barrel.from[k], barrel.to[k]) - beside;
    box_.max[k] = std::max(barrel.from[k], barrel.to[k]) + beside;
  }
  volume_ = ball_volume<2>(barrel.radius) * length;
}

template <std::size_t D>
void RegionShape<D>::measure(const Inside<D>& inside) {
  interior_.emplace(inside.mesh);
  shell_.emplace();
  shell_->add(inside.mesh);
  box_ = interior_->box();
  volume_ = interior_->volume();
}

template <std::size_t D>
RegionShape<D>::RegionShape(const Region<D>& region) : region_(region) {
  std::visit([&](const auto& shape) { measure(shape); }, region_);
}

template <std::size_t D>
bool RegionShape<D>::holds(const Point<D>& centre, double radius,
                           const std::array<bool, D>& open) const {
  return std::visit(
      [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, Box<D>>)
          return abut::holds<D>(shape, centre, radius, open);
        else if constexpr (std::is_same_v<Shape, Inside<D>>)
          return interior_->contains(centre) && shell_->overlap(centre, radius) <= 0;
        else
          return abut::holds(shape, centre, radius);
      },
      region_);
}

template <std::size_t D>
Box<D> box_around(const Region<D>& region) {
  return RegionShape<D>(region).box();
}

template class RegionShape<2>;
template class RegionShape<3>;
template Box<2> box_around<2>(const Region<2>&);
template Box<3> box_around<3>(const Region<3>&);

}  // namespace abut
