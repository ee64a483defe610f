#include "core/thread_pool.hpp"

#include <algorithm>
#include <utility>

namespace abut {

ThreadPool::ThreadPool(unsigned threads) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (threads == 0) threads = cores;
  watches_ = threads <= cores;
  helpers_.reserve(threads - 1);
  for (unsigned worker = 1; worker < threads; ++worker)
    helpers_.emplace_back([this, worker](const std::stop_token& stop) { help(stop, worker); });
}

ThreadPool::~ThreadPool() {
  for (std::jthread& helper : helpers_) helper.request_stop();
  helpers_.clear();  // joins them while the mutex still lives
}

// Waiting awake for up to some tenths of a millisecond: to be woken takes longer than many a task.
// Who else wants the core gets it now and then.
template <class Condition>
void ThreadPool::watch(const Condition& condition) const {
  constexpr int looks = 4000;
  for (int look = 1; look <= looks && watches_ && !condition(); ++look) {
    if (look % 128 == 0) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

// Only those who came in time are waited for: on a busy machine a helper may be without a core for
// longer than all tasks take.
void ThreadPool::run(std::size_t tasks, const Work& work) {
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    tasks_ = tasks;
    next_ = 0;
    failure_ = nullptr;
    open_ = true;
    ++round_;
  }
  begin_.notify_all();
  take_tasks(0);
  {
    const std::scoped_lock lock(mutex_);
    open_ = false;
  }
  watch([this] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::help(const std::stop_token& stop, unsigned worker) {
  std::size_t seen = 0;
  for (;;) {
    watch([&] { return round_ != seen; });
    {
      std::unique_lock lock(mutex_);
      if (!begin_.wait(lock, stop, [&] { return round_ != seen; })) return;
      seen = round_;
      if (!open_) continue;
      ++busy_;
    }
    take_tasks(worker);
    const std::scoped_lock lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

void ThreadPool::take_tasks(unsigned worker) {
  for (;;) {
    const std::size_t task = next_++;
    if (task >= tasks_) return;
    try {
      (*work_)(task, worker);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = tasks_;
    }
  }
}

}  // namespace abut
