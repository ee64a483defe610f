#include "io/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <cerrno>

namespace abut {

FolderLock::FolderLock(const std::string& folder)
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how the system's function is
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw Error(folder + ": another abut is running in it; wait for it, or choose another --out");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace abut
