#pragma once

#include <cstddef>

namespace abut {

/// The most memory the process has had resident since it was made; 0 where the system does not
/// tell. Memory the allocator holds free is given back first, so that earlier work does not count.
class PeakMemory {
 public:
  PeakMemory();
  [[nodiscard]] std::size_t bytes() const;

 private:
  bool known_;
};

}  // namespace abut
