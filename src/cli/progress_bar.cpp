#include "cli/progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace abut {
namespace {

using namespace std::chrono_literals;

bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string(kind) != "dumb";
}

std::string seconds_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), terminal_(on_terminal()) {}

ProgressBar::~ProgressBar() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::show(double part) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now - start_ < 2s || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  constexpr int width = 30;
  part = std::clamp(part, 1e-6, 1.0);
  const int full = static_cast<int>(part * width);
  const double passed = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3.0f} %, {} left\x1b[K", label_, "", full, "",
             width - full, 100 * part, seconds_text(passed * (1 - part) / part));
  std::fflush(stderr);
}

}  // namespace abut
