#include "core/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

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

namespace {

// The thread is in a task, so that `run` must not wait for workers.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): one per thread
thread_local bool inside_task = false;

unsigned core_count() {
  static const unsigned count = std::max(1U, std::thread::hardware_concurrency());  // a system call
  return count;
}

// Spins for up to a few tenths of a millisecond, since waking a thread takes longer than many
// tasks. Yields now and then to other threads that need the core.
template <class Condition>
void spin_until(const Condition& condition) {
  constexpr int max_polls = 4000;
  for (int poll = 1; poll <= max_polls && !condition(); ++poll) {
    if (poll % 128 == 0) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

// One call of `ThreadPool::run`, on the stack of its caller.
struct TaskRun {
  const ThreadPool::Work& work;
  std::size_t tasks;
  unsigned threads;
  bool may_spin;  // every thread has a core
  std::atomic<std::size_t> next_task = 0;
  std::atomic<unsigned> active_workers = 0;  // workers that joined
  std::condition_variable done = {};
  std::exception_ptr first_exception = nullptr;
};

}  // namespace

// The threads shared by all pools of the process.
class ThreadPool::Workers {
 public:
  // Created for the first pool, and again after fork().
  static std::shared_ptr<Workers> shared() {
    static std::mutex mutex;
    static std::weak_ptr<Workers> current;
    const std::scoped_lock lock(mutex);
    std::shared_ptr<Workers> workers = current.lock();
    if (!workers || workers->process_ != getpid()) {
      workers = std::make_shared<Workers>();
      current = workers;
    }
    return workers;
  }

  Workers() = default;
  ~Workers() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
      request(workers_.size());
    }
    workers_.clear();  // joins the threads while the mutex still exists
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run(unsigned threads, std::size_t tasks, const Work& work);

 private:
  struct alignas(64) Worker {
    std::atomic<std::size_t> requests = 0;  // changes when there may be a run to join
    std::condition_variable wake;
    std::jthread thread;
  };

  void start(std::size_t count);
  void request(std::size_t count);
  void worker_loop(Worker& self, unsigned index);
  [[nodiscard]] TaskRun* joinable_run(unsigned index) const;
  void run_tasks(TaskRun& run, unsigned worker);

  pid_t process_ = getpid();
  std::mutex mutex_;  // for everything below, but not while tasks run
  bool stopping_ = false;
  std::vector<TaskRun*> runs_;                    // that workers may join
  std::vector<std::unique_ptr<Worker>> workers_;  // worker k + 1 of every run
};

// Waits only for workers that have joined: on a busy machine a worker may not be scheduled before
// all tasks are done, and it may be in a run of another thread.
void ThreadPool::Workers::run(unsigned threads, std::size_t tasks, const Work& work) {
  TaskRun run{work, tasks, threads, threads <= core_count()};
  {
    const std::scoped_lock lock(mutex_);
    start(threads - 1);
    runs_.push_back(&run);
    request(threads - 1);
  }
  run_tasks(run, 0);
  {
    const std::scoped_lock lock(mutex_);
    std::erase(runs_, &run);
  }
  const auto is_done = [&] { return run.active_workers == 0; };
  if (run.may_spin) spin_until(is_done);
  std::unique_lock lock(mutex_);
  run.done.wait(lock, is_done);
  if (run.first_exception) std::rethrow_exception(run.first_exception);
}

// Starts threads until there are `count`. Throws std::system_error if the system has no more.
void ThreadPool::Workers::start(std::size_t count) {
  workers_.reserve(count);
  while (workers_.size() < count) {
    auto worker = std::make_unique<Worker>();
    const auto index = static_cast<unsigned>(workers_.size()) + 1;
    worker->thread = std::jthread([this, &self = *worker, index] { worker_loop(self, index); });
    workers_.push_back(std::move(worker));
  }
}

// Tells the first `count` workers to look for a run.
void ThreadPool::Workers::request(std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    ++workers_[k]->requests;
    workers_[k]->wake.notify_one();
  }
}

void ThreadPool::Workers::worker_loop(Worker& self, unsigned index) {
  std::size_t seen_requests = 0;
  bool may_spin = false;
  const auto is_requested = [&] { return self.requests != seen_requests; };
  for (;;) {
    if (may_spin) spin_until(is_requested);
    std::unique_lock lock(mutex_);
    self.wake.wait(lock, is_requested);
    if (stopping_) return;
    seen_requests = self.requests;
    while (TaskRun* const run = joinable_run(index)) {
      ++run->active_workers;
      may_spin = run->may_spin;
      lock.unlock();
      run_tasks(*run, index);
      lock.lock();
      if (--run->active_workers == 0) run->done.notify_one();
    }
  }
}

TaskRun* ThreadPool::Workers::joinable_run(unsigned index) const {
  const auto run = std::ranges::find_if(runs_, [&](const TaskRun* candidate) {
    return index < candidate->threads && candidate->next_task < candidate->tasks;
  });
  return run == runs_.end() ? nullptr : *run;
}

void ThreadPool::Workers::run_tasks(TaskRun& run, unsigned worker) {
  inside_task = true;
  for (;;) {
    const std::size_t task = run.next_task++;
    if (task >= run.tasks) break;
    try {
      run.work(task, worker);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!run.first_exception) run.first_exception = std::current_exception();
      run.next_task = run.tasks;
    }
  }
  inside_task = false;
}

ThreadPool::ThreadPool(unsigned threads)
    : threads_(threads == 0 ? core_count() : threads),
      workers_(threads_ == 1 ? nullptr : Workers::shared()) {}

void ThreadPool::run(std::size_t tasks, const Work& work) const {
  if (threads_ > 1 && tasks > 1 && !inside_task)
    return workers_->run(static_cast<unsigned>(std::min<std::size_t>(threads_, tasks)), tasks,
                         work);
  for (std::size_t task = 0; task < tasks; ++task) work(task, 0);
}

}  // namespace abut
