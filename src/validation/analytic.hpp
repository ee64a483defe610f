#pragma once

#include <abut/simulation.hpp>
#include <string>
#include <vector>

namespace abut {

/// One quantity of the motion of one or two bodies: analytical and simulated value. SI units.
struct AnalyticCheck {
  std::string name;  ///< with the unit
  double expected;
  double measured;
  double tolerance;  ///< of the relative deviation

  /// Relative deviation |measured/expected − 1|.
  [[nodiscard]] double deviation() const;
};

/// Linear spring-dashpot contacts: contact time, restitution, overlap.
std::vector<AnalyticCheck> spring_checks();

/// Hertzian impacts: benchmarks 1, 2, 3 and 7 of Chung and Ooi.
std::vector<AnalyticCheck> hertz_checks();

/// Bouncing, sliding and rolling on a floor.
std::vector<AnalyticCheck> floor_checks();

/// Benchmark 4 of Chung and Ooi, an oblique impact on a plane. Velocities after the impact are
/// divided by the speed before it.
struct ObliqueImpact {
  double degrees;  ///< impact angle from the normal of the plane
  bool slides;     ///< the contact slides throughout, as the analytical solution assumes
  double tangential, expected_tangential;  ///< velocity parallel to the plane
  double surface, expected_surface;        ///< surface velocity: radius × angular velocity
};
std::vector<ObliqueImpact> oblique_impacts();

/// Adds one sphere to the simulation.
void add_sphere(Simulation3& simulation, const Point<3>& center, double radius,
                const Point<3>& velocity = {}, const Point<3>& angular_velocity = {});

/// The density (kg/m³) of a sphere with this mass and radius.
double density_of(double mass, double radius);

/// Contact time, maximum overlap and maximum force of an impact.
struct ImpactResult {
  double time = 0;     ///< s
  double overlap = 0;  ///< m
  double force = 0;    ///< N
};

/// Advances two bodies that are about to touch until they have separated, and samples the contact
/// every `sample_steps` steps.
ImpactResult simulate_impact(Simulation3& simulation, std::size_t sample_steps);

}  // namespace abut
