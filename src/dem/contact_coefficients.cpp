#include "dem/contact_coefficients.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/message.hpp"

namespace abut {
namespace {

using std::numbers::pi;

// What is left of the speed when a spring and dashpot that only push let go, see Schwager and
// Pöschel, Granular Matter 9 (2007) 465.
double restitution_without_tension(double ratio) {
  if (ratio < 1) {
    const double omega = std::sqrt(1 - ratio * ratio);
    const double angle = pi - std::atan2(2 * ratio * omega, omega * omega - ratio * ratio);
    return std::exp(-ratio / omega * angle);
  }
  if (ratio == 1) return std::exp(-2.0);
  const double rate = std::sqrt(ratio * ratio - 1);
  return std::exp(-ratio / rate * std::log((ratio + rate) / (ratio - rate)));
}

double damping_ratio_without_tension(double restitution) {
  double low = 0;
  double high = 16;
  if (restitution < restitution_without_tension(high))
    throw Error(message("restitution = ", restitution, " without tension: at least ",
                        std::ceil(restitution_without_tension(high) * 1e4) / 1e4,
                        ", or let the dashpot pull"));
  while (true) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) return middle;
    (restitution_without_tension(middle) > restitution ? low : high) = middle;
  }
}

void check(bool right, const std::string& between, const char* field, double value,
           const char* remedy) {
  if (!right || !std::isfinite(value))
    throw Error(message(between, ": ", field, " = ", value, ", must be ", remedy));
}

void check(const ContactParameters& given, const std::string& between) {
  if (given.restitution)
    check(*given.restitution >= 0 && *given.restitution <= 1, between, "restitution",
          *given.restitution, "from 0 to 1");
  if (given.damping) check(*given.damping >= 0, between, "damping", *given.damping, "at least 0");
  if (given.damping_rate)
    check(*given.damping_rate >= 0, between, "damping_rate", *given.damping_rate, "at least 0");
  check(given.friction >= 0, between, "friction", given.friction, "at least 0");
  if (given.tangential_stiffness_ratio)
    check(*given.tangential_stiffness_ratio > 0, between, "tangential_stiffness",
          *given.tangential_stiffness_ratio, "above 0");
  check(given.tangential_damping_ratio >= 0, between, "tangential_damping",
        given.tangential_damping_ratio, "at least 0");
  check(given.rolling_friction >= 0, between, "rolling_friction", given.rolling_friction,
        "at least 0");
  check(given.cohesion_force >= 0, between, "cohesion", given.cohesion_force, "at least 0");
  const auto dampings = {given.restitution.has_value(), given.damping.has_value(),
                         given.damping_rate.has_value()};
  if (std::count(dampings.begin(), dampings.end(), true) > 1)
    throw Error(between + ": give one of restitution, damping and damping_rate, not several");
}

ContactCoefficients common_coefficients(const ContactParameters& given) {
  ContactCoefficients constants;
  constants.tangential_damping = given.tangential_damping_ratio;
  constants.friction = given.friction;
  constants.rolling_friction = given.rolling_friction;
  constants.min_normal_force = given.limit_damping ? 0 : -std::numeric_limits<double>::infinity();
  return constants;
}

ContactCoefficients hooke_coefficients(const ContactParameters& given, const std::string& between) {
  check(given.stiffness > 0, between, "stiffness", given.stiffness, "above 0");
  ContactCoefficients constants = common_coefficients(given);
  constants.stiffness = given.stiffness;
  constants.tangential_stiffness =
      given.tangential_stiffness_ratio.value_or(2.0 / 7) * given.stiffness;
  constants.tangential_compliance = 1 / constants.tangential_stiffness;
  constants.damping = given.damping.value_or(0);
  constants.damping_rate = given.damping_rate.value_or(0);
  if (given.restitution)
    constants.damping_factor =
        2 * damping_ratio(*given.restitution, given.limit_damping) * std::sqrt(given.stiffness);
  constants.cohesion_range = given.cohesion_force / given.stiffness;
  return constants;
}

// Damping that grows with the root of the stiffness returns the same part of every speed; see
// Antypov and Elliott, Europhysics Letters 94 (2011) 50004. With δ^(5/4) in place of the overlap
// the speed obeys the equation of a spring and dashpot, also where it must not pull.
ContactCoefficients hertz_coefficients(const ContactParameters& given, const Material& a,
                                       const Material& b, const std::string& between) {
  for (const Material* material : {&a, &b}) {
    check(material->young > 0, "material " + material->name, "young", material->young, "above 0");
    check(material->poisson > -1 && material->poisson <= 0.5, "material " + material->name,
          "poisson", material->poisson, "above -1 and at most 0.5");
  }
  if (given.damping || given.damping_rate)
    throw Error(between + ": damping of Hertz's law is given by restitution");
  if (given.cohesion_force > 0) throw Error(between + ": cohesion belongs to Hooke's law");
  if (given.stiffness != 0)
    throw Error(message(between, ": stiffness = ", given.stiffness,
                        " belongs to Hooke's law; Hertz's follows from young and poisson"));
  if (given.tangential_stiffness_ratio)
    throw Error(message(between, ": tangential_stiffness = ", *given.tangential_stiffness_ratio,
                        " belongs to Hooke's law; Mindlin's follows from young and poisson"));
  const auto pliancy = [](const Material& m) { return (1 - m.poisson * m.poisson) / m.young; };
  const auto shear_pliancy = [](const Material& m) {
    return 2 * (2 - m.poisson) * (1 + m.poisson) / m.young;
  };
  const double modulus = 1 / (pliancy(a) + pliancy(b));
  const double shear_modulus = 1 / (shear_pliancy(a) + shear_pliancy(b));
  ContactCoefficients constants = common_coefficients(given);
  constants.stiffness = 4.0 / 3 * modulus;
  constants.tangential_stiffness = 8 * shear_modulus;
  if (given.restitution)
    constants.damping_factor = 2 * std::sqrt(5.0 / 6) *
                               damping_ratio(*given.restitution, given.limit_damping) *
                               std::sqrt(2 * modulus);
  return constants;
}

}  // namespace

double damping_ratio(double restitution, bool limit_damping) {
  if (restitution == 1) return 0;
  if (limit_damping) return damping_ratio_without_tension(restitution);
  if (restitution == 0) return 1;
  const double log = std::log(restitution);
  return -log / std::sqrt(pi * pi + log * log);
}

CoefficientTable coefficient_table(ContactLaw law, const std::vector<Material>& materials,
                                   const std::vector<MaterialPair>& interactions) {
  CoefficientTable table{materials.size(), {}};
  table.pairs.resize(materials.size() * materials.size());
  for (const auto& [a, b, given] : interactions) {
    if (a >= materials.size() || b >= materials.size())
      throw Error(
          message("an interaction of material ", std::max(a, b), ", of ", materials.size()));
    const std::string between =
        message("contact of ", materials[a].name, " and ", materials[b].name);
    check(given, between);
    const ContactCoefficients constants =
        law == ContactLaw::hooke ? hooke_coefficients(given, between)
                                 : hertz_coefficients(given, materials[a], materials[b], between);
    table.pairs[a * materials.size() + b] = constants;
    table.pairs[b * materials.size() + a] = constants;
  }
  return table;
}

double overlap_energy(ContactLaw law, const ContactCoefficients& constants, double radius,
                      double overlap) {
  if (overlap <= 0) return 0;
  if (law == ContactLaw::hooke) return constants.stiffness / 2 * overlap * overlap;
  return 2.0 / 5 * constants.stiffness * std::sqrt(radius * overlap) * overlap * overlap;
}

double critical_pair_time_step(const ContactCoefficients& constants, double reduced_mass) {
  const double critical = std::sqrt(constants.stiffness * reduced_mass);
  const double damping = constants.damping + constants.damping_rate * reduced_mass +
                         constants.damping_factor * std::sqrt(reduced_mass);
  const double ratio = damping / (2 * critical);
  // That is (2/ω)(√(1 + ζ²) − ζ), without the difference of two large numbers.
  return 2 * reduced_mass / critical / (std::sqrt(1 + ratio * ratio) + ratio);
}

}  // namespace abut
