#pragma once

#include <abut/pair.hpp>
#include <abut/simulation.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dem/contact_coefficients.hpp"
#include "dem/vec4.hpp"

namespace abut {

/// The particles as the loops over contacts see them.
struct ParticleArrays {
  const Vec4* position;          ///< and radius
  const Vec4* velocity;          ///< and inverse mass
  const Vec4* angular_velocity;  ///< and inverse moment of inertia
  const std::uint8_t* material;
  Vec4* force;   ///< forces are added here
  Vec4* torque;  ///< and torques
};

/// Energy that overlaps hold now, and springs across contacts; and what was taken in this step, of
/// which these springs may have got a part.
struct ContactEnergy {
  double normal_energy = 0;
  double tangential_energy = 0;
  double dissipated = 0;

  ContactEnergy& operator+=(const ContactEnergy& more) {
    normal_energy += more.normal_energy;
    tangential_energy += more.tangential_energy;
    dissipated += more.dissipated;
    return *this;
  }
};

/// What to do with a number of contacts.
struct ForceParameters {
  const CoefficientTable* coefficients;
  double time_step;
  bool has_friction;     ///< some two materials have friction: springs are kept
  bool has_rolling;      ///< … rolling friction
  bool has_restitution;  ///< … a restitution
  bool has_cohesion;     ///< … cohesion
};

/// How far friction is stretched in a contact (three numbers) and rolling resistance turned (three
/// more). Single precision keeps that to a ten-millionth, far below what any law of friction means;
/// springs are most of what a contact needs memory for.
using Spring = std::array<float, 6>;

/// Of an image in a list of those that pairs have.
using ImageIndex = std::uint16_t;

/// Pairs of particles, a run of a list that is sorted by a. The particles a of a run are its own:
/// what their contacts push goes to them, also to b if it is one of them. What goes to others is
/// put aside, one slot after the other, so that runs can be done side by side.
struct PairChunk {
  const Pair* pairs;
  std::size_t count;
  std::array<float*, 6> spring;  ///< of each pair: of friction, only if rough; of rolling
  const ImageIndex* image;       ///< of b, in `shifts`; null if nothing is periodic
  const Vec4* image_shifts;
  Index particle_end;  ///< own particles are below
  Index first_slot;    ///< in `push` and `twist`
};

/// A particle and a wall that it touches, or may soon touch.
struct WallContactState {
  Vec4 normal;    ///< from the wall to the particle, and the overlap
  Vec4 velocity;  ///< of the wall, where they touch
  Vec4 force;     ///< what the particle feels, and what its torque takes from a wall that turns
  Spring spring;  ///< what it was, and after that what it is
  Index particle;
  std::uint16_t wall;
  std::uint8_t material;  ///< of the body
  bool history_taken;     ///< its spring belongs to another now
};

struct WallContactChunk {
  WallContactState* contacts;
  std::size_t count;
  const Vec4* angular_velocity;  ///< of each body
};

/// A particle that touches, or may soon touch, a plane that never moves.
struct StaticPlaneContact {
  Spring spring;
  std::array<double, 3> force;  ///< what the particle feels
  Index particle;
  std::uint16_t wall;
};

/// Planes, by body.
struct StaticPlaneChunk {
  StaticPlaneContact* contacts;
  std::size_t count;
  const Vec4* normal;  ///< of length one
  const Vec4* point;
  const std::uint8_t* material;
};

/// Which part of a step is done. Between two steps nobody looks at, the end of one and the begin of
/// the next are done in one pass over the particles.
enum class StepPhase : unsigned char { begin, end, end_and_begin };

/// Some particles that move, and what moves them.
struct IntegrationChunk {
  Vec4* position;
  Vec4* velocity;
  Vec4* angular_velocity;
  Vec4* force;                 ///< forces; cleared where a step begins
  Vec4* torque;                ///< torques; likewise
  Vec4* acceleration;          ///< of the step before; only for the predictor and corrector
  Vec4* angular_acceleration;  ///< the same of the spin
  std::size_t first;
  std::size_t last;
  Vec4 gravity;
  Vec4 domain_min;  ///< the domain
  Vec4 domain_max;
  double time_step;
  bool has_rotation;  ///< whether anything turns
};

struct MotionSummary {
  double max_speed_squared = 0;  ///< the largest
  bool all_valid = true;         ///< all numbers are finite, and nobody is outside
};

/// Moves some particles on. Central difference: the velocity belongs to half a step before the
/// place (leapfrog). Velocity Verlet: v half a step, x, forces, v the other half; forces see the
/// velocity between. Predictor and corrector: x and v as the last acceleration has it, forces, and
/// then the mean of the last acceleration and the new one in its place (trapezoidal rule, once).
using IntegrationKernel = MotionSummary (*)(Integrator, StepPhase, const IntegrationChunk&);

/// The loops that most of a step is spent in, for one law.
struct StepKernels {
  ContactEnergy (*pairs)(const ForceParameters&, const ParticleArrays&, const PairChunk&);
  ContactEnergy (*walls)(const ForceParameters&, const ParticleArrays&, const WallContactChunk&);
  ContactEnergy (*static_planes)(const ForceParameters&, const ParticleArrays&,
                                 const StaticPlaneChunk&);
  IntegrationKernel integrate;
};

/// Chosen once (see `use_avx2`). Every number is the same to the last bit, whichever it is.
StepKernels step_kernels(ContactLaw law, bool rough, bool counts);

/// Those for processors with AVX2, if they may run.
std::optional<StepKernels> avx2_step_kernels(ContactLaw law, bool rough, bool counts);

}  // namespace abut
