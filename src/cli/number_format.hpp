#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace abut {

/// Wall-clock time with three digits and a unit: "1.23 s", "45.6 ms", "7.89 µs".
std::string time_text(double seconds);

/// Parses a count such as 1000, 2e5 or 1e7: an integer in [0, 2³¹−1]. Throws `Error` naming the
/// option otherwise.
std::size_t parse_count(std::string_view option, std::string_view text);

/// Parses a size such as 500M, 4G or 1.5GiB into bytes; K, M, G and T are powers of 1024. Throws
/// `Error` naming the option otherwise.
std::size_t parse_bytes(std::string_view option, std::string_view text);

/// Wall-clock time since construction.
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
