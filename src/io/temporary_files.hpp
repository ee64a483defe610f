#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Files and folders that are only meant to stay once the work is done; an interrupt removes them.
void register_temporary(const std::string& path);
void unregister_temporary(const std::string& path);

/// Removes all that is remembered: files first, then folders that are empty. Safe in a signal
/// handler.
void remove_temporaries() noexcept;

/// The names of what is in a folder. Throws `Error` with the system's reason.
[[nodiscard]] std::vector<std::string> list_folder(const std::string& folder);

/// Removes unfinished files that writers left in a folder when they were killed, where `ours` says
/// so of the name they were to have. Nobody may be writing there.
void remove_stale_temporaries(const std::string& folder,
                              const std::function<bool(std::string_view)>& ours);

/// Nobody else works in a folder as long as this lives; the system lets go of it also where a
/// program is killed. Throws `Error` if somebody does. Where a file system has no locks there are
/// none.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace abut
