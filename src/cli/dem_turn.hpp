#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace abut {

/// Kinetic energy, without that of rotation.
struct EnergySample {
  std::size_t step;
  double energy;
};

/// What a program did in its turn.
struct DemTurn {
  double seconds = 0;
  std::vector<EnergySample> energies = {};
  StepTimes parts = {};   ///< of ours
  std::size_t bytes = 0;  ///< of ours, at most, beside what it was given; 0 if not known
};

/// Another program that has a box to run.
class DemProgram {
 public:
  virtual ~DemProgram() = default;

  /// Runs so many steps from the settled box. Throws `Error` with what the program complains of.
  [[nodiscard]] virtual DemTurn run(std::size_t steps) const = 0;
};

}  // namespace abut
