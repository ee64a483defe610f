#pragma once

#include <abut/case.hpp>
#include <string>

namespace abut {

/// Reads a case (TOML) and the meshes it names, relative to a folder or else to its own, and checks
/// all of it: an `Error` names file, line, column, and for a key that does not exist the nearest
/// that does.
AnyCase read_case(const std::string& path, const std::string& folder = {});

}  // namespace abut
