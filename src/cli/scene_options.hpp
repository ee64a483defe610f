#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/units.hpp"
#include "scenes/scene.hpp"

namespace abut {

/// The options of the generators, shared by scene and bench.
class SceneArguments {
 public:
  void add_to(Arguments& command) {
    command.add_option("--seed", options_.seed, "seed of random scenes [1]").not_negative();
    command.add_option("--diameter", options_.diameter, "of the largest particle [1]");
    command.add_option("--fraction", options_.fraction, "solid fraction of random scenes [0.5]");
    command.add_option("--spacing", options_.spacing,
                       "distance s of packings b to d, in diameters [1]");
    command.add_option("--ratio", options_.ratio,
                       "largest to smallest diameter of polydisperse scenes [32]");
    command.add_flag("--raster", options_.raster,
                     "number random particles along a raster, not by chance");
  }

  /// The words of the command line that stand for them.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> words{"--seed",     fmt::format("{}", options_.seed),
                                   "--diameter", fmt::format("{}", options_.diameter),
                                   "--fraction", fmt::format("{}", options_.fraction),
                                   "--spacing",  fmt::format("{}", options_.spacing),
                                   "--ratio",    fmt::format("{}", options_.ratio)};
    if (options_.raster) words.emplace_back("--raster");
    return words;
  }

  [[nodiscard]] double diameter() const { return options_.diameter; }
  [[nodiscard]] SceneOptions options(const std::string& count) const {
    SceneOptions options = options_;
    options.count = count_from("--n", count);
    return options;
  }

 private:
  SceneOptions options_;
};

}  // namespace abut
