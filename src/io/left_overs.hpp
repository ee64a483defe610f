#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// The names of what is in a folder. Throws `Error` with the system's reason.
[[nodiscard]] std::vector<std::string> names_in(const std::string& folder);

/// Removes unfinished files that writers left in a folder when they were killed, where `ours` says
/// so of the name they were to have. Nobody may be writing there.
void remove_left_overs(const std::string& folder,
                       const std::function<bool(std::string_view)>& ours);

}  // namespace abut
