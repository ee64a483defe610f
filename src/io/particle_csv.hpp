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

// Comma-separated files with a header:
//   particles  x,y[,z],r[,id]   in any order, other columns are passed over
//   pairs      a,b,gap          sorted by the rows of the particles, the earlier first; a and b are
//                               their ids where they have them, else the rows counted from 0;
//                               gap = |x_a − x_b| − (r_a + r_b)
//              a,b,gap,ix,iy[,iz]   in a periodic domain; b is moved by ix, iy, iz periods

ParticleFile read_particles_csv(std::string_view name, std::string_view text,
                                const std::optional<Bounds>& bounds, int dimension,
                                const Progress& progress);

/// The line a particle, counted from 0, stands in.
std::size_t csv_line_number(std::string_view text, std::size_t particle);

template <std::size_t D>
void write_particles_csv(OutputFile& out, const Spheres<D>& particles, const Progress& progress);

/// `ids` may be empty.
template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const Pair> pairs, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress);
template <std::size_t D>
void write_pairs_csv(OutputFile& out, std::span<const PeriodicPair<D>> pairs,
                     const std::array<double, D>& periods, const Spheres<D>& particles,
                     std::span<const std::int64_t> ids, const Progress& progress);

}  // namespace abut
