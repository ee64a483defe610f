#pragma once

#include "cli/command.hpp"

namespace abut {

// The benchmark subcommands, each in the file of its name.
Command bench_command(CLI::App& program);
Command bench_walls_command(CLI::App& program);
Command bench_polygons_command(CLI::App& program);
Command bench_polyhedra_command(CLI::App& program);
Command bench_dem_command(CLI::App& program);

}  // namespace abut
