#pragma once

#include <optional>

#include "dem/forces.hpp"
#include "dem/motion.hpp"

namespace abut {

/// The loops that most of a step is spent in, for one law.
struct StepLoops {
  ContactEnergy (*pairs)(const ForceRules&, const ParticleRecords&, const PairRun&);
  ContactEnergy (*walls)(const ForceRules&, const ParticleRecords&, const WallRun&);
  ContactEnergy (*rests)(const ForceRules&, const ParticleRecords&, const RestRun&);
  MoveLoop move;
};

/// Chosen once (see `runs_avx2`). Every number is the same to the last bit, whichever it is.
StepLoops step_loops(Law law, bool rough, bool counts);

/// Those for processors with AVX2, if they may run.
std::optional<StepLoops> avx2_step_loops(Law law, bool rough, bool counts);

}  // namespace abut
