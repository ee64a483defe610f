#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <abut/walls.hpp>
#include <array>
#include <span>

#include "io/output_file.hpp"

namespace abut {

/// Walls in a picture, and where particles touch them.
struct DrawnWalls {
  std::span<const Mesh<2>* const> meshes{};
  std::span<const WallContact<2>> contacts{};
};

/// Draws discs, walls and a line for each contact as SVG; the more contacts, the darker the disc.
void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs,
                   const DrawnWalls& walls = {});

/// In a periodic domain: a line across a face is drawn from both ends.
void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods,
                   const DrawnWalls& walls = {});

}  // namespace abut
