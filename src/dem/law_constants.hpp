#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <vector>

namespace abut {

/// What the force between two materials is computed from. Hooke's law: stiffnesses are forces over
/// overlap. Hertz's law: they are to be multiplied by the radius of the contact area.
struct LawConstants {
  double stiffness = 0;
  double tangential_stiffness = 0;
  double damping = 0;         ///< force over speed,
  double damping_rate = 0;    ///< the same for every unit of reduced mass,
  double damping_factor = 0;  ///< the same for the root of a unit of mass (Hertz: and of area)
  double tangential_damping = 0;
  double give = 0;  ///< Hooke's law: 1 over the tangential stiffness
  double friction = 0;
  double rolling_friction = 0;
  double reach = 0;        ///< of cohesion
  double least_force = 0;  ///< −∞ where the dashpot may pull, else 0
};

/// The constants of every two materials, as a square table.
struct LawTable {
  std::size_t materials = 0;
  std::vector<LawConstants> pairs;

  [[nodiscard]] const LawConstants& between(std::size_t a, std::size_t b) const {
    return pairs[a * materials + b];
  }
};

/// Throws `Error` naming the material or number that makes no sense, or what two materials lack.
LawTable law_table(Law law, const std::vector<Material>& materials,
                   const std::vector<Between>& interactions);

/// The damping ratio that lets a spring and dashpot return `restitution` of the speed; where the
/// dashpot may not pull the contact ends sooner, and it takes more of it.
double damping_ratio(double restitution, bool tension);

/// What an overlap of spheres of a reduced radius holds.
double overlap_energy(Law law, const LawConstants&, double radius, double overlap);

/// The largest step two bodies of a reduced mass stand, joined by these constants.
double stable_step(const LawConstants&, double reduced_mass);

}  // namespace abut
