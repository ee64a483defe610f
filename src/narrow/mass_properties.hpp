#pragma once

#include <abut/blocks.hpp>
#include <span>

#include "narrow/polyhedron_topology.hpp"

namespace abut {

/// Mass properties of a polyhedron for unit density. Only the volume is set if it is not positive.
MassProperties<3> mass_properties(const PolyhedronTopology& topology,
                                  std::span<const Point<3>> vertices);

/// The volume enclosed by a closed mesh; negative if it is oriented inward.
double signed_volume(const Mesh<3>& mesh);

}  // namespace abut
