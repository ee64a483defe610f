#pragma once

#include <string>

#include "io/vtk_reader.hpp"
#include "show/shown.hpp"

namespace abut {

/// A file of `abut run` as a part of what is shown. Throws `Error` naming the file for a field that
/// is missing, and for numbers that are none.
ShownParticles particles_of(const std::string& path, const VtkContent& file);
ShownContacts contacts_of(const std::string& path, const VtkContent& file);
ShownWalls walls_of(const std::string& path, const VtkContent& file);

/// Whether nothing in it leaves the plane.
bool is_flat(const ShownFrame& frame);

}  // namespace abut
