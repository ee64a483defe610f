#pragma once

#include <array>
#include <string_view>

namespace abut {

/// A key of a case file, or a value of a key, that had another name in earlier versions of abut.
/// The former name is an error, and the message gives the current one.
struct RenamedKey {
  std::string_view table;  ///< without brackets; empty for top-level keys and tables
  std::string_view former;
  std::string_view current;
  std::string_view hint = {};  ///< appended to the message
};

inline constexpr std::array<RenamedKey, 27> renamed_keys{{
    {"", "detector", "search_method"},
    {"", "ledger", "track_energy"},
    {"", "release", "insertion"},
    {"contact", "between", "materials"},
    {"contact", "tension", "limit_damping", "its meaning is inverted"},
    {"contact", "tangential_stiffness", "tangential_stiffness_ratio"},
    {"contact", "tangential_damping", "tangential_damping_ratio"},
    {"contact", "cohesion", "cohesion_force"},
    {"wall", "outer", "outer_radius"},
    {"wall", "inner", "inner_radius"},
    {"wall", "centre", "center"},
    {"wall", "opens", "open_time"},
    {"wall", "closes", "close_time"},
    {"motion", "turning", "angular_velocity"},
    {"motion", "centre", "center"},
    {"motion", "from", "start_time"},
    {"motion", "until", "end_time"},
    {"insertion", "spin", "angular_velocity"},
    {"insertion", "from", "start_time"},
    {"insertion", "every", "interval"},
    {"insertion", "batch", "batch_size"},
    {"region", "inside", "mesh"},
    {"region", "centre", "center"},
    {"output", "frames", "frame_interval"},
    {"output", "probes", "probe_interval"},
    {"output", "checkpoints", "checkpoint_interval"},
    {"output", "solid_fraction", "solid_fraction_box"},
}};

/// For values, `table` is the key.
inline constexpr std::array<RenamedKey, 2> renamed_values{{
    {"shape", "ring", "annulus"},
    {"shape", "disc", "disk"},
}};

}  // namespace abut
