#pragma once

#include <string>

#include "cli/input.hpp"

namespace abut {

/// What `abut detect` is asked of polygons or polyhedra.
struct BlockDetection {
  const Input& input;
  std::string path;
  std::string out;
  std::string picture;
  Method method;
  bool verbose;

  /// The exit status.
  [[nodiscard]] int run() const;
};

}  // namespace abut
