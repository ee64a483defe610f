#include <abut/blocks.hpp>

#include "core/vec.hpp"

namespace abut {
namespace {

double measure_of(const Polygon& part) { return part.area(); }
double measure_of(const Polyhedron& part) { return part.volume(); }

// What moving a body of this measure away from the centroid adds to its inertia (Steiner).
void add_moved(double measure, const Point<2>& away, double& inertia) {
  inertia += measure * dot(away, away);
}

void add_moved(double measure, const Point<3>& away, std::array<Point<3>, 3>& inertia) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      inertia[i][j] += measure * ((i == j ? dot(away, away) : 0) - away[i] * away[j]);
}

void add(double part, double& inertia) { inertia += part; }

void add(const std::array<Point<3>, 3>& part, std::array<Point<3>, 3>& inertia) {
  for (std::size_t i = 0; i < 3; ++i) inertia[i] = sum(inertia[i], part[i]);
}

}  // namespace

template <std::size_t D>
Bulk<D> bulk_of(std::span<const Convex<D>> parts) {
  Bulk<D> bulk;
  for (const Convex<D>& part : parts) bulk.measure += measure_of(part);
  for (const Convex<D>& part : parts)
    bulk.centroid = along(bulk.centroid, measure_of(part) / bulk.measure, part.centroid());
  for (const Convex<D>& part : parts) {
    add(part.inertia(), bulk.inertia);
    add_moved(measure_of(part), difference(part.centroid(), bulk.centroid), bulk.inertia);
  }
  return bulk;
}

template Bulk<2> bulk_of(std::span<const Polygon>);
template Bulk<3> bulk_of(std::span<const Polyhedron>);

}  // namespace abut
