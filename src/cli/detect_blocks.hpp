#pragma once

#include <abut/blocks.hpp>
#include <string>
#include <vector>

#include "cli/particle_input.hpp"
#include "io/block_file.hpp"

namespace abut {

/// Particles of a file, and how it calls them.
template <std::size_t D>
struct LoadedBlocks {
  Blocks<D> blocks;
  std::vector<std::int64_t> ids;
};

/// Makes particles of what a file holds; outlines and meshes that are not convex are cut into
/// convex parts. Throws `Error` naming the shape that none can be made of, and where it stands.
template <std::size_t D>
LoadedBlocks<D> make_blocks(const BlockFile& file);

/// What `abut detect` is asked of polygons or polyhedra.
struct BlockDetection {
  const ParticleInput& input;
  std::string path;
  std::string out;
  std::string svg_path;
  Method method;
  bool verbose;

  /// The exit status.
  [[nodiscard]] int run() const;
};

}  // namespace abut
