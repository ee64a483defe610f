#include "validation/closed_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ball_volume.hpp"
#include "core/vec.hpp"

namespace abut {

double ClosedForm::deviation() const { return std::abs(measured / expected - 1); }

void put(Simulation3& run, const Point<3>& centre, double radius, const Point<3>& velocity,
         const Point<3>& spin) {
  const std::array<double, 4> ball{centre[0], centre[1], centre[2], radius};
  const std::span all(ball);
  run.add({.places = {all.subspan(0, 1), all.subspan(1, 1), all.subspan(2, 1), all.subspan(3, 1)},
           .velocity = {velocity},
           .spin = {spin}});
}

double density_of(double mass, double radius) { return mass / ball_volume<3>(radius); }

ImpactSeen watch_impact(Simulation3& run, std::size_t every) {
  const double began = run.time();
  ImpactSeen seen;
  for (int looks = 0; looks < 1'000'000; ++looks) {
    run.advance(every);
    const auto contacts = run.contacts();
    if (contacts.empty()) break;
    seen.time = run.time() - began;
    seen.overlap = std::max(seen.overlap, contacts[0].overlap);
    seen.force = std::max(seen.force, length(contacts[0].force));
  }
  return seen;
}

}  // namespace abut
