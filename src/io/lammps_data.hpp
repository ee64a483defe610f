#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <abut/spheres.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Spheres as read from a LAMMPS data file of atom_style sphere, in the order of the section Atoms.
struct LammpsData {
  std::string file;  ///< name in messages
  Box<3> box{};
  std::vector<std::int64_t> id;
  std::vector<std::uint32_t> type;  ///< counted from 1
  SphereArrays<3> spheres;
  std::vector<double> density;
  bool has_velocities = false;  ///< otherwise all velocities are zero
  std::vector<Vec<3>> velocity;
  std::vector<Vec<3>> angular_velocity;
  std::size_t first_row = 0;  ///< offset of the first atom in the text, in bytes

  [[nodiscard]] std::size_t size() const { return id.size(); }
};

/// Reads a LAMMPS data file, which may be compressed by gzip:
///
///     comment
///
///     2 atoms
///     1 atom types
///     0 40 xlo xhi            (likewise y and z)
///
///     Atoms # sphere
///
///     1 1 1.0 2.5 19.4 6.5 14.5 33 0 0     id type diameter density x y z [image flags]
///
///     Velocities
///
///     1 0.1 0 0 0 0 0                      id vx vy vz wx wy wz
///
/// Image flags are ignored, as are the sections Masses, Pair Coeffs and PairIJ Coeffs. Throws
/// `Error` with file, line, key and value, also for triclinic boxes.
[[nodiscard]] LammpsData read_lammps_data(const std::string& path);

/// Reads the text of a LAMMPS data file. `name` is the file in messages.
[[nodiscard]] LammpsData read_lammps_data(const std::string& name, std::string_view text);

/// The message about a triclinic box.
inline constexpr std::string_view triclinic_box_problem =
    "triclinic boxes are not supported; write the file with an orthogonal box";

}  // namespace abut
