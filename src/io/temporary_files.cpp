#include "io/temporary_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/message.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

// A slot for a path. A signal handler may use only fixed memory and atomic flags.
struct TemporaryPath {
  std::atomic<bool> is_reserved{false};
  std::atomic<bool> is_set{false};
  std::array<char, PATH_MAX> path{};
};
// More slots than any command has outputs.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::array<TemporaryPath, 256> temporary_paths;

}  // namespace

void register_temporary(const std::string& path) {
  for (TemporaryPath& slot : temporary_paths) {
    if (path.size() >= slot.path.size() || slot.is_reserved.exchange(true)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.is_set = true;
    return;
  }
  throw Error(
      message("cannot write ", path, ": the path is too long, or there are too many outputs"),
      ErrorCode::io, {.file = path});
}

void unregister_temporary(const std::string& path) {
  for (TemporaryPath& slot : temporary_paths) {
    if (!slot.is_set || path != slot.path.data()) continue;
    slot.is_set = false;
    slot.is_reserved = false;
  }
}

void remove_temporaries() noexcept {
  for (const TemporaryPath& slot : temporary_paths)
    if (slot.is_set) unlink(slot.path.data());
  // In reverse: a folder is registered before its subfolders.
  for (std::size_t i = temporary_paths.size(); i-- > 0;)
    if (temporary_paths[i].is_set) rmdir(temporary_paths[i].path.data());
}

std::vector<std::string> list_folder(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  if (error)
    throw Error(message("cannot read the folder ", folder, ": ", error.message()), ErrorCode::io,
                {.file = folder});
  return names;
}

void remove_stale_temporaries(const std::string& folder,
                              const std::function<bool(std::string_view)>& matches) {
  for (const std::string& name : list_folder(folder)) {
    const std::optional<std::string_view> final = final_name(name);
    if (!final || !matches(*final)) continue;
    std::error_code ignored;  // a file that cannot be removed does no harm
    fs::remove(fs::path(folder) / name, ignored);
  }
}

FolderLock::FolderLock(const std::string& folder)
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): signature of open
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw Error(ErrorCode::io, {.file = folder},
              "folder is locked by another abut process; wait for it, or choose another --out");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace abut
