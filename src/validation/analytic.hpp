#pragma once

#include <abut/simulation.hpp>
#include <string>
#include <vector>

namespace abut {

/// One number of the motion of one or two bodies, by a formula and by the simulation.
struct AnalyticCheck {
  std::string name;
  double expected;
  double measured;
  double allowed;  ///< relative deviation

  [[nodiscard]] double deviation() const;
};

/// A spring and a dashpot: contact time, restitution, overlap.
std::vector<AnalyticCheck> spring_checks();

/// Elastic spheres after Hertz: benchmarks 1, 2, 3 and 7 of Chung and Ooi.
std::vector<AnalyticCheck> hertz_checks();

/// Bouncing, sliding and rolling on a floor.
std::vector<AnalyticCheck> floor_checks();

/// Benchmark 4 of Chung and Ooi, an oblique impact on a plane: after it, over the speed before.
struct ObliqueImpact {
  double degrees;  ///< from the normal of the plane
  bool slides;     ///< throughout, which is what the formulas hold for
  double tangential, expected_tangential;
  double surface, expected_surface;  ///< radius times spin
};
std::vector<ObliqueImpact> oblique_impacts();

/// Adds one ball.
void add_sphere(Simulation3& run, const Point<3>& centre, double radius,
                const Point<3>& velocity = {}, const Point<3>& spin = {});

/// The density that gives a ball of this radius this mass.
double density_of(double mass, double radius);

/// What was seen of an impact.
struct ImpactResult {
  double time = 0;
  double overlap = 0;
  double force = 0;
};

/// Watches balls that are about to touch until they no longer do.
ImpactResult simulate_impact(Simulation3& run, std::size_t every);

}  // namespace abut
