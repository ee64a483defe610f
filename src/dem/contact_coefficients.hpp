#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <vector>

namespace abut {

/// What the force between two materials is computed from. Hooke's law: stiffnesses are forces over
/// overlap. Hertz's law: they are to be multiplied by the radius of the contact area.
struct ContactCoefficients {
  double stiffness = 0;
  double tangential_stiffness = 0;
  double damping = 0;         ///< force over speed,
  double damping_rate = 0;    ///< the same for every unit of reduced mass,
  double damping_factor = 0;  ///< the same for the root of a unit of mass (Hertz: and of area)
  double tangential_damping = 0;
  double tangential_compliance = 0;  ///< Hooke's law: 1 over the tangential stiffness
  double friction = 0;
  double rolling_friction = 0;
  double cohesion_range = 0;    ///< of cohesion
  double min_normal_force = 0;  ///< −∞ where the dashpot may pull, else 0
};

/// The constants of every two materials, as a square table.
struct CoefficientTable {
  std::size_t material_count = 0;
  std::vector<ContactCoefficients> pairs;

  [[nodiscard]] const ContactCoefficients& between(std::size_t a, std::size_t b) const {
    return pairs[a * material_count + b];
  }
};

/// Throws `Error` naming the material or number that makes no sense, or what two materials lack.
CoefficientTable coefficient_table(ContactLaw law, const std::vector<Material>& materials,
                                   const std::vector<MaterialPair>& interactions);

/// The damping ratio that lets a spring and dashpot return `restitution` of the speed; where the
/// dashpot may not pull the contact ends sooner, and it takes more of it.
double damping_ratio(double restitution, bool limit_damping);

/// What an overlap of spheres of a reduced radius holds.
double overlap_energy(ContactLaw law, const ContactCoefficients&, double radius, double overlap);

/// The largest step two bodies of a reduced mass stand, joined by these constants.
double critical_pair_time_step(const ContactCoefficients&, double reduced_mass);

}  // namespace abut
