#pragma once

#include <string>

namespace abut {

/// Files and folders that are only meant to stay once the work is done; an interrupt removes them.
void remember_unfinished(const std::string& path);
void forget_unfinished(const std::string& path);

/// Removes all that is remembered: files first, then folders that are empty. Safe in a signal
/// handler.
void remove_unfinished_output() noexcept;

}  // namespace abut
