#pragma once

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

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(helpers_.size()) + 1; }

  /// Does all tasks and returns when they are done. The first exception is thrown again here,
  /// after the tasks under way have ended.
  void run(std::size_t tasks, const Work& work);

 private:
  void help(const std::stop_token& stop, unsigned worker);
  template <class Condition>
  void watch(const Condition& condition) const;
  void take_tasks(unsigned worker);

  std::mutex mutex_;
  std::condition_variable_any begin_;
  std::condition_variable_any end_;
  const Work* work_ = nullptr;
  std::size_t tasks_ = 0;
  bool watches_ = false;  ///< there is a core for each
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> round_ = 0;
  bool open_ = false;               ///< helpers may still join
  std::atomic<unsigned> busy_ = 0;  ///< those who did
  std::exception_ptr failure_;
  std::vector<std::jthread> helpers_;
};

}  // namespace abut
