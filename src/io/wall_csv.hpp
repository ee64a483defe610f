#pragma once

#include <abut/walls.hpp>
#include <cstdint>
#include <span>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

/// Writes contacts with walls as comma-separated values, in the order given:
///     particle,wall,feature,gap,nx,ny,nz,px,py,pz      in 2D without nz and pz
/// The particle is its id where there are `ids`, else its row counted from 0.
template <std::size_t D>
void write_wall_contacts_csv(OutputFile& out, std::span<const WallContact<D>> contacts,
                             std::span<const std::int64_t> ids, const Progress& progress);

}  // namespace abut
