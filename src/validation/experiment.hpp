#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "papers/paper.hpp"

namespace abut {

/// The simulation held against published forms. Quick ones are smaller and allow for it.
struct Experiment {
  std::string_view name;
  std::string_view title;
  std::span<const std::string_view> files;  ///< of its figures, known before the work begins
  double seconds;                           ///< about, on two cores, to tell how much is done
  double quick_seconds;
  std::vector<Figure> (*run)(bool quick, const WorkDone& done);
};

std::span<const Experiment> experiments();

// One file each, validation/<name>.cpp.
extern const Experiment two_bodies_experiment;
extern const Experiment janssen_experiment;
extern const Experiment beverloo_experiment;
extern const Experiment packing_experiment;

}  // namespace abut
