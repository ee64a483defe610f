#include "dem/contact_coefficients.hpp"

#include <hwy/base.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "core/portable_math.hpp"

namespace abut {
namespace {

// The contact laws for single contacts in double precision.
// clang-format off
#include "dem/scalars.inl"
#include "dem/vector_lanes.inl"
#include "dem/contact_terms.inl"
#include "contact_law_files.inl"
#include "dem/contact_response.inl"
// clang-format on

using std::numbers::pi;

constexpr std::string_view default_text(std::string_view value, ParameterRange range) {
  if (value == "0" && range == ParameterRange::positive) return "required";
  return value == "{}" ? "" : value;
}

#define ABUT_NOTHING(...)
#define ABUT_PARAMETER(type, name, value, unit, range, laws, description) \
  ContactParameter{&ContactParameters::name,                              \
                   #name,                                                 \
                   default_text(#value, ParameterRange::range),           \
                   unit,                                                  \
                   ParameterRange::range,                                 \
                   laws,                                                  \
                   description},
constexpr std::array parameter_table{ABUT_CONTACT_LAWS(ABUT_NOTHING, ABUT_NOTHING, ABUT_PARAMETER)};

#define ABUT_NORMAL_LAW(name, Type) NormalLawInfo{#name, #Type, ContactLaw::name, Type::info},
constexpr std::array normal_law_table{
    ABUT_CONTACT_LAWS(ABUT_NORMAL_LAW, ABUT_NOTHING, ABUT_NOTHING)};

#define ABUT_CONTRIBUTION(Type) Type::info,
constexpr std::array contribution_table{
    ABUT_CONTACT_LAWS(ABUT_NOTHING, ABUT_CONTRIBUTION, ABUT_NOTHING)};
#undef ABUT_CONTRIBUTION
#undef ABUT_NORMAL_LAW
#undef ABUT_PARAMETER
#undef ABUT_NOTHING

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

bool is_in(ParameterRange range, double value) {
  switch (range) {
    case ParameterRange::positive:
      return value > 0;
    case ParameterRange::not_negative:
      return value >= 0;
    case ParameterRange::zero_to_one:
      return value >= 0 && value <= 1;
    case ParameterRange::any:
      break;
  }
  return true;
}

/// The value of a parameter as a number; none if it is an option that is not given.
OptionalNumber value_of(const ContactParameter& parameter, const ContactParameters& given) {
  return std::visit([&](const auto& field) -> OptionalNumber { return given.*field; },
                    parameter.field);
}

bool is_used_by(const ContactParameter& parameter, std::string_view law) {
  if (parameter.laws == "all") return true;
  for (std::string_view rest = parameter.laws; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (rest.substr(0, comma) == law) return true;
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return false;
}

/// Throws unless all values are in range and those that the law does not use are not given.
template <class Normal>
void check_parameters(ContactLaw law, const ContactParameters& given, const std::string& subject) {
  const NormalLawInfo& info = normal_law_table.at(static_cast<std::size_t>(law));
  for (const ContactParameter& parameter : parameter_table) {
    const OptionalNumber value = value_of(parameter, given);
    if (!is_used_by(parameter, info.name)) {
      if (value == value_of(parameter, {})) continue;
      const std::string_view hint = Normal::unused_hint(parameter.name);
      reject_parameter(
          subject, parameter.name, *value,
          message("is not used by ", info.author, "'s law", hint.empty() ? "" : "; ", hint));
    }
    if (value && (!is_in(parameter.range, *value) || !std::isfinite(*value)))
      reject_parameter(subject, parameter.name, *value,
                       message("must be ", text_of(parameter.range)));
  }
}

/// Appends the coefficients of a part.
template <class Coefficients>
void append(const Coefficients& coefficients, std::vector<double>& row) {
  const auto values =
      std::bit_cast<std::array<double, sizeof(Coefficients) / sizeof(double)>>(coefficients);
  row.insert(row.end(), values.begin(), values.end());
}

template <class Normal, class... Parts>
std::vector<double> row_of(const ContactParameters& given, const Material& a, const Material& b,
                           PartList<Parts...> /*contributions*/) {
  const auto normal = Normal::coefficients(given, a, b);
  const double constant_stiffness = Normal::is_proportional ? normal.stiffness : 0;
  std::vector<double> row;
  append(normal, row);
  (append(Parts::coefficients(given, constant_stiffness), row), ...);
  return row;
}

/// The coefficients of a part in a row of a table.
template <class Normal, class Part>
typename Part::template Coefficients<double> part_of(ContactCoefficients row) {
  return make_coefficients<double, Normal, Part>([&](std::size_t k) { return row[k]; });
}

/// Range and history of all contributions.
template <class Normal, class... Parts>
void summarize(CoefficientTable& table, PartList<Parts...> /*contributions*/) {
  table.any_nonzero.assign(table.row_size, 0);
  for (std::size_t k = 0; k < table.values.size(); ++k)
    if (table.values[k] != 0) table.any_nonzero[k % table.row_size] = 1;
  const auto any = any_nonzero<Normal>(table);
  const auto has = [&](auto part, History history) {
    using Part = typename decltype(part)::Type;
    return Part::history == history && Part::is_active(any.template of<Part>());
  };
  table.has_rolling = (... || has(TypeTag<Parts>(), History::rolling_spring));
  table.has_friction =
      table.has_rolling || (... || has(TypeTag<Parts>(), History::friction_spring));
  for (std::size_t pair = 0; pair < table.is_given.size(); ++pair) {
    const ContactCoefficients row(&table.values[pair * table.row_size], table.row_size);
    table.range = std::max({table.range, Parts::range(part_of<Normal, Parts>(row))...});
  }
}

/// Potential energy (J) of the normal forces of all contributions.
template <class Normal, class... Parts>
double contribution_energy(ContactCoefficients row, const ContactGeometry& contact,
                           PartList<Parts...> /*contributions*/) {
  const auto energy = [&](auto tag) {
    using Part = typename decltype(tag)::Type;
    if constexpr (Part::has_energy)
      return Part::energy(part_of<Normal, Part>(row), contact);
    else
      return 0.0;
  };
  return (0.0 + ... + energy(TypeTag<Parts>()));
}

// ---- stability

double reduced(double a, double b) { return std::isinf(b) ? a : 1 / (1 / a + 1 / b); }

struct SpringDashpot {
  double stiffness = 0;
  double damping = 0;

  /// A body of mass m is stable if this is at most 4 m: its positions are computed from the force
  /// of the spring at the current, and of the dashpot at the previous half step. With
  /// predictor-corrector it must be at most 2 m, as if all bodies had half their mass.
  [[nodiscard]] double stability_mass(double time_step) const {
    return time_step * (time_step * stiffness + 2 * damping);
  }
};

/// The largest stable time step: (2/ω) (√(1 + ζ²) − ζ) with ω = √(k/m) and ζ = c / (2 √(k m)).
double time_step_limit(const SpringDashpot& contact, double mass) {
  const double critical = std::sqrt(contact.stiffness * mass);
  const double ratio = contact.damping / (2 * critical);
  // Rearranged to avoid cancellation at large ζ.
  return 2 * mass / critical / (std::sqrt(1 + ratio * ratio) + ratio);
}

/// The same of sticking friction and rolling resistance. The tangential force accelerates the slip
/// by 1/m + R²/I of each body; the rolling torque accelerates the relative rotation by 1/I; each
/// also changes the rate of the other, by R/I, unless both bodies are equal.
double tangential_time_step(const SpringDashpot& friction, const SpringDashpot& rolling,
                            const ContactBody& a, const ContactBody& b) {
  const auto coupling = [](const ContactBody& body) {
    return std::isinf(body.mass) ? 0 : body.radius / body.inertia;
  };
  const auto slip = [&](const ContactBody& body) {
    return std::isinf(body.mass) ? 0 : 1 / body.mass + body.radius * coupling(body);
  };
  const double slip_mobility = slip(a) + slip(b);
  const double rolling_mobility = 1 / a.inertia + 1 / b.inertia;
  const double cross_mobility = coupling(a) - coupling(b);
  const auto is_stable = [&](double time_step) {
    const double friction_mass = friction.stability_mass(time_step);
    const double rolling_mass = rolling.stability_mass(time_step);
    const double mean = (friction_mass * slip_mobility + rolling_mass * rolling_mobility) / 2;
    const double difference = (friction_mass * slip_mobility - rolling_mass * rolling_mobility) / 2;
    return mean + std::sqrt(difference * difference +
                            friction_mass * rolling_mass * cross_mobility * cross_mobility) <=
           4;
  };
  double high = std::numeric_limits<double>::infinity();
  if (friction.stiffness > 0) high = time_step_limit(friction, 1 / slip_mobility);
  if (rolling.stiffness > 0) high = std::min(high, time_step_limit(rolling, 1 / rolling_mobility));
  if (!(friction.stiffness > 0 && rolling.stiffness > 0)) return high;
  for (double low = 0;;) {  // bisection
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) return low;
    (is_stable(middle) ? low : high) = middle;
  }
}

/// Spring and dashpot of the contributions with a history; 0 if they do not act.
template <History Kind, class Normal, class... Parts>
SpringDashpot contribution_spring(ContactCoefficients row, const ContactGeometry& contact,
                                  const Stiffness& stiffness, PartList<Parts...> /*parts*/) {
  SpringDashpot sum;
  const auto add = [&](auto tag) {
    using Part = typename decltype(tag)::Type;
    if constexpr (Part::history == Kind) {
      const SpringSlider slider = Part::slider(part_of<Normal, Part>(row), contact, stiffness, 1);
      if (slider.limit > 0) {
        sum.stiffness += slider.stiffness;
        sum.damping += slider.damping;
      }
    }
  };
  (add(TypeTag<Parts>()), ...);
  return sum;
}

constexpr double default_step_factor(Integrator integrator) {
  return integrator == Integrator::predictor_corrector ? 0.6 : 1;
}

template <class Normal>
TimeStepLimits contact_limits(Integrator integrator, ContactCoefficients row, const ContactBody& a,
                              const ContactBody& b) {
  constexpr double relative_overlap = 0.05;
  ContactGeometry contact{};
  contact.mass = reduced(a.mass, b.mass);
  contact.inertia = reduced(a.inertia, b.inertia);
  contact.radius = reduced(a.radius, b.radius);
  contact.overlap = relative_overlap * contact.radius;
  contact.touching = true;
  const auto all = make_coefficients<bool, Normal, Normal>([](std::size_t) { return true; });
  const Stiffness stiffness = Normal::stiffness(all, part_of<Normal, Normal>(row), contact);
  const SpringDashpot spring{Normal::tangent_stiffness * stiffness.normal, stiffness.damping};
  const double inertia_share = integrator == Integrator::predictor_corrector ? 0.5 : 1;
  const auto lightened = [&](const ContactBody& body) {
    return ContactBody{inertia_share * body.mass, inertia_share * body.inertia, body.radius};
  };
  const double tangential =
      tangential_time_step(contribution_spring<History::friction_spring, Normal>(
                               row, contact, stiffness, Contributions{}),
                           contribution_spring<History::rolling_spring, Normal>(
                               row, contact, stiffness, Contributions{}),
                           lightened(a), lightened(b));
  return {std::min(time_step_limit(spring, inertia_share * contact.mass), tangential),
          Normal::is_proportional
              ? default_step_factor(integrator) * time_step_limit(spring, contact.mass)
              : std::numeric_limits<double>::infinity()};
}

}  // namespace

std::span<const ContactParameter> contact_parameters() { return parameter_table; }
std::span<const NormalLawInfo> normal_laws() { return normal_law_table; }
std::span<const ContactLawInfo> contact_contributions() { return contribution_table; }

std::string_view text_of(ParameterRange range) {
  switch (range) {
    case ParameterRange::positive:
      return "positive";
    case ParameterRange::not_negative:
      return "at least 0";
    case ParameterRange::zero_to_one:
      return "from 0 to 1";
    case ParameterRange::any:
      break;
  }
  return "";
}

double damping_ratio(double restitution, bool limit_damping) {
  if (restitution == 1) return 0;
  if (limit_damping) return damping_ratio_without_tension(restitution);
  if (restitution == 0) return 1;
  const double log = portable_math::log(restitution);
  return -log / std::sqrt(pi * pi + log * log);
}

double min_normal_force(const ContactParameters& given) {
  return given.limit_damping ? 0 : -std::numeric_limits<double>::infinity();
}

std::string contact_name(const Material& a, const Material& b) {
  return message("contact of ", a.name, " and ", b.name);
}

void reject_parameter(const std::string& subject, std::string_view key, double value,
                      std::string_view reason) {
  throw Error(message(subject, ": ", key, " = ", value, ": ", reason), ErrorCode::invalid_argument,
              {.key = std::string(key), .value = message(value)});
}

CoefficientTable coefficient_table(ContactLaw law, const std::vector<Material>& materials,
                                   const std::vector<MaterialPair>& contact_parameters) {
  const std::size_t count = materials.size();
  return with_normal_law(law, [&](auto tag) {
    using Normal = typename decltype(tag)::Type;
    CoefficientTable table;
    table.material_count = count;
    table.row_size = row_size<Normal>;
    table.values.resize(count * count * table.row_size);
    table.is_given.resize(count * count);
    for (const MaterialPair& pair : contact_parameters) {
      const std::size_t a = pair.a.value();
      const std::size_t b = pair.b.value();
      if (a >= count || b >= count)
        throw Error(message("contact parameters: material ", std::max(a, b),
                            " does not exist; there are ", count),
                    ErrorCode::out_of_range);
      check_parameters<Normal>(law, pair.parameters, contact_name(materials[a], materials[b]));
      const std::vector<double> row =
          row_of<Normal>(pair.parameters, materials[a], materials[b], Contributions{});
      std::copy(row.begin(), row.end(), table.values.begin() + table.offset(a, b));
      std::copy(row.begin(), row.end(), table.values.begin() + table.offset(b, a));
      table.is_given[a * count + b] = table.is_given[b * count + a] = 1;
    }
    summarize<Normal>(table, Contributions{});
    return table;
  });
}

double overlap_energy(ContactLaw law, ContactCoefficients coefficients, double radius,
                      double overlap) {
  if (overlap <= 0) return 0;
  return with_normal_law(law, [&](auto tag) {
    using Normal = typename decltype(tag)::Type;
    ContactGeometry contact{};
    contact.overlap = overlap;
    contact.radius = radius;
    contact.touching = true;
    const Stiffness stiffness =
        Normal::stiffness({}, part_of<Normal, Normal>(coefficients), contact);
    return Normal::energy(Normal::elastic_force(stiffness, overlap), overlap) +
           contribution_energy<Normal>(coefficients, contact, Contributions{});
  });
}

TimeStepLimits contact_time_step(ContactLaw law, Integrator integrator,
                                 ContactCoefficients coefficients, const ContactBody& a,
                                 const ContactBody& b) {
  return with_normal_law(law, [&](auto tag) {
    return contact_limits<typename decltype(tag)::Type>(integrator, coefficients, a, b);
  });
}

double particle_time_step(ContactLaw law, Integrator integrator, const Material& material,
                          double radius) {
  return default_step_factor(integrator) * with_normal_law(law, [&](auto tag) {
           return decltype(tag)::Type::particle_time_step(material, radius);
         });
}

double default_time_step(ContactLaw law, const TimeStepLimits& limits) {
  const double fraction =
      with_normal_law(law, [](auto tag) { return decltype(tag)::Type::time_step_fraction; });
  return fraction * std::min(limits.normal, 2 * limits.complete);
}

}  // namespace abut
