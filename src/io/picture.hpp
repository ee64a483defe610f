#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <span>

#include "io/output_file.hpp"

namespace abut {

/// Draws discs and a line for each contact as SVG; discs without contacts are paler. Throws
/// `Error` in 3D.
template <std::size_t D>
void draw_contacts(OutputFile& out, const Spheres<D>& particles, std::span<const Pair> pairs);

}  // namespace abut
