#pragma once

#include <abut/blocks.hpp>
#include <span>

#include "io/output_file.hpp"

namespace abut {

/// A convex part of a particle in a picture.
struct DrawnPart {
  std::span<const Point<2>> corners;
  Index particle;
};

/// Draws polygons as SVG, and their contacts: a line along each common plane, as long as the
/// contact, and one across it. Overlaps are red, potential contacts grey. The more contacts, the
/// darker the particle.
void draw_blocks(OutputFile& out, std::span<const DrawnPart> parts,
                 std::span<const BlockContact<2>> contacts);

}  // namespace abut
