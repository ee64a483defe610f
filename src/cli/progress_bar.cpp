#include "cli/progress_bar.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "cli/number_format.hpp"

namespace abut {
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

ProgressBar::ProgressBar(std::string label, double initial_fraction)
    : label_(std::move(label)), initial_fraction_(initial_fraction) {
  if (on_terminal())
    thread_ = std::jthread([this](const std::stop_token& stop) { redraw_until(stop); });
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::set_label(std::string label) {
  const std::scoped_lock lock(mutex_);
  label_ = std::move(label);
}

void ProgressBar::redraw_until(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  const auto stopped_within = [&](std::chrono::milliseconds time) {
    never.wait_for(lock, stop, time, [] { return false; });
    return stop.stop_requested();
  };
  const Stopwatch watch;
  if (stopped_within(2s)) return;
  do {
    fmt::print(stderr, "\r{}\x1b[K", line(watch.seconds(), terminal_columns()));
    std::fflush(stderr);
  } while (!stopped_within(200ms));
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

std::string ProgressBar::line(double seconds, std::size_t columns) const {
  const std::scoped_lock lock(mutex_);
  const double fraction = std::clamp(fraction_.load(), 0.0, 1.0);
  if (fraction <= initial_fraction_ || fraction == 1)
    return fmt::format("{} … {}", label_.substr(0, columns / 2), whole_seconds(seconds));
  const double remaining = seconds * (1 - fraction) / (fraction - initial_fraction_);
  const std::string numbers =
      fmt::format(" {:3.0f} %, {} left", 100 * fraction, whole_seconds(remaining));
  // The line must fit into one row of the terminal: "\r" cannot erase a wrapped line.
  constexpr std::size_t max_width = 30;
  const std::size_t space = columns - std::min(columns, label_.size() + numbers.size() + 4);
  if (space == 0) return (label_ + numbers).substr(0, columns - 1);
  const std::size_t width = std::min(space, max_width);
  const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(width));
  return fmt::format("{} [{:#<{}}{:.<{}}]{}", label_, "", filled, "", width - filled, numbers);
}

}  // namespace abut
