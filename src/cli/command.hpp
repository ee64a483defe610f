#pragma once

#include <functional>

#include "cli/arguments.hpp"

namespace abut {

/// A subcommand: its options are parsed into what `run` has captured; `run` returns the exit
/// status.
struct Command {
  Arguments arguments;
  std::function<int()> run;
};

// Exit statuses of the program.
inline constexpr int done = 0;
inline constexpr int differs = 1;     ///< compare: methods disagree; validate: a verdict fails
inline constexpr int fell_short = 1;  ///< release: not all particles found a place
inline constexpr int bad_input = 2;   ///< files, options or the machine: one line on stderr

inline constexpr int most_threads = 1024;  ///< more would be a slip of the finger

// One file each, cli/<name>.cpp.
Command detect_command(CLI::App& program);
Command methods_command(CLI::App& program);
Command compare_command(CLI::App& program);
Command scene_command(CLI::App& program);
Command release_command(CLI::App& program);
Command mesh_command(CLI::App& program);
Command bench_command(CLI::App& program);
Command bench_walls_command(CLI::App& program);
Command bench_polygons_command(CLI::App& program);
Command bench_polyhedra_command(CLI::App& program);
Command bench_dem_command(CLI::App& program);
Command reproduce_command(CLI::App& program);
Command validate_command(CLI::App& program);
Command run_command(CLI::App& program);
Command state_command(CLI::App& program);
Command render_command(CLI::App& program);
Command view_command(CLI::App& program);

}  // namespace abut
