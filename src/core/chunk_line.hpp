#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace abut {

/// Numbered chunks of work for several threads, whose results one of them, the caller, hands on in
/// the order of the numbers. No more than `room` results wait at a time.
class ChunkLine {
 public:
  ChunkLine(std::size_t chunks, std::size_t room) : chunks_(chunks), ready_(room, false) {}

  enum class Task { search, hand_on, none };
  struct Turn {
    Task task;
    std::size_t chunk;
  };

  /// What to do next; waits until there is something. The caller hands on what is ready first, so
  /// that the others find room.
  Turn next(bool caller) {
    std::unique_lock lock(mutex_);
    while (!failed_) {
      if (caller && handed_on_ < taken_ && ready_[handed_on_ % ready_.size()])
        return {Task::hand_on, handed_on_};
      if (taken_ < chunks_ && taken_ < handed_on_ + ready_.size()) return {Task::search, taken_++};
      if (caller ? handed_on_ == chunks_ : taken_ == chunks_) break;
      changed_.wait(lock);
    }
    return {Task::none, 0};
  }

  void searched(std::size_t chunk) {
    change([&] { ready_[chunk % ready_.size()] = true; });
  }

  void handed_on() {
    change([&] { ready_[handed_on_++ % ready_.size()] = false; });
  }

  /// Nobody shall wait for a chunk that will never be ready.
  void fail() {
    change([&] { failed_ = true; });
  }

 private:
  template <class Change>
  void change(const Change& change) {
    {
      const std::lock_guard lock(mutex_);
      change();
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t chunks_;
  std::size_t taken_ = 0;
  std::size_t handed_on_ = 0;
  bool failed_ = false;
  std::vector<bool> ready_;
};

}  // namespace abut
