#pragma once

#include <abut/export.hpp>
#include <string_view>

// Version of the headers, by semantic versioning. CMake reads the version of the project from here.
#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0

#define ABUT_STRINGIFY_(x) #x
#define ABUT_JOIN_VERSION_(major, minor, patch) \
  ABUT_STRINGIFY_(major) "." ABUT_STRINGIFY_(minor) "." ABUT_STRINGIFY_(patch)

/// The version as text, such as "0.1.0".
#define ABUT_VERSION ABUT_JOIN_VERSION_(ABUT_VERSION_MAJOR, ABUT_VERSION_MINOR, ABUT_VERSION_PATCH)

namespace abut {

/// Version of the linked library. Differs from `ABUT_VERSION` if a shared library of another
/// version than that of the headers was loaded.
[[nodiscard]] ABUT_API std::string_view version() noexcept;

}  // namespace abut
