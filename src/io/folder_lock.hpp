#pragma once

#include <string>

namespace abut {

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
