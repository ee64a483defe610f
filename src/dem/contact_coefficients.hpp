#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace abut {

/// Values that a contact parameter may have.
enum class ParameterRange : std::uint8_t { any, positive, not_negative, zero_to_one };

/// A contact parameter, as declared in abut/contact_parameters.hpp.
struct ContactParameter {
  std::variant<double ContactParameters::*, OptionalNumber ContactParameters::*,
               bool ContactParameters::*>
      field;
  std::string_view name;
  std::string_view default_text;  ///< "required"; empty if there is none
  std::string_view unit;
  ParameterRange range;
  std::string_view laws;  ///< names of the normal laws that use it, separated by commas; or "all"
  std::string_view description;
};

/// All parameters, in the order of the fields of `ContactParameters`.
std::span<const ContactParameter> contact_parameters();

/// The values in words: "positive"; empty for any value.
std::string_view text_of(ParameterRange range);

/// Name of a contact law or contribution, and its force in words and symbols.
struct ContactLawInfo {
  std::string_view title;
  std::string_view force;
};

/// A normal contact law.
struct NormalLawInfo {
  std::string_view name;    ///< in case files
  std::string_view author;  ///< whose law it is
  ContactLaw law;
  ContactLawInfo info;
};

std::span<const NormalLawInfo> normal_laws();
std::span<const ContactLawInfo> contact_contributions();

/// Coefficients of the contact law of two materials: those of the normal law, then those of each
/// contribution; see `Coefficients` in the files of dem/laws.
using ContactCoefficients = std::span<const double>;

/// The coefficients of all pairs of materials, as a square table.
struct CoefficientTable {
  std::size_t material_count = 0;
  std::size_t row_size = 0;               ///< number of coefficients of a pair
  std::vector<double> values;             ///< rows of all pairs
  std::vector<std::uint8_t> is_given;     ///< of each pair: it has contact parameters
  std::vector<std::uint8_t> any_nonzero;  ///< of each coefficient: that of some pair is not 0
  double range = 0;                       ///< largest gap (m) across which a force acts
  bool has_friction = false;              ///< some pair has sliding or rolling friction
  bool has_rolling = false;               ///< some pair has rolling friction

  /// Position of the coefficients of a and b in `values`.
  [[nodiscard]] std::int64_t offset(std::size_t a, std::size_t b) const {
    return static_cast<std::int64_t>(row_size * (a * material_count + b));
  }

  [[nodiscard]] ContactCoefficients between(std::size_t a, std::size_t b) const {
    return {&values[row_size * (a * material_count + b)], row_size};
  }

  [[nodiscard]] bool has_parameters(std::size_t a, std::size_t b) const {
    return is_given[a * material_count + b] != 0;
  }
};

/// Computes the coefficients; those of pairs without contact parameters are 0. Throws `Error`
/// naming the invalid material or parameter; its details have the parameter as key.
CoefficientTable coefficient_table(ContactLaw law, const std::vector<Material>& materials,
                                   const std::vector<MaterialPair>& contact_parameters);

/// Elastic energy (J) of an overlap (m) of two spheres. `radius` (m) is their reduced radius.
double overlap_energy(ContactLaw law, ContactCoefficients coefficients, double radius,
                      double overlap);

/// A body in contact. Walls and fixed particles keep the defaults.
struct ContactBody {
  double mass = std::numeric_limits<double>::infinity();     ///< kg
  double inertia = std::numeric_limits<double>::infinity();  ///< about its center, kg m²
  double radius = std::numeric_limits<double>::infinity();   ///< m
};

/// Largest stable time steps in s; infinite if there is no bound.
struct TimeStepLimits {
  double complete = std::numeric_limits<double>::infinity();
  double normal = std::numeric_limits<double>::infinity();  ///< of normal forces alone; 0.6 of it
                                                            ///< with `predictor_corrector`
};

/// Limits of two bodies in contact, without other contacts. If the stiffness depends on the
/// overlap, that at 5 % of the reduced radius counts for `complete`, and `normal` has no bound.
TimeStepLimits contact_time_step(ContactLaw law, Integrator integrator,
                                 ContactCoefficients coefficients, const ContactBody& a,
                                 const ContactBody& b);

/// Limit (s) of a particle of the given radius (m); infinite if the law has none.
double particle_time_step(ContactLaw law, Integrator integrator, const Material& material,
                          double radius);

/// The default time step (s): a fraction of the limit of normal forces, 0.1 with Hooke's and 0.2
/// with Hertz's law, but at most twice this fraction of the complete limit.
double default_time_step(ContactLaw law, const TimeStepLimits& limits);

// ---- for the law files

/// Damping ratio ζ = c / (2 √(k m)) of a spring and dashpot with the given coefficient of
/// restitution. With `limit_damping` the contact ends when the force vanishes, so the same
/// restitution requires a larger ζ.
double damping_ratio(double restitution, bool limit_damping);

/// The smallest normal force (N) during contact: 0 with `limit_damping`, else −∞.
double min_normal_force(const ContactParameters& given);

/// "contact of glass and steel".
std::string contact_name(const Material& a, const Material& b);

/// Throws an `Error` "subject: key = value: reason", with key and value as its details.
[[noreturn]] void reject_parameter(const std::string& subject, std::string_view key, double value,
                                   std::string_view reason);

}  // namespace abut
