#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Registers a file or folder that `remove_temporaries` removes if the program is interrupted.
/// Throws `Error` (code io) if there are too many (256) or the path is too long. Thread-safe.
void register_temporary(const std::string& path);
void unregister_temporary(const std::string& path);

/// Removes all registered files, then all registered folders that are empty. May be called from a
/// signal handler.
void remove_temporaries() noexcept;

/// The names of the entries of a folder, unsorted. Throws `Error` (code io).
[[nodiscard]] std::vector<std::string> list_folder(const std::string& folder);

/// Removes temporary files that a killed process left in a folder, if `matches` is true for the
/// final name of the file. No other process may write to the folder meanwhile.
void remove_stale_temporaries(const std::string& folder,
                              const std::function<bool(std::string_view)>& matches);

/// Locks a folder against other abut processes for the lifetime of this object; the operating
/// system also releases the lock of a killed process. Throws `Error` (code io) if the folder is
/// locked. On file systems without locks, nothing is locked.
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
