#pragma once

#include <abut/pair.hpp>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

// CSV files with a header:
//   particles  x,y[,z],r[,id]       columns in any order; other columns are ignored
//   pairs      a,b,gap              a and b are ids if the particles have ids, else row numbers
//                                   counted from 0; gap = |x_a − x_b| − (r_a + r_b)
//              a,b,gap,ix,iy[,iz]   in a periodic domain; ix, iy, iz are the periods by which b is
//                                   shifted

/// Reads and checks particles, see `read_particles`. `name` is the file in messages. Ids must be
/// unique. `dimension` is 2, 3 or 0 (from the header).
ParticleFile read_particles_csv(std::string_view name, std::string_view text,
                                const std::optional<Bounds>& bounds, int dimension,
                                const Progress& progress);

/// The line of a particle, both the line counted from 1 and the particle from 0. Reads the text
/// again from its beginning.
std::size_t csv_line_number(std::string_view text, std::size_t particle);

template <std::size_t D>
void write_particles_csv(OutputFile& out, const Spheres<D>& particles, const Progress& progress);

/// Writes the pairs in the given order. `ids` may be empty.
template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const Pair> pairs, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress);
template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const PeriodicPair<D>> pairs,
                     const std::array<double, D>& periods, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress);

}  // namespace abut
