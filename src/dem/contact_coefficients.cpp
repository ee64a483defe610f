#include "dem/contact_coefficients.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/message.hpp"
#include "core/portable_math.hpp"

namespace abut {
namespace {

using std::numbers::pi;

// Coefficient of restitution of a spring and dashpot with damping ratio ζ if the contact ends when
// the force vanishes: Schwager and Pöschel, Granular Matter 9 (2007) 465.
double restitution_without_tension(double ratio) {
  if (ratio < 1) {
    const double omega = std::sqrt(1 - ratio * ratio);
    const double angle =
        pi - portable_math::atan2(2 * ratio * omega, omega * omega - ratio * ratio);
    return portable_math::exp(-ratio / omega * angle);
  }
  if (ratio == 1) return portable_math::exp(-2.0);
  const double rate = std::sqrt(ratio * ratio - 1);
  return portable_math::exp(-ratio / rate * portable_math::log((ratio + rate) / (ratio - rate)));
}

// Inverts `restitution_without_tension` by bisection.
double damping_ratio_without_tension(double restitution) {
  double low = 0;
  double high = 16;
  if (restitution < restitution_without_tension(high))
    throw Error(
        ErrorCode::invalid_argument, {.key = "restitution", .value = message(restitution)},
        message("must be at least ", std::ceil(restitution_without_tension(high) * 1e4) / 1e4,
                " with limit_damping; or set limit_damping = false"));
  while (true) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) return middle;
    (restitution_without_tension(middle) > restitution ? low : high) = middle;
  }
}

[[noreturn]] void reject(const std::string& subject, const char* key, double value,
                         const std::string& reason) {
  throw Error(message(subject, ": ", key, " = ", value, ": ", reason), ErrorCode::invalid_argument,
              {.key = key, .value = message(value)});
}

void check(bool is_valid, const std::string& subject, const char* key, double value,
           const char* requirement) {
  if (!is_valid || !std::isfinite(value))
    reject(subject, key, value, message("must be ", requirement));
}

void check(const ContactParameters& given, const std::string& subject) {
  if (given.restitution)
    check(*given.restitution >= 0 && *given.restitution <= 1, subject, "restitution",
          *given.restitution, "from 0 to 1");
  if (given.damping) check(*given.damping >= 0, subject, "damping", *given.damping, "at least 0");
  if (given.damping_rate)
    check(*given.damping_rate >= 0, subject, "damping_rate", *given.damping_rate, "at least 0");
  check(given.friction >= 0, subject, "friction", given.friction, "at least 0");
  if (given.tangential_stiffness_ratio)
    check(*given.tangential_stiffness_ratio > 0, subject, "tangential_stiffness_ratio",
          *given.tangential_stiffness_ratio, "positive");
  check(given.tangential_damping_ratio >= 0, subject, "tangential_damping_ratio",
        given.tangential_damping_ratio, "at least 0");
  check(given.rolling_friction >= 0, subject, "rolling_friction", given.rolling_friction,
        "at least 0");
  check(given.cohesion_force >= 0, subject, "cohesion_force", given.cohesion_force, "at least 0");
  const auto dampings = {given.restitution.has_value(), given.damping.has_value(),
                         given.damping_rate.has_value()};
  if (std::count(dampings.begin(), dampings.end(), true) > 1)
    throw Error(subject + ": give only one of restitution, damping and damping_rate");
}

ContactCoefficients common_coefficients(const ContactParameters& given) {
  ContactCoefficients coefficients;
  coefficients.tangential_damping = given.tangential_damping_ratio;
  coefficients.friction = given.friction;
  coefficients.rolling_friction = given.rolling_friction;
  coefficients.min_normal_force =
      given.limit_damping ? 0 : -std::numeric_limits<double>::infinity();
  return coefficients;
}

ContactCoefficients hooke_coefficients(const ContactParameters& given, const std::string& subject) {
  check(given.stiffness > 0, subject, "stiffness", given.stiffness, "positive");
  ContactCoefficients coefficients = common_coefficients(given);
  coefficients.stiffness = given.stiffness;
  coefficients.tangential_stiffness =
      given.tangential_stiffness_ratio.value_or(2.0 / 7) * given.stiffness;
  coefficients.tangential_compliance = 1 / coefficients.tangential_stiffness;
  coefficients.damping = given.damping.value_or(0);
  coefficients.damping_rate = given.damping_rate.value_or(0);
  if (given.restitution)
    coefficients.damping_factor =
        2 * damping_ratio(*given.restitution, given.limit_damping) * std::sqrt(given.stiffness);
  coefficients.cohesion_range = given.cohesion_force / given.stiffness;
  return coefficients;
}

// With 1/E* = Σ (1 − ν²)/E and 1/G* = Σ 2 (2 − ν)(1 + ν)/E over both materials: k = 4/3 E* a and
// k_t = 8 G* a. A damping c = 2 √(5/6) ζ √(2 E* a m), which grows with the root of the stiffness,
// makes the restitution independent of the impact speed: Antypov and Elliott, Europhysics Letters
// 94 (2011) 50004. As a function of δ^(5/4) the motion is that of a linear spring and dashpot, also
// with `limit_damping`.
ContactCoefficients hertz_coefficients(const ContactParameters& given, const Material& a,
                                       const Material& b, const std::string& subject) {
  for (const Material* material : {&a, &b}) {
    check(material->young > 0, "material " + material->name, "young", material->young, "positive");
    check(material->poisson > -1 && material->poisson <= 0.5, "material " + material->name,
          "poisson", material->poisson, "greater than -1 and at most 0.5");
  }
  const auto reject_with_hertz = [&](const char* key, double value, const char* hint) {
    reject(subject, key, value, message("is not used by Hertz's law; ", hint));
  };
  if (given.damping) reject_with_hertz("damping", *given.damping, "give restitution instead");
  if (given.damping_rate)
    reject_with_hertz("damping_rate", *given.damping_rate, "give restitution instead");
  if (given.cohesion_force > 0)
    reject_with_hertz("cohesion_force", given.cohesion_force, "use Hooke's law");
  if (given.stiffness != 0)
    reject_with_hertz("stiffness", given.stiffness, "the stiffness follows from young and poisson");
  if (given.tangential_stiffness_ratio)
    reject_with_hertz("tangential_stiffness_ratio", *given.tangential_stiffness_ratio,
                      "Mindlin's stiffness follows from young and poisson");
  const auto compliance = [](const Material& m) { return (1 - m.poisson * m.poisson) / m.young; };
  const auto shear_compliance = [](const Material& m) {
    return 2 * (2 - m.poisson) * (1 + m.poisson) / m.young;
  };
  const double modulus = 1 / (compliance(a) + compliance(b));
  const double shear_modulus = 1 / (shear_compliance(a) + shear_compliance(b));
  ContactCoefficients coefficients = common_coefficients(given);
  coefficients.stiffness = 4.0 / 3 * modulus;
  coefficients.tangential_stiffness = 8 * shear_modulus;
  if (given.restitution)
    coefficients.damping_factor = 2 * std::sqrt(5.0 / 6) *
                                  damping_ratio(*given.restitution, given.limit_damping) *
                                  std::sqrt(2 * modulus);
  return coefficients;
}

}  // namespace

double damping_ratio(double restitution, bool limit_damping) {
  if (restitution == 1) return 0;
  if (limit_damping) return damping_ratio_without_tension(restitution);
  if (restitution == 0) return 1;
  const double log = portable_math::log(restitution);
  return -log / std::sqrt(pi * pi + log * log);
}

CoefficientTable coefficient_table(ContactLaw law, const std::vector<Material>& materials,
                                   const std::vector<MaterialPair>& contact_parameters) {
  const std::size_t count = materials.size();
  CoefficientTable table{count, {}};
  table.pairs.resize(count * count);
  for (const MaterialPair& pair : contact_parameters) {
    const std::size_t a = pair.a.value();
    const std::size_t b = pair.b.value();
    if (a >= count || b >= count)
      throw Error(message("contact parameters: material ", std::max(a, b),
                          " does not exist; there are ", count),
                  ErrorCode::out_of_range);
    const std::string subject =
        message("contact of ", materials[a].name, " and ", materials[b].name);
    check(pair.parameters, subject);
    const ContactCoefficients coefficients =
        law == ContactLaw::hooke
            ? hooke_coefficients(pair.parameters, subject)
            : hertz_coefficients(pair.parameters, materials[a], materials[b], subject);
    table.pairs[a * count + b] = coefficients;
    table.pairs[b * count + a] = coefficients;
  }
  return table;
}

double overlap_energy(ContactLaw law, const ContactCoefficients& coefficients, double radius,
                      double overlap) {
  if (overlap <= 0) return 0;
  if (law == ContactLaw::hooke) return coefficients.stiffness / 2 * overlap * overlap;
  return 2.0 / 5 * coefficients.stiffness * std::sqrt(radius * overlap) * overlap * overlap;
}

double critical_pair_time_step(const ContactCoefficients& coefficients, double reduced_mass) {
  const double critical = std::sqrt(coefficients.stiffness * reduced_mass);
  const double damping = coefficients.damping + coefficients.damping_rate * reduced_mass +
                         coefficients.damping_factor * std::sqrt(reduced_mass);
  const double ratio = damping / (2 * critical);
  // (2/ω) (√(1 + ζ²) − ζ), rearranged to avoid cancellation at large ζ.
  return 2 * reduced_mass / critical / (std::sqrt(1 + ratio * ratio) + ratio);
}

}  // namespace abut
