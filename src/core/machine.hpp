#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

// The machine: memory, instruction set and threads.

namespace abut {

/// Installed physical memory in bytes.
std::size_t physical_memory();

/// Formats a number of bytes with a binary unit, e.g. "1.5 GiB". Takes a double because estimates
/// may exceed every integer type.
std::string format_bytes(double bytes);

/// Whether to run the AVX2 kernels: the processor supports AVX2 and BMI2, and the environment
/// variable ABUT_SIMD is not "none".
bool use_avx2();

/// Threads that run numbered tasks in parallel; the calling thread takes part as worker 0. The
/// assignment of tasks to workers is nondeterministic, so results must depend on the task only.
/// Not reentrant: `run` must not be called by two threads at once or from a task.
class ThreadPool {
 public:
  using Work = std::function<void(std::size_t task, unsigned worker)>;

  /// `threads` includes the calling thread; 0: all cores.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls work(task, worker) for the tasks 0 … tasks−1 and returns when all are done. The first
  /// exception is rethrown here after the running tasks have ended; tasks not yet started are then
  /// skipped.
  void run(std::size_t tasks, const Work& work);

 private:
  void worker_loop(const std::stop_token& stop, unsigned worker);
  template <class Condition>
  void spin_until(const Condition& condition) const;
  void run_tasks(unsigned worker);

  std::mutex mutex_;
  std::condition_variable_any work_ready_;
  std::condition_variable_any work_done_;
  const Work* work_ = nullptr;
  std::size_t task_count_ = 0;
  bool may_spin_ = false;  ///< every thread has a core
  std::atomic<std::size_t> next_task_ = 0;
  std::atomic<std::size_t> generation_ = 0;
  bool accepting_ = false;                    ///< workers may still join the current run
  std::atomic<unsigned> active_workers_ = 0;  ///< workers that joined
  std::exception_ptr first_exception_;
  std::vector<std::jthread> workers_;
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
