// The contact laws at prescribed overlap and velocity, against closed forms. The files of
// src/dem/laws are compiled here for single contacts in double precision; the kernels compile the
// same files for several contacts at once.
#include <gmock/gmock.h>
#include <hwy/base.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "dem/contact_coefficients.hpp"

namespace abut::testing {
namespace {

// clang-format off
#include "dem/scalars.inl"
#include "dem/vector_lanes.inl"
#include "dem/contact_terms.inl"
#include "contact_law_files.inl"
#include "dem/contact_response.inl"
// clang-format on

using std::numbers::pi;
using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double relative_error = 1e-9;

void expect_close(double value, double expected) {
  EXPECT_THAT(value, DoubleNear(expected, relative_error * std::abs(expected)));
}

// Two spheres of radius 1 mm.
constexpr double reduced_radius = 5e-4;
constexpr double reduced_mass = 5.2359877559829886e-6;
constexpr double reduced_inertia = 2.0 / 5 * reduced_mass * 1e-6;
const Material grain{"grain", 2500, 1e7, 0.3};
constexpr double effective_modulus = 1e7 / (2 * (1 - 0.3 * 0.3));              // E*
constexpr double effective_shear_modulus = 1e7 / (4 * (2 - 0.3) * (1 + 0.3));  // G*

CoefficientTable table_of(ContactLaw law, const ContactParameters& parameters) {
  return coefficient_table(law, {grain}, {{.parameters = parameters}});
}

/// Motion of a contact whose normal is the x axis.
struct Motion {
  double overlap = 1e-5;
  double approach_speed = 0;
  double slip_speed = 0;     ///< along y
  double rolling_speed = 0;  ///< angular velocity about z, rad/s
  double time_step = 0;
};

ContactGeometry geometry_of(const Motion& motion) {
  ContactGeometry contact{};
  contact.normal = {1, 0, 0};
  contact.overlap = motion.overlap;
  contact.velocity = {-motion.approach_speed, motion.slip_speed, 0};
  contact.separation_speed = -motion.approach_speed;
  contact.angular_velocity = {0.5, 0,
                              motion.rolling_speed};  // the part along the normal has no effect
  contact.mass = reduced_mass;
  contact.inertia = reduced_inertia;
  contact.radius = reduced_radius;
  contact.touching = motion.overlap > 0;
  return contact;
}

ContactResponse<true> respond(ContactLaw law, const ContactParameters& parameters,
                              const Motion& motion, ContactSprings& springs) {
  const CoefficientTable table = table_of(law, parameters);
  return with_normal_law(law, [&](auto tag) {
    using Normal = typename decltype(tag)::Type;
    const auto coefficients = make_all_coefficients<double, Normal>(
        [&](std::size_t k) { return table.between(0, 0)[k]; });
    return contact_response<Normal, true, true>(any_nonzero<Normal>(table), coefficients,
                                                geometry_of(motion), motion.time_step, springs);
  });
}

ContactResponse<true> respond(ContactLaw law, const ContactParameters& parameters,
                              const Motion& motion) {
  ContactSprings springs{};
  return respond(law, parameters, motion, springs);
}

ContactBody sphere(double radius) {
  const double mass = 4.0 / 3 * pi * radius * radius * radius * grain.density;
  return {mass, 0.4 * mass * radius * radius, radius};
}

ContactBody disk(double radius) {
  const double mass = pi * radius * radius * grain.density;
  return {mass, 0.5 * mass * radius * radius, radius};
}

/// Parameters with which a law can be evaluated.
ContactParameters minimal_parameters(ContactLaw law) {
  ContactParameters parameters;
  if (law == ContactLaw::hooke) parameters.stiffness = 1e4;
  return parameters;
}

// ---- every law

TEST(EveryLaw, ForceIsTheDerivativeOfTheEnergy) {
  for (const NormalLawInfo& info : normal_laws())
    for (const double overlap : {1e-7, 1e-5, 2e-4}) {
      const auto energy_at = [&](double at) {
        return respond(info.law, minimal_parameters(info.law), {.overlap = at}).normal_energy;
      };
      const double step = 1e-3 * overlap;
      const double derivative = (8 * (energy_at(overlap + step) - energy_at(overlap - step)) -
                                 (energy_at(overlap + 2 * step) - energy_at(overlap - 2 * step))) /
                                (12 * step);
      const double force =
          respond(info.law, minimal_parameters(info.law), {.overlap = overlap}).normal_force;
      EXPECT_NEAR(force / derivative, 1, 1e-9) << info.name;
    }
}

TEST(EveryLaw, OverlapEnergyEqualsEnergyOfTheResponse) {
  for (const NormalLawInfo& info : normal_laws()) {
    const ContactParameters parameters = minimal_parameters(info.law);
    for (const double overlap : {1e-9, 3e-7, 1.7e-5, 0.0})
      EXPECT_EQ(overlap_energy(info.law, table_of(info.law, parameters).between(0, 0),
                               reduced_radius, overlap),
                respond(info.law, parameters, {.overlap = overlap}).normal_energy);
  }
}

TEST(EveryLaw, HasNoForceAcrossAGapWithoutContributions) {
  for (const NormalLawInfo& info : normal_laws()) {
    const ContactResponse<true> response =
        respond(info.law, minimal_parameters(info.law), {.overlap = -1e-9, .approach_speed = -1});
    EXPECT_EQ(response.normal_force, 0) << info.name;
    EXPECT_EQ(response.normal_energy, 0) << info.name;
    EXPECT_EQ(table_of(info.law, minimal_parameters(info.law)).range, 0) << info.name;
  }
}

TEST(EveryLaw, IsProportionalToTheOverlapIfItStatesSo) {
  for (const NormalLawInfo& info : normal_laws()) {
    const auto force_at = [&](double overlap) {
      return respond(info.law, minimal_parameters(info.law), {.overlap = overlap}).normal_force;
    };
    const bool is_proportional =
        with_normal_law(info.law, [](auto tag) { return decltype(tag)::Type::is_proportional; });
    EXPECT_EQ(std::abs(force_at(2e-5) / force_at(1e-5) - 2) < 1e-12, is_proportional) << info.name;
  }
}

TEST(EveryLaw, BoundsTheTimeStep) {
  for (const NormalLawInfo& info : normal_laws()) {
    TimeStepLimits limits = contact_time_step(
        info.law, Integrator::velocity_verlet,
        table_of(info.law, minimal_parameters(info.law)).between(0, 0), sphere(1e-3), sphere(1e-3));
    const double alone = particle_time_step(info.law, Integrator::velocity_verlet, grain, 1e-3);
    limits = {std::min(limits.complete, alone), std::min(limits.normal, alone)};
    EXPECT_GT(limits.complete, 0) << info.name;
    EXPECT_TRUE(std::isfinite(limits.complete)) << info.name;
    EXPECT_GT(default_time_step(info.law, limits), 0);
    EXPECT_LT(default_time_step(info.law, limits), limits.complete);
  }
}

// ---- stability, by integration

/// Two bodies in contact along x, in equilibrium under a constant force that presses them together;
/// they slip along y and rotate about z. The scheme is that of the simulation: positions and
/// springs advance with velocities that are half a step behind the forces.
class ContactMotion {
 public:
  ContactMotion(ContactLaw law, const ContactParameters& parameters, const ContactBody& a,
                const ContactBody& b)
      : law_(law), table_(table_of(law, parameters)), a_{a}, b_{b} {
    contact_.normal = {1, 0, 0};
    contact_.mass = reduced(a.mass, b.mass);
    contact_.inertia = reduced(a.inertia, b.inertia);
    contact_.radius = reduced(a.radius, b.radius);
    contact_.overlap = 0.05 * contact_.radius;
    contact_.touching = true;
    pressing_force_ = respond(0).normal_force;
    a_.velocity = 3e-9;
    a_.rotation = -2e-9 / a.radius;
    b_.velocity = std::isinf(b.mass) ? 0 : -1e-9;
    b_.rotation = std::isinf(b.mass) ? 0 : 4e-9 / b.radius;
    separation_speed_ = 1e-9;
  }

  /// Advances and returns the largest kinetic energy (J) of these steps.
  double advance(std::size_t steps, double time_step) {
    double largest = 0;
    for (std::size_t k = 0; k < steps && largest < 1e3; ++k) {
      contact_.overlap -= time_step * separation_speed_;
      const ContactResponse<true> response = respond(time_step);
      separation_speed_ += time_step * (response.normal_force - pressing_force_) / contact_.mass;
      const double force = response.tangential_force.y;
      a_.accelerate(time_step * force, time_step * (response.torque.z - a_.lever() * force));
      b_.accelerate(-time_step * force, time_step * (-response.torque.z - b_.lever() * force));
      largest = std::max(largest, a_.energy() + b_.energy() +
                                      contact_.mass / 2 * separation_speed_ * separation_speed_);
    }
    return largest;
  }

 private:
  struct Body {
    ContactBody body;
    double velocity = 0;
    double rotation = 0;

    [[nodiscard]] bool is_wall() const { return std::isinf(body.mass); }
    [[nodiscard]] double lever() const { return is_wall() ? 0 : body.radius; }
    void accelerate(double impulse, double angular_impulse) {
      velocity += impulse / body.mass;
      rotation += angular_impulse / body.inertia;
    }
    [[nodiscard]] double energy() const {
      return is_wall() ? 0
                       : (body.mass * velocity * velocity + body.inertia * rotation * rotation) / 2;
    }
  };

  static double reduced(double a, double b) { return 1 / (1 / a + 1 / b); }

  ContactResponse<true> respond(double time_step) {
    contact_.separation_speed = separation_speed_;
    contact_.velocity = {
        separation_speed_,
        a_.velocity - b_.velocity - a_.lever() * a_.rotation - b_.lever() * b_.rotation, 0};
    contact_.angular_velocity = {0, 0, a_.rotation - b_.rotation};
    return with_normal_law(law_, [&](auto tag) {
      using Normal = typename decltype(tag)::Type;
      const auto coefficients = make_all_coefficients<double, Normal>(
          [&](std::size_t k) { return table_.between(0, 0)[k]; });
      return contact_response<Normal, true, true>(any_nonzero<Normal>(table_), coefficients,
                                                  contact_, time_step, springs_);
    });
  }

  ContactLaw law_;
  CoefficientTable table_;
  ContactGeometry contact_{};
  ContactSprings springs_{};
  double pressing_force_ = 0;
  double separation_speed_ = 0;
  Body a_, b_;
};

/// Growth of the kinetic energy in many steps of a multiple of the limit.
double growth_at(double multiple, ContactLaw law, const ContactParameters& parameters,
                 const ContactBody& a, const ContactBody& b) {
  const double limit = contact_time_step(law, Integrator::velocity_verlet,
                                         table_of(law, parameters).between(0, 0), a, b)
                           .complete;
  ContactMotion motion(law, parameters, a, b);
  const double initial = motion.advance(1, 1e-9 * limit);
  return motion.advance(2000, multiple * limit) / initial;
}

void expect_limit_of_stability(ContactLaw law, const ContactParameters& parameters) {
  const ContactBody wall;
  const std::pair<ContactBody, ContactBody> bodies[] = {
      {sphere(1e-3), wall},         {sphere(1e-3), sphere(1e-3)}, {sphere(1e-3), sphere(2e-3)},
      {sphere(1e-3), sphere(8e-3)}, {disk(1e-3), wall},           {disk(1e-3), disk(1.5e-3)}};
  for (const auto& [a, b] : bodies) {
    SCOPED_TRACE(message("radii ", a.radius, ' ', b.radius));
    EXPECT_LT(growth_at(0.95, law, parameters, a, b), 100);
    EXPECT_GT(growth_at(1.05, law, parameters, a, b), 1e6);
  }
}

void expect_limits_of_stability(ContactLaw law, ContactParameters parameters) {
  for (const double e : {1.0, 0.5, 0.1})
    for (const double damping_ratio : {0.0, 0.5, 3.0})
      for (const OptionalNumber stiffness_ratio : {OptionalNumber(), OptionalNumber(1)}) {
        if (law == ContactLaw::hertz && stiffness_ratio) continue;
        parameters.restitution = e;
        parameters.tangential_damping_ratio = damping_ratio;
        parameters.tangential_stiffness_ratio = stiffness_ratio;
        SCOPED_TRACE(
            message("e ", e, " damping ", damping_ratio, " ratio ", stiffness_ratio.value_or(0)));
        expect_limit_of_stability(law, parameters);
      }
}

TEST(StabilityLimit, SeparatesBoundedFromGrowingEnergy) {
  constexpr double sticking = 1e9;
  for (const NormalLawInfo& law : normal_laws())
    for (const double friction : {0.0, sticking})
      for (const double rolling_friction : {0.0, sticking}) {
        SCOPED_TRACE(message(law.name, " friction ", friction, " rolling ", rolling_friction));
        ContactParameters parameters = minimal_parameters(law.law);
        parameters.friction = friction;
        parameters.rolling_friction = rolling_friction;
        expect_limits_of_stability(law.law, parameters);
      }
}

TEST(StabilityLimit, IsThatOfAStickingSphereOnAWall) {
  const ContactBody ball = sphere(1e-3);
  const auto limit = [&](const ContactParameters& parameters, const ContactBody& other) {
    return contact_time_step(ContactLaw::hooke, Integrator::velocity_verlet,
                             table_of(ContactLaw::hooke, parameters).between(0, 0), ball, other);
  };
  ContactParameters parameters{.stiffness = 1e4, .friction = 0.3, .tangential_stiffness_ratio = 1};
  expect_close(limit(parameters, {}).complete, 2 / std::sqrt(3.5 * 1e4 / ball.mass));
  expect_close(limit(parameters, {}).normal, 2 / std::sqrt(1e4 / ball.mass));
  expect_close(limit(parameters, ball).complete, 2 / std::sqrt(7 * 1e4 / ball.mass));
  parameters.tangential_stiffness_ratio = 2.0 / 7;
  expect_close(limit(parameters, {}).complete, limit(parameters, {}).normal);
  const ContactBody disk_body = disk(1e-3);
  parameters.tangential_stiffness_ratio = 1;
  expect_close(
      contact_time_step(ContactLaw::hooke, Integrator::velocity_verlet,
                        table_of(ContactLaw::hooke, parameters).between(0, 0), disk_body, {})
          .complete,
      2 / std::sqrt(3 * 1e4 / disk_body.mass));
}

TEST(DefaultTimeStep, IsAFractionOfTheLimitOfNormalForcesAndLessIfFrictionIsStiff) {
  expect_close(default_time_step(ContactLaw::hooke, {.complete = 0.7, .normal = 1}), 0.1);
  expect_close(default_time_step(ContactLaw::hooke, {.complete = 0.2, .normal = 1}), 0.04);
  expect_close(default_time_step(ContactLaw::hertz, {.complete = 0.7, .normal = 1}), 0.2);
  expect_close(default_time_step(ContactLaw::hertz, {.complete = 0.2, .normal = 1}), 0.08);
}

// ---- every parameter

void set(const ContactParameter& parameter, double value, ContactParameters& parameters) {
  std::visit(
      [&](auto field) {
        using Field = std::decay_t<decltype(parameters.*field)>;
        if constexpr (std::is_same_v<Field, bool>)
          parameters.*field = value != 0;
        else
          parameters.*field = value;
      },
      parameter.field);
}

TEST(EveryParameter, MustBeInRange) {
  for (const NormalLawInfo& law : normal_laws())
    for (const ContactParameter& parameter : contact_parameters()) {
      if (parameter.range == ParameterRange::any) continue;
      for (const double value : {-2.5, std::numeric_limits<double>::infinity()}) {
        ContactParameters parameters = minimal_parameters(law.law);
        set(parameter, value, parameters);
        try {
          (void)table_of(law.law, parameters);
          ADD_FAILURE() << law.name << ' ' << parameter.name;
        } catch (const Error& error) {
          EXPECT_EQ(error.details().key, parameter.name);
          EXPECT_EQ(error.details().value, message(value));
          EXPECT_THAT(error.what(), HasSubstr(message("contact of grain and grain: ",
                                                      parameter.name, " = ", value, ": ")));
        }
      }
    }
}

TEST(EveryParameter, IsRejectedByLawsThatDoNotUseIt) {
  for (const NormalLawInfo& law : normal_laws())
    for (const ContactParameter& parameter : contact_parameters()) {
      if (parameter.laws == "all" || parameter.laws == law.name) continue;
      ContactParameters parameters = minimal_parameters(law.law);
      set(parameter, 0.25, parameters);
      EXPECT_THAT([&] { (void)table_of(law.law, parameters); },
                  ThrowsMessage<Error>(HasSubstr(
                      message(parameter.name, " = 0.25: is not used by ", law.author, "'s law"))));
    }
}

// ---- Hooke

TEST(HookesLaw, AddsSpringAndDashpot) {
  const Motion motion{.overlap = 1e-5, .approach_speed = 0.1};
  expect_close(respond(ContactLaw::hooke, {.stiffness = 1e4}, motion).normal_force, 0.1);
  expect_close(respond(ContactLaw::hooke, {.stiffness = 1e4, .damping = 0.2}, motion).normal_force,
               0.12);
  expect_close(
      respond(ContactLaw::hooke, {.stiffness = 1e4, .damping_rate = 5e3}, motion).normal_force,
      0.1 + 5e3 * reduced_mass * 0.1);
  const double e = 0.6;
  const double zeta = -std::log(e) / std::sqrt(pi * pi + std::log(e) * std::log(e));
  expect_close(
      respond(ContactLaw::hooke, {.stiffness = 1e4, .restitution = e}, motion).normal_force,
      0.1 + 2 * zeta * std::sqrt(1e4 * reduced_mass) * 0.1);
}

TEST(HookesLaw, LimitsDampingIfAsked) {
  const Motion separating{.overlap = 1e-5, .approach_speed = -1};
  expect_close(
      respond(ContactLaw::hooke, {.stiffness = 1e4, .damping = 0.2}, separating).normal_force,
      -0.1);
  EXPECT_EQ(respond(ContactLaw::hooke, {.stiffness = 1e4, .damping = 0.2, .limit_damping = true},
                    separating)
                .normal_force,
            0);
}

TEST(HookesLaw, DissipatesTheWorkOfTheDashpot) {
  const ContactResponse<true> response =
      respond(ContactLaw::hooke, {.stiffness = 1e4, .damping = 0.2},
              {.overlap = 1e-5, .approach_speed = 0.1, .time_step = 1e-6});
  expect_close(response.normal_energy, 1e4 / 2 * 1e-10);
  expect_close(response.dissipated, 0.2 * 0.1 * 0.1 * 1e-6);
}

TEST(HookesLaw, HasTheCriticalTimeStepOfAnOscillator) {
  const auto step = [](const ContactParameters& parameters) {
    return contact_time_step(ContactLaw::hooke, Integrator::velocity_verlet,
                             table_of(ContactLaw::hooke, parameters).between(0, 0), sphere(1e-3),
                             sphere(1e-3))
        .complete;
  };
  const double omega = std::sqrt(1e4 / reduced_mass);
  expect_close(step({.stiffness = 1e4}), 2 / omega);
  const double zeta = 3;
  expect_close(step({.stiffness = 1e4, .damping = 2 * zeta * std::sqrt(1e4 * reduced_mass)}),
               2 / omega * (std::sqrt(1 + zeta * zeta) - zeta));
}

// ---- Hertz

TEST(HertzsLaw, GrowsWithTheOverlapToThePowerOfThreeHalves) {
  for (const double overlap : {1e-7, 1e-5, 1e-4})
    expect_close(respond(ContactLaw::hertz, {}, {.overlap = overlap}).normal_force,
                 4.0 / 3 * effective_modulus * std::sqrt(reduced_radius) * std::pow(overlap, 1.5));
  expect_close(respond(ContactLaw::hertz, {}, {.overlap = 1e-5}).normal_energy,
               8.0 / 15 * effective_modulus * std::sqrt(reduced_radius) * std::pow(1e-5, 2.5));
}

TEST(HertzsLaw, HasTsujisDamping) {
  const double e = 0.6;
  const double zeta = -std::log(e) / std::sqrt(pi * pi + std::log(e) * std::log(e));
  const double a = std::sqrt(reduced_radius * 1e-5);
  expect_close(respond(ContactLaw::hertz, {.restitution = e}, {.approach_speed = 0.1}).normal_force,
               4.0 / 3 * effective_modulus * a * 1e-5 +
                   2 * std::sqrt(5.0 / 6) * zeta *
                       std::sqrt(2 * effective_modulus * a * reduced_mass) * 0.1);
}

TEST(HertzsLaw, HasMindlinsTangentialStiffness) {
  const double a = std::sqrt(reduced_radius * 1e-5);
  const double slip = 1e-9;  // far below the limit of friction
  expect_close(respond(ContactLaw::hertz, {.friction = 0.5, .tangential_damping_ratio = 0},
                       {.slip_speed = 1, .time_step = slip})
                   .tangential_force.y,
               -8 * effective_shear_modulus * a * slip);
}

TEST(HertzsLaw, BoundsTheTimeStepByHalfTheRayleighTime) {
  expect_close(particle_time_step(ContactLaw::hertz, Integrator::velocity_verlet, grain, 1e-3),
               pi * 1e-3 * std::sqrt(2500 / (1e7 / 2.6)) / (0.1631 * 0.3 + 0.8766) / 2);
}

// ---- contributions

constexpr double normal_stiffness = 1e4;  // at an overlap of 1e-5 m, F_n = 0.1 N

TEST(FrictionForce, IsThatOfSpringAndDashpotWhileSticking) {
  ContactSprings springs{};
  const ContactResponse<true> response = respond(ContactLaw::hooke,
                                                 {.stiffness = normal_stiffness,
                                                  .damping = 0.2,
                                                  .friction = 0.5,
                                                  .tangential_stiffness_ratio = 0.8,
                                                  .tangential_damping_ratio = 0.25},
                                                 {.slip_speed = 0.01, .time_step = 1e-5}, springs);
  expect_close(springs.friction.y, 1e-7);
  expect_close(response.tangential_force.y, -(0.8 * normal_stiffness * 1e-7 + 0.25 * 0.2 * 0.01));
  expect_close(response.tangential_energy, 0.8 * normal_stiffness / 2 * 1e-14);
}

TEST(FrictionForce, IsLimitedByTheNormalForceWhileSliding) {
  ContactSprings springs{};
  const ContactResponse<true> response =
      respond(ContactLaw::hooke, {.stiffness = normal_stiffness, .friction = 0.5},
              {.slip_speed = 10, .time_step = 1e-4}, springs);
  expect_close(response.tangential_force.y, -0.5 * 0.1);
  expect_close(springs.friction.y, 0.5 * 0.1 / (2.0 / 7 * normal_stiffness));
  expect_close(response.dissipated, 0.5 * 0.1 * 10 * 1e-4);
}

TEST(FrictionForce, VanishesWhileTheNormalForceIsAttractive) {
  const ContactResponse<true> response =
      respond(ContactLaw::hooke, {.stiffness = normal_stiffness, .damping = 0.2, .friction = 0.5},
              {.approach_speed = -1, .slip_speed = 1, .time_step = 1e-6});
  EXPECT_LT(response.normal_force, 0);
  EXPECT_EQ(response.tangential_force.y, 0);
}

TEST(RollingTorque, IsThatOfSpringAndDashpotBelowItsLimit) {
  ContactSprings springs{};
  const ContactResponse<true> response =
      respond(ContactLaw::hooke, {.stiffness = normal_stiffness, .rolling_friction = 0.5},
              {.rolling_speed = 0.1, .time_step = 1e-5}, springs);
  const double stiffness = 2.0 / 7 * normal_stiffness * reduced_radius * reduced_radius;
  expect_close(springs.rolling.z, 1e-6);
  expect_close(response.torque.z,
               -(stiffness * 1e-6 + 2 * 0.3 * std::sqrt(stiffness * reduced_inertia) * 0.1));
  EXPECT_EQ(response.torque.x, 0);
}

TEST(RollingTorque, IsLimitedByNormalForceTimesRadius) {
  const ContactResponse<true> response =
      respond(ContactLaw::hooke, {.stiffness = normal_stiffness, .rolling_friction = 0.05},
              {.rolling_speed = 100, .time_step = 1e-3});
  expect_close(response.torque.z, -0.05 * reduced_radius * 0.1);
}

TEST(CohesionForce, AttractsSeparatingParticlesWithinItsRange) {
  const ContactParameters parameters{.stiffness = normal_stiffness, .cohesion_force = 0.02};
  const auto force = [&](double gap, double approach_speed) {
    return respond(ContactLaw::hooke, parameters,
                   {.overlap = -gap, .approach_speed = approach_speed})
        .normal_force;
  };
  expect_close(table_of(ContactLaw::hooke, parameters).range, 0.02 / normal_stiffness);
  expect_close(force(1e-6, -0.1), -0.01);
  expect_close(force(1.999e-6, -0.1), -0.01999);
  EXPECT_EQ(force(2.001e-6, -0.1), 0);
  EXPECT_EQ(force(1e-6, 0.1), 0);
  expect_close(force(-1e-5, -0.1), 0.1);
}

TEST(CohesionForce, DissipatesItsWork) {
  expect_close(respond(ContactLaw::hooke, {.stiffness = normal_stiffness, .cohesion_force = 0.02},
                       {.overlap = -1e-6, .approach_speed = -0.1, .time_step = 1e-6})
                   .dissipated,
               0.01 * 0.1 * 1e-6);
}

}  // namespace
}  // namespace abut::testing
