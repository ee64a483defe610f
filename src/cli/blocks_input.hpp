#pragma once

#include <abut/blocks.hpp>
#include <vector>

#include "io/block_file.hpp"

namespace abut {

/// Particles of a file, and how it calls them.
template <std::size_t D>
struct ReadBlocks {
  Blocks<D> blocks;
  std::vector<std::int64_t> ids;
};

/// Makes particles of what a file holds; outlines and meshes that are not convex are cut into
/// convex parts. Throws `Error` naming the shape that none can be made of, and where it stands.
template <std::size_t D>
ReadBlocks<D> make_blocks(const BlockFile& file);

}  // namespace abut
