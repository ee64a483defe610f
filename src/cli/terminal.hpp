#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

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

/// Limits how often something is printed: once per interval (s), first at the end of the first one.
/// Times are in s since any common origin, increasing. Thread-safe.
class LineThrottle {
 public:
  explicit LineThrottle(double interval, double now = 0)
      : interval_(interval), next_(now + interval) {}

  /// Whether an interval has passed since the last `true`; the next one begins then.
  [[nodiscard]] bool is_due(double now);

  /// Time until `is_due` can be true; 0 if it is already.
  [[nodiscard]] double remaining(double now) const;

 private:
  mutable std::mutex mutex_;
  double interval_;
  double next_;
};

/// Shows progress and the estimated remaining time on stderr: on a terminal, as a bar, once the
/// work has taken two seconds; otherwise as lines, at most one every 30 s for the whole program
/// (environment variable ABUT_PROGRESS_INTERVAL: another number of seconds, for tests). A separate
/// thread draws it, so that work without progress reports shows its elapsed seconds. The destructor
/// erases the bar.
class ProgressBar {
 public:
  /// `initial_fraction` of the work was done earlier, by a run that is resumed: the estimate of the
  /// remaining time excludes it.
  explicit ProgressBar(std::string label, double initial_fraction = 0);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Sets the fraction of the work done, 0 to 1. Costs one atomic store.
  void set_fraction(double fraction) { fraction_ = fraction; }

  /// Replaces the text before the bar. `details` precede it in lines, which can be longer.
  void set_label(std::string label, std::string details = {});

  /// `set_fraction` as a callback; valid as long as the bar exists.
  [[nodiscard]] std::function<void(double)> callback() {
    return [this](double fraction) { set_fraction(fraction); };
  }

 private:
  void redraw_until(const std::stop_token& stop);
  void print_until(const std::stop_token& stop);
  [[nodiscard]] std::string line(double seconds, std::size_t columns) const;
  [[nodiscard]] std::string log_line(double seconds) const;
  /// " 40 %, 12 s left"; nothing if that cannot be estimated. The caller holds the mutex.
  [[nodiscard]] std::optional<std::string> numbers(double seconds) const;

  mutable std::mutex mutex_;  // guards label_ and details_
  std::string label_;
  std::string details_;
  double initial_fraction_;
  std::atomic<double> fraction_{0};
  std::jthread thread_;
};

}  // namespace abut
