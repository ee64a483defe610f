#pragma once

#include <abut/simulation.hpp>
#include <cstddef>

#include "dem/record.hpp"

namespace abut {

/// Which part of a step is done. Between two steps nobody looks at, the end of one and the begin of
/// the next are done in one pass over the particles.
enum class StepPart : unsigned char { begin, end, end_and_begin };

/// Some particles that move, and what moves them.
struct MotionRun {
  Record* place;
  Record* velocity;
  Record* spin;
  Record* push;          ///< forces; cleared where a step begins
  Record* twist;         ///< torques; likewise
  Record* acceleration;  ///< of the step before; only for the predictor and corrector
  Record* turning;       ///< the same of the spin
  std::size_t first;
  std::size_t last;
  Record gravity;
  Record low;  ///< the domain
  Record high;
  double step;
  bool rough;  ///< whether anything turns
};

struct MotionReport {
  double speed_squared = 0;  ///< the largest
  bool all_well = true;      ///< all numbers are finite, and nobody is outside
};

/// Moves some particles on. Central difference: the velocity belongs to half a step before the
/// place (leapfrog). Velocity Verlet: v half a step, x, forces, v the other half; forces see the
/// velocity between. Predictor and corrector: x and v as the last acceleration has it, forces, and
/// then the mean of the last acceleration and the new one in its place (trapezoidal rule, once).
using MoveLoop = MotionReport (*)(Integrator, StepPart, const MotionRun&);

}  // namespace abut
