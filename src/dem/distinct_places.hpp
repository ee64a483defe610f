#pragma once

#include <abut/simulation.hpp>
#include <cstddef>

#include "dem/particle_store.hpp"

namespace abut {

/// Throws `Error` where a particle would be at the very place of another: no direction leads from
/// one to the other, so nothing would push them apart. Those that never move may share a place.
template <std::size_t D>
void check_distinct_places(const ParticleStore& there, const NewParticles<D>& more,
                           std::size_t first_id);

}  // namespace abut
