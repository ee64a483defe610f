#pragma once

#include <abut/pair.hpp>
#include <abut/simulation.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/relative_motion.hpp"
#include "core/vec4.hpp"
#include "dem/contact_coefficients.hpp"

namespace abut {

/// Particle arrays in memory order. Forces and torques are added to, not overwritten.
struct ParticleArrays {
  const Vec4* position;          ///< and radius
  const Vec4* velocity;          ///< and inverse mass
  const Vec4* angular_velocity;  ///< and inverse moment of inertia
  const std::uint8_t* material;
  Vec4* force;
  Vec4* torque;
};

/// Energies of contacts in J. The energy lost in this step is `dissipated` minus the increase of
/// `tangential_energy`.
struct ContactEnergy {
  double normal_energy = 0;      ///< elastic, of the overlaps
  double tangential_energy = 0;  ///< elastic, of friction and rolling springs
  double dissipated = 0;  ///< work of dashpots, tangential forces, rolling torques and cohesion

  ContactEnergy& operator+=(const ContactEnergy& other) {
    normal_energy += other.normal_energy;
    tangential_energy += other.tangential_energy;
    dissipated += other.dissipated;
    return *this;
  }
};

/// Parameters common to all contacts of a step.
struct ForceParameters {
  const CoefficientTable* coefficients;
  double time_step;   ///< by which springs advance, s; 0: use the springs as they are
  double range;       ///< largest gap across which a force acts, m
  bool has_friction;  ///< some pair of materials has sliding or rolling friction
  bool has_rolling;   ///< some pair has rolling friction
};

/// History of a contact: tangential displacement (three components, m) and rolling angle (three
/// components, rad). Springs take most of the memory of a contact; the relative error of single
/// precision, 6e-8, is far below the accuracy of friction laws.
using Spring = std::array<float, 6>;

/// One of the two springs of a pair in the neighbor list. It is valid only if the pair was touching
/// in the previous evaluation of forces, whose number is the stamp; else the spring is 0.
struct PairSpring {
  float x, y, z;
  std::uint32_t stamp;
};

/// Index of a periodic image in the list of images that occur.
using ImageIndex = std::uint16_t;

/// The pairs whose first particle is in a chunk of particles; see `NeighborList`. Pointers are
/// those of whole arrays. Up to three entries after the last pair are read.
struct PairChunk {
  Index particle_begin;
  Index particle_end;            ///< forces on particles from here on go to slots
  Index last_particle;           ///< of all chunks
  Index last_pair;               ///< of all chunks, or 0 if there is none
  bool is_large;                 ///< the particles of all chunks do not fit into the caches
  const Index* row_begin;        ///< of each particle, its first pair; and the end
  const Index* neighbors;        ///< of each pair, its second particle
  const Index* slot_offset;      ///< of each particle: slot = pair + offset, modulo 2³²
  const ImageIndex* image;       ///< of the second particle; null if no axis is periodic
  const Vec4* image_shifts;      ///< translation (m) of each image
  PairSpring* friction_springs;  ///< null without friction
  PairSpring* rolling_springs;   ///< null without rolling friction
  std::uint32_t previous_stamp;  ///< of springs that are valid
  std::uint32_t stamp;           ///< of springs after this evaluation
};

/// A particle and a wall that touch or may touch until the next search.
struct WallContactState {
  Vec4 normal;    ///< unit vector from the wall to the particle, and overlap
  Vec4 velocity;  ///< of the wall at the contact point
  Vec4 force;     ///< on the particle; w is the power (W) of the rolling torque on a rotating wall
  Spring spring;  ///< before the step, then after it
  Index particle;
  std::uint16_t wall;
  std::uint8_t material;  ///< of the wall
  bool history_taken;     ///< the spring has been taken over by a contact of the next step
};

struct WallContactChunk {
  WallContactState* contacts;
  std::size_t count;
  const Vec4* angular_velocity;  ///< of each wall
};

/// A particle that touches, or may touch until the next search, a plane that never moves.
struct StaticPlaneContact {
  Spring spring;
  std::array<double, 3> force;  ///< on the particle
  Index particle;
  std::uint16_t wall;
};

struct StaticPlaneChunk {
  StaticPlaneContact* contacts;
  std::size_t count;
  const Vec4* normal;            ///< of each wall; unit vector
  const Vec4* point;             ///< of each wall; any point of the plane
  const std::uint8_t* material;  ///< of each wall
};

/// The part of a time step to integrate. The end of a step and the beginning of the next are done
/// in one pass over the particles if nothing happens between them.
enum class StepPhase : unsigned char { begin, end, end_and_begin };

/// Moving particles first … last − 1. `first` is a multiple of the block size, or the first moving
/// particle.
struct IntegrationChunk {
  Vec4* position;
  Vec4* velocity;
  Vec4* angular_velocity;
  Vec4* force;                        ///< set to 0 at the beginning of a step
  Vec4* torque;                       ///< likewise
  Vec4* acceleration;                 ///< of the previous step; predictor-corrector only
  Vec4* angular_acceleration;         ///< likewise
  DisplacementBounds* displacements;  ///< of each block; the displacements of this call are added
  std::size_t first;
  std::size_t last;
  Vec4 gravity;
  Vec4 domain_min;
  Vec4 domain_max;
  double time_step;
  bool has_rotation;
};

struct IntegrationResult {
  bool is_inside;           ///< all positions are finite and inside the domain
  double max_displacement;  ///< upper bound of the displacement of a particle in this call, m
};

/// Integrates the equations of motion over a part of a time step Δt, with the acceleration a at the
/// current positions:
///
///     central difference    begin: v += a Δt, x += v Δt; v is half a step behind x
///     velocity Verlet       begin: v += a Δt/2, x += v Δt; end: v += a Δt/2
///     predictor-corrector   begin: x += v Δt + a Δt²/2, v += a Δt;
///                           end, with a' the acceleration at the beginning:
///                           v += (a − a') Δt/2, x += (a − a') Δt²/4
using IntegrationKernel = IntegrationResult (*)(Integrator, StepPhase, const IntegrationChunk&);

/// The loops in which most of a step is spent, for one contact law.
struct StepKernels {
  ContactEnergy (*pairs)(const ForceParameters&, const ParticleArrays&, const PairChunk&);
  ContactEnergy (*walls)(const ForceParameters&, const ParticleArrays&, const WallContactChunk&);
  ContactEnergy (*static_planes)(const ForceParameters&, const ParticleArrays&,
                                 const StaticPlaneChunk&);
  IntegrationKernel integrate;
};

/// The kernels for the instruction set of this processor, see core/simd.hpp; results are bitwise
/// identical on all.
StepKernels step_kernels(ContactLaw law, bool has_friction, bool track_energy);

}  // namespace abut
