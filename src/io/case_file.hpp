#pragma once

#include <abut/case.hpp>
#include <string>

namespace abut {

/// Reads and checks a case (TOML) and the mesh and particle files it refers to. Paths in the case
/// are relative to `folder`, or to the folder of the case if that is empty. Throws `Error` with
/// file, line, column, key and value.
AnyCase read_case(const std::string& path, const std::string& folder = {});

}  // namespace abut
