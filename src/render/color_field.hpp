#pragma once

#include <string>
#include <vector>

#include "frames/dataset.hpp"

namespace abut {

/// What is coloured by it: a number for each particle, polygon or contact.
struct ColorField {
  std::string label;
  std::vector<float> values;
  bool starts_at_zero = true;  ///< whether colours begin at 0, or at the least value
  bool is_integer = false;     ///< whole numbers
};

/// By name: velocity, force, radius, id, coordination, or a field of the file. An empty name takes
/// what says most. Throws `Error` naming what there is.
ColorField find_color_field(const FrameData& frame, const std::string& name);

/// What the chains of contacts are drawn by: their force, or else their overlap.
ColorField find_force_chain_field(const FrameData& frame);

/// Which particles never move, and stand for walls; empty if none does.
std::vector<bool> fixed_particles(const FrameData& frame);

const FrameField* find_field(const std::vector<FrameField>& fields, const std::string& name);

}  // namespace abut
