#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

// The machine: memory and threads.

namespace abut {

/// Installed physical memory in bytes.
std::size_t physical_memory();

/// Formats a number of bytes with a binary unit, e.g. "1.5 GiB". Takes a double because estimates
/// may exceed every integer type.
std::string format_bytes(double bytes);

/// Runs numbered tasks in parallel; the calling thread takes part as worker 0. The assignment of
/// tasks to workers is nondeterministic, so results must depend on the task only.
///
/// A pool is a cheap handle: all pools of the process share the other threads, which are started by
/// the first `run` that needs them, up to the largest number asked for, and joined when the last
/// pool is destroyed. Worker k of every run is the same thread, whose cache then holds its data.
///
/// Any number of threads may call `run` at once, also of the same pool: a run never waits for
/// another, but may have fewer workers. `run` from a task calls all its tasks in that thread, as
/// worker 0.
///
/// After fork() the child can create and use new pools. It must not use or destroy those it
/// inherited, whose threads it does not have.
class ThreadPool {
 public:
  using Work = std::function<void(std::size_t task, unsigned worker)>;

  /// `threads` includes the calling thread; 0: all cores.
  explicit ThreadPool(unsigned threads);

  [[nodiscard]] unsigned threads() const { return threads_; }

  /// Calls work(task, worker) for the tasks 0 … tasks−1, where worker < threads(), and returns when
  /// all are done. The first exception is rethrown here after the running tasks have ended; tasks
  /// not yet started are then skipped.
  void run(std::size_t tasks, const Work& work) const;

 private:
  class Workers;

  unsigned threads_;
  std::shared_ptr<Workers> workers_;  ///< null for one thread
};

/// Divides 0 … count−1 into chunks of fixed size, independent of the number of threads. Chunk c
/// contains first(c) … last(c) − 1.
class Chunks {
 public:
  explicit Chunks(std::size_t count, std::size_t chunk_size = 4096)
      : count_(count), chunk_size_(chunk_size) {}
  /// Number of chunks.
  [[nodiscard]] std::size_t size() const { return (count_ + chunk_size_ - 1) / chunk_size_; }
  [[nodiscard]] std::size_t first(std::size_t chunk) const { return chunk * chunk_size_; }
  [[nodiscard]] std::size_t last(std::size_t chunk) const {
    return std::min(count_, (chunk + 1) * chunk_size_);
  }

 private:
  std::size_t count_;
  std::size_t chunk_size_;
};

}  // namespace abut
