#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <utility>

namespace abut {
namespace {

// The number at the beginning of a text, and the remaining text; −1 if there is no finite number.
std::pair<double, std::string_view> leading_number(std::string_view text) {
  double value = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return {-1, {}};
  return {value, text.substr(static_cast<std::size_t>(stop - text.data()))};
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::size_t parse_count(std::string_view option, std::string_view text) {
  const auto [value, rest] = leading_number(text);
  if (!(value >= 0 && value <= 2147483647 && std::floor(value) == value && rest.empty()))
    throw Error(fmt::format(
        "{} = '{}': must be a whole number up to 2147483647, such as 1000 or 1e6", option, text));
  return static_cast<std::size_t>(value);
}

std::size_t parse_bytes(std::string_view option, std::string_view text) {
  auto [value, unit] = leading_number(text);
  if (unit.ends_with("iB"))
    unit.remove_suffix(2);
  else if (unit.ends_with("B"))
    unit.remove_suffix(1);
  constexpr std::string_view units = "KMGT";
  const std::size_t power = unit.size() == 1 ? units.find(unit) : std::string_view::npos;
  if (!unit.empty() && power == std::string_view::npos) value = -1;
  if (!unit.empty()) value *= std::pow(1024, static_cast<double>(power) + 1);
  if (!(value >= 1 && value < 0x1p62))
    throw Error(fmt::format("{} = '{}': must be a size, such as 500M or 4G", option, text));
  return static_cast<std::size_t>(value);
}

namespace {

using namespace std::chrono_literals;

bool on_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t terminal_columns() {
  winsize size{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the only interface there is
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::max<std::size_t>(size.ws_col, 20);
}

std::string whole_seconds(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace

bool LineThrottle::is_due(double now) {
  const std::scoped_lock lock(mutex_);
  if (now < next_) return false;
  next_ = now + interval_;
  return true;
}

double LineThrottle::remaining(double now) const {
  const std::scoped_lock lock(mutex_);
  return std::max(0.0, next_ - now);
}

namespace {

double progress_interval() {
  constexpr double usual = 30;  // s
  const char* given = std::getenv("ABUT_PROGRESS_INTERVAL");
  const double seconds = given == nullptr ? -1 : leading_number(given).first;
  return seconds > 0 ? seconds : usual;
}

/// The lines of progress of the program.
struct ProgressLog {
  Stopwatch clock;
  LineThrottle throttle{progress_interval()};
};

ProgressLog& progress_log() {
  static ProgressLog log;
  return log;
}

/// Waits; returns early with true if a stop is requested.
class InterruptibleWait {
 public:
  explicit InterruptibleWait(std::stop_token stop) : stop_(std::move(stop)), lock_(mutex_) {}

  [[nodiscard]] bool stopped_within(std::chrono::duration<double> time) {
    constexpr std::chrono::duration<double> longest = 24h;
    never_.wait_for(lock_, stop_, std::min(time, longest), [] { return false; });
    return stop_.stop_requested();
  }

 private:
  std::stop_token stop_;
  std::mutex mutex_;
  std::condition_variable_any never_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

ProgressBar::ProgressBar(std::string label, double initial_fraction)
    : label_(std::move(label)), initial_fraction_(initial_fraction) {
  (void)progress_log();  // the first interval begins with the first bar
  if (on_terminal())
    thread_ = std::jthread([this](const std::stop_token& stop) { redraw_until(stop); });
  else
    thread_ = std::jthread([this](const std::stop_token& stop) { print_until(stop); });
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::set_label(std::string label, std::string details) {
  const std::scoped_lock lock(mutex_);
  label_ = std::move(label);
  details_ = std::move(details);
}

void ProgressBar::redraw_until(const std::stop_token& stop) {
  InterruptibleWait wait(stop);
  const Stopwatch watch;
  if (wait.stopped_within(2s)) return;
  do {
    fmt::print(stderr, "\r{}\x1b[K", line(watch.seconds(), terminal_columns()));
    std::fflush(stderr);
  } while (!wait.stopped_within(200ms));
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

void ProgressBar::print_until(const std::stop_token& stop) {
  InterruptibleWait wait(stop);
  const Stopwatch watch;
  auto& [clock, throttle] = progress_log();
  while (!wait.stopped_within(std::chrono::duration<double>(throttle.remaining(clock.seconds()))))
    if (throttle.is_due(clock.seconds())) {
      std::fflush(stdout);  // results so far precede the line if both go to the same file
      // Not fmt::print, which throws if the disk is full.
      (void)std::fputs((log_line(watch.seconds()) + "\n").c_str(), stderr);
    }
}

std::optional<std::string> ProgressBar::numbers(double seconds) const {
  const double fraction = std::clamp(fraction_.load(), 0.0, 1.0);
  if (fraction <= initial_fraction_ || fraction == 1) return {};
  const double remaining = seconds * (1 - fraction) / (fraction - initial_fraction_);
  return fmt::format("{:3.0f} %, {} left", 100 * fraction, whole_seconds(remaining));
}

std::string ProgressBar::log_line(double seconds) const {
  const std::scoped_lock lock(mutex_);
  const std::string text = details_.empty() ? label_ : fmt::format("{}, {}", details_, label_);
  const std::optional<std::string> known = numbers(seconds);
  if (!known) return fmt::format("{}: {} elapsed", text, whole_seconds(seconds));
  return fmt::format("{}: {}", text, known->substr(known->find_first_not_of(' ')));
}

std::string ProgressBar::line(double seconds, std::size_t columns) const {
  const std::scoped_lock lock(mutex_);
  const std::optional<std::string> known = numbers(seconds);
  if (!known) return fmt::format("{} … {}", label_.substr(0, columns / 2), whole_seconds(seconds));
  // The line must fit into one row of the terminal: "\r" cannot erase a wrapped line.
  constexpr std::size_t max_width = 30;
  const std::size_t space = columns - std::min(columns, label_.size() + known->size() + 5);
  if (space == 0) return (label_ + " " + *known).substr(0, columns - 1);
  const std::size_t width = std::min(space, max_width);
  const double fraction = std::clamp(fraction_.load(), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(width));
  return fmt::format("{} [{:#<{}}{:.<{}}] {}", label_, "", filled, "", width - filled, *known);
}

}  // namespace abut
