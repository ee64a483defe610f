#pragma once

#include <abut/pair.hpp>
#include <abut/simulation.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

#include "dem/law_constants.hpp"
#include "dem/record.hpp"

namespace abut {

/// The particles as the loops over contacts see them.
struct ParticleRecords {
  const Record* place;     ///< and radius
  const Record* velocity;  ///< and inverse mass
  const Record* spin;      ///< and inverse moment of inertia
  const std::uint8_t* material;
  Record* push;   ///< forces are added here
  Record* twist;  ///< and torques
};

/// Energy that overlaps hold now, and springs across contacts; and what was taken in this step, of
/// which these springs may have got a part.
struct ContactEnergy {
  double stored = 0;
  double across = 0;
  double lost = 0;

  ContactEnergy& operator+=(const ContactEnergy& more) {
    stored += more.stored;
    across += more.across;
    lost += more.lost;
    return *this;
  }
};

/// What to do with a number of contacts.
struct ForceRules {
  const LawTable* laws;
  double step;
  bool rough;    ///< some two materials have friction: springs are kept
  bool rolls;    ///< … rolling friction
  bool returns;  ///< … a restitution
  bool coheres;  ///< … cohesion
};

/// How far friction is stretched in a contact (three numbers) and rolling resistance turned (three
/// more). Single precision keeps that to a ten-millionth, far below what any law of friction means;
/// springs are most of what a contact needs memory for.
using Spring = std::array<float, 6>;

/// Of an image in a list of those that pairs have.
using ImageNumber = std::uint16_t;

/// Pairs of particles, a run of a list that is sorted by a. The particles a of a run are its own:
/// what their contacts push goes to them, also to b if it is one of them. What goes to others is
/// put aside, one slot after the other, so that runs can be done side by side.
struct PairRun {
  const Pair* pairs;
  std::size_t count;
  std::array<float*, 6> spring;  ///< of each pair: of friction, only if rough; of rolling
  const ImageNumber* image;      ///< of b, in `shifts`; null if nothing is periodic
  const Record* shifts;
  Index end;         ///< own particles are below
  Index first_slot;  ///< in `push` and `twist`
};

/// A particle and a wall that it touches, or may soon touch.
struct WallPush {
  Record normal;    ///< from the wall to the particle, and the overlap
  Record velocity;  ///< of the wall, where they touch
  Record force;     ///< what the particle feels, and what its torque takes from a wall that turns
  Spring spring;    ///< what it was, and after that what it is
  Index particle;
  std::uint16_t body;
  std::uint8_t material;  ///< of the body
  bool taken;             ///< its spring belongs to another now
};

struct WallRun {
  WallPush* touches;
  std::size_t count;
  const Record* spin;  ///< of each body
};

/// A particle that touches, or may soon touch, a plane that never moves.
struct RestPush {
  Spring spring;
  std::array<double, 3> force;  ///< what the particle feels
  Index particle;
  std::uint16_t body;
};

/// Planes, by body.
struct RestRun {
  RestPush* rests;
  std::size_t count;
  const Record* normal;  ///< of length one
  const Record* point;
  const std::uint8_t* material;
};

}  // namespace abut
