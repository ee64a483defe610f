#pragma once

#include <string>

#include "cli/particle_input.hpp"

namespace abut {

/// `abut detect` for polygons and polyhedra: common planes between the convex parts of particles.
struct BlockDetection {
  const ParticleInput& input;
  std::string path;      ///< particle file, or folder of meshes
  std::string out;       ///< contacts as CSV; empty: count only
  std::string svg_path;  ///< drawing of 2D particles; empty: none
  Method method;
  bool verbose;

  /// Reads, searches and writes. Returns the exit status; throws `Error` for bad input.
  [[nodiscard]] int run() const;
};

}  // namespace abut
