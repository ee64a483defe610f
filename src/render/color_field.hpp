#pragma once

#include <string>
#include <vector>

#include "frames/dataset.hpp"

namespace abut {

/// The scalar field by which particles, blocks or contacts are colored.
struct ColorField {
  std::string label;
  std::string unit;            ///< SI symbol; empty if dimensionless
  std::vector<float> values;   ///< one per particle, polygon, triangle or contact
  bool starts_at_zero = true;  ///< the color scale starts at 0, not at the minimum
  bool is_integer = false;
};

/// The field called `name`: velocity, force, radius, id, coordination_number, or a field of the
/// file (magnitudes of vector fields). An empty name selects the most informative field. Throws
/// `Error` listing the available fields.
ColorField find_color_field(const FrameData& frame, const std::string& name);

/// The field by which force chains are drawn: the contact force, or else the overlap. Throws
/// `Error` if there are no contacts.
ColorField find_force_chain_field(const FrameData& frame);

/// For each particle, whether it is fixed and therefore drawn as part of a wall; empty if no
/// particle is fixed.
std::vector<bool> fixed_particles(const FrameData& frame);

/// The mapping from values to colors, and the labels of its color bar.
struct ColorScale {
  std::string label;  ///< with unit, if the dataset has units
  float low = 0;
  float high = 1;
  bool has_overflow = false;  ///< some values exceed `high` and have the last color
  std::vector<double> ticks;

  /// 0 at `low`, 1 at `high`; not clamped.
  [[nodiscard]] float fraction(float value) const {
    return high > low ? (value - low) / (high - low) : 0.5F;
  }
};

/// A scale for `values`, which may come from several frames; `field` gives label and options.
ColorScale make_color_scale(const ColorField& field, std::vector<float> values, bool with_units);

}  // namespace abut
