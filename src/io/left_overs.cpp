#include "io/left_overs.hpp"

#include <abut/error.hpp>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/message.hpp"
#include "io/output_file.hpp"

namespace abut {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  if (error) throw Error(message("cannot read the folder ", folder, ": ", error.message()));
  return names;
}

void remove_left_overs(const std::string& folder,
                       const std::function<bool(std::string_view)>& ours) {
  for (const std::string& name : names_in(folder)) {
    const std::optional<std::string_view> finished = finished_name(name);
    if (!finished || !ours(*finished)) continue;
    std::error_code ignored;  // what cannot be removed does no harm
    fs::remove(fs::path(folder) / name, ignored);
  }
}

}  // namespace abut
