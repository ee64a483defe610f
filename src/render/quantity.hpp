#pragma once

#include <string>
#include <vector>

#include "show/shown.hpp"

namespace abut {

/// What is coloured by it: a number for each particle, polygon or contact.
struct Quantity {
  std::string label;
  std::vector<float> values;
  bool from_zero = true;  ///< whether colours begin at 0, or at the least value
  bool whole = false;     ///< whole numbers
};

/// By name: velocity, force, radius, id, coordination, or a field of the file. An empty name takes
/// what says most. Throws `Error` naming what there is.
Quantity quantity_of(const ShownFrame& frame, const std::string& name);

/// What the chains of contacts are drawn by: their force, or else their overlap.
Quantity chain_quantity(const ShownFrame& frame);

/// Which particles never move, and stand for walls; empty if none does.
std::vector<bool> fixed_particles(const ShownFrame& frame);

const ShownField* field_named(const std::vector<ShownField>& fields, const std::string& name);

}  // namespace abut
