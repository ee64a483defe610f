#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "scenes/scene.hpp"

namespace abut {

/// The options of the generators, shared by scene and bench.
class SceneArguments {
 public:
  void add_to(Arguments& command) {
    command.add_option("--seed", options_.seed, "seed of random scenes [1]").non_negative();
    command.add_option("--diameter", options_.diameter, "of the largest particle [1]");
    command.add_option("--solid-fraction", options_.solid_fraction,
                       "solid fraction of random scenes [0.5]");
    command.add_option("--spacing", options_.spacing,
                       "distance s of packings b to d, in diameters [1]");
    command.add_option("--size-ratio", options_.size_ratio,
                       "largest to smallest diameter of polydisperse scenes [32]");
    command.add_flag("--spatial-order", options_.spatial_order,
                     "number random particles along a raster, not by chance");
  }

  /// The words of the command line that stand for them.
  [[nodiscard]] std::vector<std::string> command_line_words() const {
    std::vector<std::string> words{"--seed",           fmt::format("{}", options_.seed),
                                   "--diameter",       fmt::format("{}", options_.diameter),
                                   "--solid-fraction", fmt::format("{}", options_.solid_fraction),
                                   "--spacing",        fmt::format("{}", options_.spacing),
                                   "--size-ratio",     fmt::format("{}", options_.size_ratio)};
    if (options_.spatial_order) words.emplace_back("--spatial-order");
    return words;
  }

  [[nodiscard]] double diameter() const { return options_.diameter; }
  [[nodiscard]] SceneOptions options(const std::string& count) const {
    SceneOptions options = options_;
    options.count = parse_count("--n", count);
    return options;
  }

 private:
  SceneOptions options_;
};

}  // namespace abut
