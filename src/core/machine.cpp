#include "core/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/message.hpp"

namespace abut {

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string format_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  const double rounded = bytes < 1e6 ? std::round(bytes * 10) / 10 : bytes;
  return message(rounded, " ", units[unit]);
}

bool use_avx2() {
  const char* simd = std::getenv("ABUT_SIMD");
  if (simd != nullptr && std::string_view(simd) == "none") return false;
#if defined(__x86_64__)
  return static_cast<bool>(__builtin_cpu_supports("avx2")) &&
         static_cast<bool>(__builtin_cpu_supports("bmi2"));
#else
  return false;
#endif
}

ThreadPool::ThreadPool(unsigned threads) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (threads == 0) threads = cores;
  may_spin_ = threads <= cores;
  workers_.reserve(threads - 1);
  for (unsigned worker = 1; worker < threads; ++worker)
    workers_.emplace_back(
        [this, worker](const std::stop_token& stop) { worker_loop(stop, worker); });
}

ThreadPool::~ThreadPool() {
  for (std::jthread& worker : workers_) worker.request_stop();
  workers_.clear();  // joins the threads while the mutex still exists
}

// Spins for up to a few tenths of a millisecond, since waking a thread takes longer than many
// tasks. Yields now and then to other threads that need the core.
template <class Condition>
void ThreadPool::spin_until(const Condition& condition) const {
  constexpr int max_polls = 4000;
  for (int poll = 1; poll <= max_polls && may_spin_ && !condition(); ++poll) {
    if (poll % 128 == 0) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

// Waits only for workers that have joined: on a busy machine a worker may not be scheduled before
// all tasks are done.
void ThreadPool::run(std::size_t tasks, const Work& work) {
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    task_count_ = tasks;
    next_task_ = 0;
    first_exception_ = nullptr;
    accepting_ = true;
    ++generation_;
  }
  work_ready_.notify_all();
  run_tasks(0);
  {
    const std::scoped_lock lock(mutex_);
    accepting_ = false;
  }
  spin_until([this] { return active_workers_ == 0; });
  std::unique_lock lock(mutex_);
  work_done_.wait(lock, [this] { return active_workers_ == 0; });
  if (first_exception_) std::rethrow_exception(std::exchange(first_exception_, nullptr));
}

void ThreadPool::worker_loop(const std::stop_token& stop, unsigned worker) {
  std::size_t seen_generation = 0;
  for (;;) {
    spin_until([&] { return generation_ != seen_generation; });
    {
      std::unique_lock lock(mutex_);
      if (!work_ready_.wait(lock, stop, [&] { return generation_ != seen_generation; })) return;
      seen_generation = generation_;
      if (!accepting_) continue;
      ++active_workers_;
    }
    run_tasks(worker);
    const std::scoped_lock lock(mutex_);
    if (--active_workers_ == 0) work_done_.notify_one();
  }
}

void ThreadPool::run_tasks(unsigned worker) {
  for (;;) {
    const std::size_t task = next_task_++;
    if (task >= task_count_) return;
    try {
      (*work_)(task, worker);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!first_exception_) first_exception_ = std::current_exception();
      next_task_ = task_count_;
    }
  }
}

}  // namespace abut
