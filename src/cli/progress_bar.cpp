#include "cli/progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "cli/units.hpp"

namespace abut {
namespace {

using namespace std::chrono_literals;

bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string whole_seconds(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)) {
  if (on_terminal())
    drawing_ = std::jthread([this](const std::stop_token& stop) { draw_until(stop); });
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::say(std::string label) {
  const std::scoped_lock lock(mutex_);
  label_ = std::move(label);
}

void ProgressBar::draw_until(const std::stop_token& stop) {
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
    fmt::print(stderr, "\r{}\x1b[K", line(watch.seconds()));
    std::fflush(stderr);
  } while (!stopped_within(200ms));
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

std::string ProgressBar::line(double seconds) const {
  const std::scoped_lock lock(mutex_);
  constexpr int width = 30;
  const double part = std::clamp(part_.load(), 0.0, 1.0);
  if (part == 0 || part == 1) return fmt::format("{} … {}", label_, whole_seconds(seconds));
  const int full = static_cast<int>(part * width);
  return fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} %, {} left", label_, "", full, "", width - full,
                     100 * part, whole_seconds(seconds * (1 - part) / part));
}

}  // namespace abut
