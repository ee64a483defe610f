#pragma once

#include <sys/resource.h>

#include <csignal>

namespace abut::testing {

/// While it lives, no file of this process can grow beyond this: as if the disk was full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t largest_file) : previous_limit_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit lower{largest_file, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, previous_limit_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*previous_limit_)(int);
  rlimit limit_{};
};

}  // namespace abut::testing
