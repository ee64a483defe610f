#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace abut {

/// A few threads that share out numbered tasks; the caller works along as worker 0. Which worker
/// takes which task is left to chance, so results must depend on the task's number alone.
class ThreadPool {
 public:
  using Work = std::function<void(std::size_t task, unsigned worker)>;

  /// 0 takes every core.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Does all tasks and returns when they are done. The first exception is thrown again here,
  /// after the tasks under way have ended.
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
  bool may_spin_ = false;  ///< there is a core for each
  std::atomic<std::size_t> next_task_ = 0;
  std::atomic<std::size_t> generation_ = 0;
  bool accepting_ = false;                    ///< helpers may still join
  std::atomic<unsigned> active_workers_ = 0;  ///< those who did
  std::exception_ptr first_exception_;
  std::vector<std::jthread> workers_;
};

/// Cuts 0 … count−1 into runs of a fixed length, whatever the number of threads.
class Chunks {
 public:
  explicit Chunks(std::size_t count, std::size_t length = 4096)
      : count_(count), chunk_size_(length) {}
  [[nodiscard]] std::size_t size() const { return (count_ + chunk_size_ - 1) / chunk_size_; }
  [[nodiscard]] std::size_t first(std::size_t run) const { return run * chunk_size_; }
  [[nodiscard]] std::size_t last(std::size_t run) const {
    return std::min(count_, (run + 1) * chunk_size_);
  }

 private:
  std::size_t count_;
  std::size_t chunk_size_;
};

}  // namespace abut
