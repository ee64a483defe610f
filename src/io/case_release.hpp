#pragma once

#include <abut/case.hpp>
#include <filesystem>
#include <utility>

#include "io/toml_table.hpp"

namespace abut {

/// What a [[release]] lets in: particles of a region, or those of a file in this folder. Name and
/// material are given; domain and fixed balls of the case are known already.
template <std::size_t D>
Inflow<D> inflow_from(TomlTable& one, Inflow<D> inflow, const std::filesystem::path& folder,
                      const Case<D>& so_far);

/// Also of those that come later, so that no run ends in its middle for what could be seen before.
template <std::size_t D>
void check_inflow(const TomlTable& one, const Inflow<D>& inflow, const Case<D>& whole);

/// The smallest of its particles.
template <std::size_t D>
double smallest_radius(const Inflow<D>& inflow);

/// `radius`: one number, or the smallest and the largest.
std::pair<double, double> radii_from(TomlTable& one);

}  // namespace abut
