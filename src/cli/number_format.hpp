#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace abut {

/// "1.23 s", "45.6 ms": a time as people read it.
std::string time_text(double seconds);

/// A count as people write it: 1000, 2e5, 1e7. Throws `Error` naming the option otherwise.
std::size_t parse_count(std::string_view option, std::string_view text);

/// Bytes as people write them: 500M, 4G, 1.5GiB. Throws `Error` naming the option otherwise.
std::size_t parse_bytes(std::string_view option, std::string_view text);

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace abut
