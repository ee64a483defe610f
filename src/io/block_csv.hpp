#pragma once

#include <abut/blocks.hpp>
#include <span>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

/// Writes a,b,gap,nx,ny[,nz],px,py[,pz],measure and, where the domain repeats, ix,iy[,iz].
/// Particles are named by their ids.
template <std::size_t D>
void write_block_contacts_csv(OutputFile& out, std::span<const BlockContact<D>> contacts,
                              std::span<const std::int64_t> ids, bool images,
                              const Progress& progress);

/// Writes particle,x,y, a corner a line; particles are numbered from 0.
void write_polygons_csv(OutputFile& out, std::span<const std::vector<Point<2>>> polygons);

}  // namespace abut
