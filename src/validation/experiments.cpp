#include <array>

#include "validation/experiment.hpp"

namespace abut {

std::span<const Experiment> experiments() {
  static const std::array all{two_bodies_experiment, janssen_experiment, beverloo_experiment,
                              packing_experiment};
  return all;
}

}  // namespace abut
