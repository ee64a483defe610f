#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "scenes/scene.hpp"

namespace abut {

/// Options of the scene generators, shared by `abut scene` and `abut bench`.
class SceneArguments {
 public:
  void add_to(Arguments& command) {
    command.add_option("--seed", options_.seed, "Random seed (default: 1)")
        .metavar("N")
        .unsigned_integer();
    command
        .add_option("--diameter", options_.diameter,
                    "Diameter of the largest particle (default: 1)")
        .metavar("LENGTH");
    command
        .add_option("--solid-fraction", options_.solid_fraction,
                    "Solid fraction of random scenes (default: 0.5)")
        .metavar("X");
    command
        .add_option("--spacing", options_.spacing,
                    "Center distance s of packings b to d, in diameters (default: 1)")
        .metavar("X");
    command
        .add_option("--size-ratio", options_.size_ratio,
                    "Largest over smallest diameter of polydisperse scenes (default: 32)")
        .metavar("X");
    command.add_flag("--spatial-order", options_.spatial_order,
                     "Number random particles in spatial order instead of random order");
  }

  /// Command-line words that reproduce these options.
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
  /// The options with the number of particles parsed from --n. Throws `Error`.
  [[nodiscard]] SceneOptions options(const std::string& count) const {
    SceneOptions options = options_;
    options.count = parse_count("--n", count);
    return options;
  }

 private:
  SceneOptions options_;
};

}  // namespace abut
