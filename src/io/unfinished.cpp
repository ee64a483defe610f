#include "io/unfinished.hpp"

#include <unistd.h>

#include <abut/error.hpp>
#include <array>
#include <atomic>
#include <climits>
#include <cstring>

#include "core/message.hpp"

namespace abut {
namespace {

// For the signal handler: fixed memory and atomic flags, because it may touch nothing else. There
// are more than any command has outputs.
struct Pending {
  std::atomic<bool> taken{false};
  std::atomic<bool> ready{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Pending, 256> pending;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void remember_unfinished(const std::string& path) {
  for (Pending& slot : pending) {
    if (path.size() >= slot.path.size() || slot.taken.exchange(true)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.ready = true;
    return;
  }
  throw Error(
      message("cannot write ", path, ": its path is too long, or there are too many outputs"));
}

void forget_unfinished(const std::string& path) {
  for (Pending& slot : pending) {
    if (!slot.ready || path != slot.path.data()) continue;
    slot.ready = false;
    slot.taken = false;
  }
}

void remove_unfinished_output() noexcept {
  for (const Pending& slot : pending)
    if (slot.ready) unlink(slot.path.data());
  // A folder was remembered before what is in it.
  for (std::size_t i = pending.size(); i-- > 0;)
    if (pending[i].ready) rmdir(pending[i].path.data());
}

}  // namespace abut
