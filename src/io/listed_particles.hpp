#pragma once

#include <abut/case.hpp>
#include <string>
#include <vector>

namespace abut {

/// Particles of a CSV file (x,y[,z],r) for a simulation. Throws `Error` with file and line for the
/// first that is outside the domain, which is given in `bounds_file`, or at the very place of
/// another or of one of those that are there: nothing would push them apart.
template <std::size_t D>
Places<D> read_listed(const std::string& path, const std::optional<Box<D>>& domain,
                      const std::array<bool, D>& periodic, const std::string& bounds_file,
                      const std::vector<Spheres<D>>& there);

}  // namespace abut
