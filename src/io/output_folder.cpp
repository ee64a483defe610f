#include "io/output_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "io/unfinished.hpp"

namespace abut {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  constexpr mode_t any_mode = 0777;  // less the umask
  fs::path place;
  for (const fs::path& part : fs::path(path_)) {
    place /= part;
    std::error_code unknown;
    if (part.empty() || fs::is_directory(place, unknown)) continue;
    remember_unfinished(place.string());
    made_.push_back(place.string());
    if (mkdir(place.c_str(), any_mode) == 0) continue;
    const int error = errno;
    remove_made();  // a constructor that throws has no destructor
    throw Error(message(
        "cannot make the folder ", place.string(), ": ",
        error == EEXIST ? "something else has that name" : std::generic_category().message(error)));
  }
}

OutputFolder::~OutputFolder() { remove_made(); }

// Only what is empty can be removed this way.
void OutputFolder::remove_made() {
  for (; !made_.empty(); made_.pop_back()) {
    rmdir(made_.back().c_str());
    forget_unfinished(made_.back());
  }
}

std::string OutputFolder::file(const std::string& name) const {
  return (fs::path(path_) / name).string();
}

}  // namespace abut
