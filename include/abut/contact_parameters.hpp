#pragma once

#include <cstdint>
#include <optional>

/// Contact laws and their parameters.

namespace abut {

/// A parameter that may be left out; its description states what applies then.
using OptionalNumber = std::optional<double>;

// The table of contact laws. Everything else follows from it: the enumeration and the structure
// below, the keys of case files and their checks, the constants and the order of evaluation in the
// kernels, `abut laws`, and the table in docs/simulation.md.
//
//   LAW(name, Type)       a normal contact law; Type is defined in src/dem/laws
//   CONTRIBUTION(Type)    added to the normal law, in this order; defined in src/dem/laws
//   PARAMETER(type, name, default, unit, range, laws, description)
//                         of a pair of materials. `name` is also the key in case files. `range` is
//                         a value of `ParameterRange` in src/dem/contact_coefficients.hpp. `laws`:
//                         names of the normal laws that use the parameter, or "all".
//
// clang-format off
#define ABUT_CONTACT_LAWS(LAW, CONTRIBUTION, PARAMETER)                                                          \
  LAW(hooke, Hooke)                                                                                              \
  LAW(hertz, Hertz)                                                                                              \
  PARAMETER(double,         stiffness,                  0,     "N/m",   positive,     "hooke", "normal stiffness k") \
  PARAMETER(OptionalNumber, restitution,                {},    "",      zero_to_one,  "all",   "ratio of separation to approach speed; alternative to `damping` and `damping_rate`") \
  PARAMETER(OptionalNumber, damping,                    {},    "N s/m", not_negative, "hooke", "c, constant") \
  PARAMETER(OptionalNumber, damping_rate,               {},    "1/s",   not_negative, "hooke", "c/m, with the reduced mass m") \
  PARAMETER(bool,           limit_damping,              false, "",      any,          "all",   "true: damping cannot make the normal force attractive") \
  CONTRIBUTION(Friction)                                                                                         \
  PARAMETER(double,         friction,                   0,     "",      not_negative, "all",   "Coulomb coefficient µ") \
  PARAMETER(OptionalNumber, tangential_stiffness_ratio, {},    "",      positive,     "hooke", "k_t/k; 2/7 unless given") \
  PARAMETER(double,         tangential_damping_ratio,   0.5,   "",      not_negative, "all",   "c_t/c") \
  CONTRIBUTION(RollingResistance)                                                                                \
  PARAMETER(double,         rolling_friction,           0,     "",      not_negative, "all",   "µ_r: torque ≤ µ_r R F_n with the reduced radius R") \
  CONTRIBUTION(Cohesion)                                                                                         \
  PARAMETER(double,         cohesion_force,             0,     "N",     not_negative, "hooke", "F_c: attraction k·gap ≤ F_c while separating")
// clang-format on

#define ABUT_NOTHING(...)
#define ABUT_LAW_NAME(name, Type) name,
/// Normal contact law: `hooke` is a linear spring with dashpot, `hertz` is Hertz's law for elastic
/// spheres with Mindlin's tangential stiffness.
enum class ContactLaw : std::uint8_t {
  ABUT_CONTACT_LAWS(ABUT_LAW_NAME, ABUT_NOTHING, ABUT_NOTHING)
};
#undef ABUT_LAW_NAME

#define ABUT_FIELD(type, name, value, unit, range, laws, description) type name = value;
/// Contact parameters of a pair of materials; the fields are the parameters of the table above.
/// With the overlap δ, the approach speed v and the reduced mass m, the normal force of Hooke's law
/// is F = k δ + c v; c follows from at most one of `restitution`, `damping` and `damping_rate`.
/// Without any of them the contact is elastic.
struct ContactParameters {
  ABUT_CONTACT_LAWS(ABUT_NOTHING, ABUT_NOTHING, ABUT_FIELD)
};
#undef ABUT_FIELD
#undef ABUT_NOTHING

}  // namespace abut
