#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace abut {

/// Coefficients of the contact law of two materials, computed once from `ContactParameters`. With
/// the overlap δ, the reduced mass m and the contact radius a = √(R δ), R the reduced radius:
///
///     Hooke:  k = stiffness,    k_t = tangential_stiffness,
///             c = damping + damping_rate m + damping_factor √m
///     Hertz:  k = stiffness a,  k_t = tangential_stiffness a,  c = damping_factor √(m a)
struct ContactCoefficients {
  double stiffness = 0;              ///< N/m (Hooke) or N/m² (Hertz)
  double tangential_stiffness = 0;   ///< likewise
  double damping = 0;                ///< kg/s
  double damping_rate = 0;           ///< 1/s
  double damping_factor = 0;         ///< see the equations for c
  double tangential_damping = 0;     ///< c_t/c
  double tangential_compliance = 0;  ///< Hooke's law: 1/k_t
  double friction = 0;               ///< µ
  double rolling_friction = 0;       ///< µ_r
  double cohesion_range = 0;         ///< largest gap across which cohesion acts, m
  double min_normal_force = 0;       ///< N; 0 with `limit_damping`, else −∞
};

/// The coefficients of all pairs of materials, as a square table.
struct CoefficientTable {
  std::size_t material_count = 0;
  std::vector<ContactCoefficients> pairs;

  [[nodiscard]] const ContactCoefficients& between(std::size_t a, std::size_t b) const {
    return pairs[a * material_count + b];
  }

  /// Position of the coefficients of a and b in the table, in doubles.
  [[nodiscard]] std::int64_t offset(std::size_t a, std::size_t b) const {
    constexpr std::size_t fields = sizeof(ContactCoefficients) / sizeof(double);
    return static_cast<std::int64_t>(fields * (a * material_count + b));
  }
};

/// Computes the coefficients; those of pairs without contact parameters are 0. Throws `Error`
/// naming the invalid material or parameter; its details have the parameter as key.
CoefficientTable coefficient_table(ContactLaw law, const std::vector<Material>& materials,
                                   const std::vector<MaterialPair>& contact_parameters);

/// Damping ratio ζ = c / (2 √(k m)) of a spring and dashpot with the given coefficient of
/// restitution. With `limit_damping` the contact ends when the force vanishes, so the same
/// restitution requires a larger ζ.
double damping_ratio(double restitution, bool limit_damping);

/// Elastic energy (J) of an overlap (m) of two spheres. `radius` (m) is their reduced radius.
double overlap_energy(ContactLaw law, const ContactCoefficients&, double radius, double overlap);

/// Critical time step (s) of two bodies with the given reduced mass (kg), for Hooke's law:
/// (2/ω) (√(1 + ζ²) − ζ) with ω = √(k/m).
double critical_pair_time_step(const ContactCoefficients&, double reduced_mass);

}  // namespace abut
