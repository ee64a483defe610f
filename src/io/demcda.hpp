#pragma once

#include <abut/pair.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/output_file.hpp"
#include "io/particle_file.hpp"

namespace abut {

// The text files of the Demcda program:
//   bounds.txt    the dimension, then `min max` for each axis
//   elements.txt  the number and the common radius, then `x y [z]` for each element; a further
//                 column is that element's own radius
//   contacts.txt  `i j` for each pair, numbered from 1, i > j, i descending, then j ascending

Bounds read_bounds(const std::string& path);

ParticleFile read_elements(std::string_view name, std::string_view text,
                           const std::optional<Bounds>& bounds, int dimension,
                           const Progress& progress);

template <std::size_t D>
void write_bounds(OutputFile& out, const Box<D>& box);

/// Own radii are written as a column only where they differ.
template <std::size_t D>
void write_elements(OutputFile& out, const Spheres<D>& particles, const Progress& progress);

void write_contacts(OutputFile& out, std::span<const Pair> sorted, std::size_t particles,
                    const Progress& progress);

}  // namespace abut
