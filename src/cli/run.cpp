#include <fmt/core.h>
#include <unistd.h>

#include <abut/case.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/command.hpp"
#include "cli/progress_bar.hpp"
#include "cli/run_checkpoint.hpp"
#include "cli/run_frames.hpp"
#include "cli/run_probes.hpp"
#include "cli/units.hpp"
#include "io/case_file.hpp"
#include "io/folder_lock.hpp"
#include "io/left_overs.hpp"
#include "io/output_file.hpp"
#include "io/output_folder.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): all a handler can reach
std::atomic<int> stopped_by = 0;

/// Ctrl-C and SIGTERM let a run end with a checkpoint; who asks twice does not wait for it.
class Stopping {
 public:
  Stopping() {
    for (std::size_t k = 0; k < signals.size(); ++k) before_[k] = std::signal(signals[k], stop);
  }
  ~Stopping() {
    for (std::size_t k = 0; k < signals.size(); ++k) std::signal(signals[k], before_[k]);
  }
  Stopping(const Stopping&) = delete;
  Stopping& operator=(const Stopping&) = delete;

 private:
  static void stop(int signal) {
    if (stopped_by != 0) _exit(128 + signal);
    stopped_by = signal;
  }
  static constexpr std::array signals{SIGINT, SIGTERM};
  std::array<void (*)(int), signals.size()> before_{};
};

/// Steps a second, as of late.
class Pace {
 public:
  explicit Pace(std::uint64_t step) : step_(step) {}

  [[nodiscard]] double at(std::uint64_t step) {
    constexpr double long_enough = 2;
    const double seconds = watch_.seconds() - since_;
    if (rate_ > 0 && seconds < long_enough) return rate_;
    rate_ = static_cast<double>(step - step_) / seconds;
    if (seconds >= long_enough) {
      since_ += seconds;
      step_ = step;
    }
    return rate_;
  }

 private:
  Stopwatch watch_;
  double since_ = 0;
  std::uint64_t step_;
  double rate_ = 0;
};

struct Runs {
  std::string file;
  std::string out;
  std::string resume;
  unsigned threads = 0;
  std::size_t check = 0;

  int run();

 private:
  template <std::size_t D>
  int run(Case<D> plan, const CaseSource& source, const RunCheckpoint* from);
  template <std::size_t D>
  [[nodiscard]] bool begin(Run<D>& run) const;
  template <std::size_t D>
  [[nodiscard]] int conclude(const Run<D>& run, double seconds) const;
};

std::string folder_of(const std::string& file) {
  return std::filesystem::absolute(file).parent_path().string();
}

constexpr std::size_t at_once = 200;  // steps between two looks at the clock
constexpr std::size_t sample = 100;   // particles whose pairs are compared with brute force

void check_nobody_is_lost(const Population& all, std::uint64_t step) {
  if (all.released != all.left + all.inside)
    throw Error(fmt::format("step {}: {} particles released, {} left, {} inside; some are lost",
                            step, all.released, all.left, all.inside));
}

void check_unused(const std::string& folder) {
  if (std::filesystem::exists(folder + "/case.toml"))
    throw Error(folder + " holds a run already: go on with  abut run --resume " + folder +
                ", or choose another --out");
}

/// The case goes with the results, so that they can be made again and gone on with. From here on
/// there is a run in the folder; before, nothing.
template <std::size_t D>
void found(const std::string& folder, const Run<D>& run, const CaseSource& source,
           std::optional<FolderLock>& lock) {
  const OutputFolder made(folder);
  lock.emplace(folder);
  check_unused(folder);
  OutputFile copy(made.file("case.toml"));
  copy << source.text;
  copy.flush();
  write_run_checkpoint(folder, run, source);
  copy.commit();
}

std::string text_of(const std::string& file) { return std::string(TextFile(file).bytes()); }

std::vector<std::string> files_of(const AnyCase& plan) {
  return std::visit([](const auto& one) { return one.files; }, plan);
}

void tell_of_change(const std::string& place) {
  fmt::print(stderr,
             "abut: {}: not as it was when the state was saved; the run goes on with it as it is "
             "now\n",
             place);
}

/// Who lets a run go on for longer changes its case, and so does who spoils it by accident.
void tell_of_changes(const std::string& file, const CaseSource& now, const CaseSource& before) {
  const auto end =
      now.text.begin() + static_cast<std::ptrdiff_t>(std::min(now.text.size(), before.text.size()));
  const auto differs = std::mismatch(now.text.begin(), end, before.text.begin()).first;
  if (now.text != before.text)
    tell_of_change(fmt::format("{}:{}", file, 1 + std::count(now.text.begin(), differs, '\n')));
  std::istringstream files(now.files);
  for (std::string checksum, name; files >> checksum >> std::ws && std::getline(files, name);)
    if (before.files.find(fmt::format("{} {}\n", checksum, name)) == std::string::npos)
      tell_of_change(name);
}

/// Two particles stand the bound of a step; one that touches many at once does not.
void tell_of_large_step(double step, double largest) {
  constexpr double in_a_pile = 0.5;
  if (step <= in_a_pile * largest) return;
  fmt::print(stderr,
             "abut: step = {:.6g} is {:.2g} of the largest that two particles stand; where one "
             "touches many, they may never come to rest above {:.6g}\n",
             step, step / largest, in_a_pile * largest);
}

int Runs::run() {
  if (!resume.empty()) {
    if (!file.empty() || !out.empty())
      throw Error("--resume DIR goes on with the case in DIR; leave out the file and --out");
    out = resume;
    const FolderLock lock(resume);
    remove_left_overs(resume, [](std::string_view) { return true; });
    const RunCheckpoint from = read_run_checkpoint(resume);
    if (!from.note.empty()) fmt::print(stderr, "abut: {}\n", from.note);
    const std::string copy = resume + "/case.toml";
    AnyCase plan = read_case(copy, from.source.folder);
    const CaseSource source{from.source.folder, text_of(copy), listed_files(files_of(plan))};
    tell_of_changes(copy, source, from.source);
    return std::visit([&](auto& one) { return run(std::move(one), source, &from); }, plan);
  }
  if (file.empty()) throw Error("a case is needed, such as cases/silo_small.toml; or --resume DIR");
  if (out.empty()) throw Error("--out DIR is needed: where the results go");
  check_unused(out);
  AnyCase plan = read_case(file);
  const CaseSource source{folder_of(file), text_of(file), listed_files(files_of(plan))};
  return std::visit([&](auto& one) { return run(std::move(one), source, nullptr); }, plan);
}

/// Leaves what takes long before a run has begun.
struct Stopped {};

/// What is wrong with the first particles, or with a search among them, is wrong with the case.
/// False if somebody does not want to wait for them.
template <std::size_t D>
bool Runs::begin(Run<D>& run) const {
  ProgressBar bar("placing particles");
  run.watch([&](double part) {
    if (stopped_by != 0) throw Stopped{};
    bar.show(part);
  });
  try {
    (void)run.advance(0);
    (void)run.simulation().contacts();
    run.watch({});
    return true;
  } catch (const Stopped&) {
    return false;
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

template <std::size_t D>
int Runs::run(Case<D> plan, const CaseSource& source, const RunCheckpoint* from) {
  plan.model.threads = threads;
  const Stopping stopping;
  Run<D> run(std::move(plan));
  std::optional<FolderLock> lock;
  if (from != nullptr) {
    run.restore(from->state, from->placed);
  } else {
    if (!begin(run)) {
      fmt::print("stopped before the first step; nothing was written\n");
      return 128 + stopped_by;
    }
    found(out, run, source, lock);
  }
  tell_of_large_step(run.simulation().time_step(), run.simulation().largest_step());
  RunFrames<D> frames(out, run.simulation().time());
  RunProbes<D> probes(out, run.plan(), run.simulation().step());
  const Stopwatch watch;
  if (run.simulation().step() == 0) {
    frames.write(run);
    probes.write(run);
  }
  const auto part_done = [&] {
    return static_cast<double>(run.simulation().step()) / static_cast<double>(run.last_step());
  };
  ProgressBar bar("running", part_done());
  Pace pace(run.simulation().step());
  bool at_end = run.simulation().step() >= run.last_step();
  while (!at_end && stopped_by == 0) {
    const Simulation<D>& now = run.simulation();
    const Due due = run.advance(check > 0 ? check - now.step() % check : at_once);
    at_end = due.end;
    if (check > 0 && now.step() % check == 0)
      now.check_pairs(std::max<std::size_t>(1, now.size() / sample));
    check_nobody_is_lost(now.population(), now.step());
    if (due.frame || due.end) frames.write(run);
    if (due.probe || due.end) probes.write(run);
    if (due.checkpoint || due.end || stopped_by != 0) write_run_checkpoint(out, run, source);
    bar.show(part_done());
    bar.say(fmt::format("{} particles, t = {:.4g}, {:.0f} steps/s", now.population().inside,
                        now.time(), pace.at(now.step())));
  }
  return conclude(run, watch.seconds());
}

/// Those that are not all in.
template <std::size_t D>
void tell_of_releases(const Run<D>& run) {
  for (std::size_t k = 0; k < run.plan().inflows.size(); ++k) {
    const Inflow<D>& inflow = run.plan().inflows[k];
    const std::uint64_t placed = run.placed()[k];
    if (placed == inflow.count) continue;
    fmt::print("{}: {} of {} have come in", inflow.name, placed, inflow.count);
    if (placed < run.due(k)) fmt::print("; {} more found no room", run.due(k) - placed);
    fmt::print("\n");
  }
}

template <std::size_t D>
int Runs::conclude(const Run<D>& run, double seconds) const {
  const Simulation<D>& now = run.simulation();
  const Population all = now.population();
  fmt::print("step {}, t = {:.6g} s: {} released, {} left, {} inside; {:.1f} s\n", now.step(),
             now.time(), all.released, all.left, all.inside, seconds);
  tell_of_releases(run);
  for (const Sink<D>& sink : now.sinks())
    fmt::print("{}: {} particles, {:.6g} kg\n", sink.name, sink.count, sink.mass);
  if (stopped_by == 0) {
    fmt::print("{}/run.pvd for ParaView, {}/probes.csv, {}/profile.csv\n", out, out, out);
    return done;
  }
  fmt::print("stopped; go on with  abut run --resume {}\n", out);
  return 128 + stopped_by;
}

int print_state(const std::string& folder) {
  const RunCheckpoint saved = read_run_checkpoint(folder);
  if (!saved.note.empty()) fmt::print(stderr, "abut: {}\n", saved.note);
  fmt::print("step {}\ntime {}\nparticles {}\n", saved.state.step,
             static_cast<double>(saved.state.step) * saved.state.time_step,
             saved.state.id.size() - saved.state.fixed);
  if (saved.state.fixed > 0) fmt::print("fixed {}\n", saved.state.fixed);
  fmt::print("hash {:016x}\n", saved.hash);
  return done;
}

}  // namespace

Command run_command(CLI::App& program) {
  Arguments app(program, "run", "run a simulation: a case in TOML");
  app.footer(
      "docs/simulation.md has all keys of a case, and what the files in the folder hold. Ctrl-C\n"
      "ends a run with a checkpoint, and --resume goes on from it, bit for bit.\n\n"
      "Examples:\n"
      "  abut run cases/silo_small.toml --out silo\n"
      "  abut run --resume silo");
  const auto options = std::make_shared<Runs>();
  app.add_option("case", options->file, "the case, such as cases/silo_small.toml");
  app.add_option("--out", options->out, "folder for frames, probes and checkpoints");
  app.add_option("--resume", options->resume, "go on with the run in this folder");
  app.add_option("--threads", options->threads, "0 takes every core; the results are the same")
      .between(0, most_threads);
  app.add_option("--check", options->check,
                 "compare the pairs of every so many steps with brute force on a sample")
      .between(0, 1'000'000'000);
  return {app, [options] { return options->run(); }};
}

Command state_command(CLI::App& program) {
  Arguments app(program, "state", "print step, time and a hash of a run's state");
  app.footer("Example: abut state silo");
  const auto folder = std::make_shared<std::string>();
  app.add_option("folder", *folder, "the --out of a run").required();
  return {app, [folder] { return print_state(*folder); }};
}

}  // namespace abut
