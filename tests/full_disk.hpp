#pragma once

#include <sys/resource.h>

#include <csignal>

namespace abut::testing {

/// Simulates a full disk: during its lifetime no file of this process can grow beyond a size.
class FullDisk {
 public:
  explicit FullDisk(rlim_t max_file_size) : previous_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit lower{max_file_size, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, previous_handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*previous_handler_)(int);
  rlimit limit_{};
};

}  // namespace abut::testing
