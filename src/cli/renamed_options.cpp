#include <algorithm>
#include <array>

#include "cli/command.hpp"

namespace abut {
namespace {

/// An empty command stands for the names of the commands themselves.
struct RenamedOption {
  std::string_view command;
  std::string_view old_name;
  std::string_view new_name;
};

constexpr std::array renamed_options{
    RenamedOption{"", "release", "insert"},
    RenamedOption{"mesh", "ring", "torus"},
    RenamedOption{"detect", "--picture", "--svg"},
    RenamedOption{"detect", "--max-memory", "--memory-limit"},
    RenamedOption{"compare", "--max-memory", "--memory-limit"},
    RenamedOption{"scene", "--fraction", "--solid-fraction"},
    RenamedOption{"scene", "--ratio", "--size-ratio"},
    RenamedOption{"scene", "--raster", "--spatial-order"},
    RenamedOption{"insert", "--fraction", "--solid-fraction"},
    RenamedOption{"insert", "--attempts", "--max-attempts"},
    RenamedOption{"insert", "--into", "--existing"},
    RenamedOption{"bench", "--fraction", "--solid-fraction"},
    RenamedOption{"bench", "--ratio", "--size-ratio"},
    RenamedOption{"bench", "--raster", "--spatial-order"},
    RenamedOption{"bench", "--peers", "--libraries"},
    RenamedOption{"bench-walls", "--peers", "--libraries"},
    RenamedOption{"bench-walls", "--near", "--near-fraction"},
    RenamedOption{"bench-polygons", "--peers", "--libraries"},
    RenamedOption{"bench-polygons", "--near", "--max-gap"},
    RenamedOption{"bench-polygons", "--stream", "--n-uncached"},
    RenamedOption{"bench-polyhedra", "--peers", "--libraries"},
    RenamedOption{"bench-dem", "--peers", "--libraries"},
    RenamedOption{"bench-dem", "--smooth", "--frictionless"},
    RenamedOption{"bench-dem", "--rough", "--friction"},
    RenamedOption{"run", "--check", "--verify-every"},
    RenamedOption{"render", "--cut", "--clip"},
    RenamedOption{"render", "--chains", "--force-chains"},
    RenamedOption{"render", "--sheet", "--montage"},
    RenamedOption{"render", "--colour", "--color"},
};

}  // namespace

std::string_view renamed_option(std::string_view command, std::string_view old_name) {
  const auto* const found = std::ranges::find_if(renamed_options, [&](const RenamedOption& option) {
    return option.command == command && option.old_name == old_name;
  });
  return found == renamed_options.end() ? std::string_view() : found->new_name;
}

}  // namespace abut
