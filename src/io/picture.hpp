#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <span>

#include "io/output_file.hpp"

namespace abut {

/// Draws discs and a line for each contact as SVG; the more contacts, the darker the disc.
void draw_contacts(OutputFile& out, const Spheres<2>& particles, std::span<const Pair> pairs);

/// In a periodic domain: a line across a face is drawn from both ends.
void draw_contacts(OutputFile& out, const Spheres<2>& particles,
                   std::span<const PeriodicPair<2>> pairs, const std::array<double, 2>& periods);

}  // namespace abut
