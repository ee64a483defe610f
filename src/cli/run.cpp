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
#include "cli/number_format.hpp"
#include "cli/progress_bar.hpp"
#include "cli/run_output.hpp"
#include "io/case_file.hpp"
#include "io/output_file.hpp"
#include "io/temporary_files.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): all a handler can reach
std::atomic<int> stop_signal = 0;

/// Ctrl-C and SIGTERM let a run end with a checkpoint; who asks twice does not wait for it.
class SignalGuard {
 public:
  SignalGuard() {
    for (std::size_t k = 0; k < signals.size(); ++k)
      previous_handlers_[k] = std::signal(signals[k], stop);
  }
  ~SignalGuard() {
    for (std::size_t k = 0; k < signals.size(); ++k) std::signal(signals[k], previous_handlers_[k]);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static void stop(int signal) {
    if (stop_signal != 0) _exit(128 + signal);
    stop_signal = signal;
  }
  static constexpr std::array signals{SIGINT, SIGTERM};
  std::array<void (*)(int), signals.size()> previous_handlers_{};
};

/// Steps a second, as of late.
class StepRate {
 public:
  explicit StepRate(std::uint64_t step) : window_step_(step) {}

  [[nodiscard]] double update(std::uint64_t step) {
    constexpr double long_enough = 2;
    const double seconds = watch_.seconds() - window_start_;
    if (rate_ > 0 && seconds < long_enough) return rate_;
    rate_ = static_cast<double>(step - window_step_) / seconds;
    if (seconds >= long_enough) {
      window_start_ += seconds;
      window_step_ = step;
    }
    return rate_;
  }

 private:
  Stopwatch watch_;
  double window_start_ = 0;
  std::uint64_t window_step_;
  double rate_ = 0;
};

struct RunCommand {
  std::string file;
  std::string out;
  std::string resume;
  unsigned threads = 0;
  std::size_t verify_interval = 0;

  int run();

 private:
  template <std::size_t D>
  int run(Case<D> plan, const CaseSource& source, const RunCheckpoint* from);
  template <std::size_t D>
  [[nodiscard]] bool insert_first_particles(Run<D>& run) const;
  template <std::size_t D>
  [[nodiscard]] int print_summary(const Run<D>& run, double seconds) const;
};

std::string folder_of(const std::string& file) {
  return std::filesystem::absolute(file).parent_path().string();
}

constexpr std::size_t steps_per_batch = 200;  // steps between two looks at the clock
constexpr std::size_t verify_sample_size =
    100;  // particles whose pairs are compared with brute force

void check_particle_counts(const ParticleCounts& all, std::uint64_t step) {
  if (all.inserted != all.removed + all.active)
    throw Error(fmt::format("step {}: {} particles released, {} left, {} inside; some are lost",
                            step, all.inserted, all.removed, all.active));
}

void check_no_run_in(const std::string& folder) {
  if (std::filesystem::exists(folder + "/case.toml"))
    throw Error(folder + " holds a run already: go on with  abut run --resume " + folder +
                ", or choose another --out");
}

/// The case goes with the results, so that they can be made again and gone on with. From here on
/// there is a run in the folder; before, nothing.
template <std::size_t D>
void create_run_folder(const std::string& folder, const Run<D>& run, const CaseSource& source,
                       std::optional<FolderLock>& lock) {
  const OutputFolder made(folder);
  lock.emplace(folder);
  check_no_run_in(folder);
  OutputFile copy(made.path_of("case.toml"));
  copy << source.text;
  copy.flush();
  write_run_checkpoint(folder, run, source);
  copy.commit();
}

std::string text_of(const std::string& file) { return std::string(InputFile(file).bytes()); }

std::vector<std::string> files_of(const AnyCase& plan) {
  return std::visit([](const auto& one) { return one.input_files; }, plan);
}

void warn_changed_file(const std::string& place) {
  fmt::print(stderr,
             "abut: {}: not as it was when the state was saved; the run goes on with it as it is "
             "now\n",
             place);
}

/// Who lets a run go on for longer changes its case, and so does who spoils it by accident.
void warn_changes(const std::string& file, const CaseSource& now, const CaseSource& before) {
  const auto end =
      now.text.begin() + static_cast<std::ptrdiff_t>(std::min(now.text.size(), before.text.size()));
  const auto differs = std::mismatch(now.text.begin(), end, before.text.begin()).first;
  if (now.text != before.text)
    warn_changed_file(fmt::format("{}:{}", file, 1 + std::count(now.text.begin(), differs, '\n')));
  std::istringstream files(now.file_checksums);
  for (std::string checksum, name; files >> checksum >> std::ws && std::getline(files, name);)
    if (before.file_checksums.find(fmt::format("{} {}\n", checksum, name)) == std::string::npos)
      warn_changed_file(name);
}

/// Two particles stand the bound of a step; one that touches many at once does not.
void warn_large_time_step(double step, double largest) {
  constexpr double in_a_pile = 0.5;
  if (step <= in_a_pile * largest) return;
  fmt::print(stderr,
             "abut: step = {:.6g} is {:.2g} of the largest that two particles stand; where one "
             "touches many, they may never come to rest above {:.6g}\n",
             step, step / largest, in_a_pile * largest);
}

int RunCommand::run() {
  if (!resume.empty()) {
    if (!file.empty() || !out.empty())
      throw Error("--resume DIR goes on with the case in DIR; leave out the file and --out");
    out = resume;
    const FolderLock lock(resume);
    remove_stale_temporaries(resume, [](std::string_view) { return true; });
    const RunCheckpoint from = read_run_checkpoint(resume);
    if (!from.warning.empty()) fmt::print(stderr, "abut: {}\n", from.warning);
    const std::string copy = resume + "/case.toml";
    AnyCase plan = read_case(copy, from.source.folder);
    const CaseSource source{from.source.folder, text_of(copy), file_checksums(files_of(plan))};
    warn_changes(copy, source, from.source);
    return std::visit([&](auto& one) { return run(std::move(one), source, &from); }, plan);
  }
  if (file.empty()) throw Error("a case is needed, such as cases/silo_small.toml; or --resume DIR");
  if (out.empty()) throw Error("--out DIR is needed: where the results go");
  check_no_run_in(out);
  AnyCase plan = read_case(file);
  const CaseSource source{folder_of(file), text_of(file), file_checksums(files_of(plan))};
  return std::visit([&](auto& one) { return run(std::move(one), source, nullptr); }, plan);
}

/// Leaves what takes long before a run has begun.
struct Interrupted {};

/// What is wrong with the first particles, or with a search among them, is wrong with the case.
/// False if somebody does not want to wait for them.
template <std::size_t D>
bool RunCommand::insert_first_particles(Run<D>& run) const {
  ProgressBar bar("placing particles");
  run.set_progress_callback([&](double part) {
    if (stop_signal != 0) throw Interrupted{};
    bar.set_fraction(part);
  });
  try {
    (void)run.advance(0);
    (void)run.simulation().contacts();
    run.set_progress_callback({});
    return true;
  } catch (const Interrupted&) {
    return false;
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

template <std::size_t D>
int RunCommand::run(Case<D> plan, const CaseSource& source, const RunCheckpoint* from) {
  plan.model.threads = threads;
  const SignalGuard stopping;
  Run<D> run(std::move(plan));
  std::optional<FolderLock> lock;
  if (from != nullptr) {
    run.restore(from->state, from->inserted);
  } else {
    if (!insert_first_particles(run)) {
      fmt::print("stopped before the first step; nothing was written\n");
      return 128 + stop_signal;
    }
    create_run_folder(out, run, source, lock);
  }
  warn_large_time_step(run.simulation().time_step(), run.simulation().critical_time_step());
  RunFrames<D> frames(out, run.simulation().time());
  RunProbes<D> probes(out, run.setup(), run.simulation().step());
  const Stopwatch watch;
  if (run.simulation().step() == 0) {
    frames.write(run);
    probes.write(run);
  }
  const auto part_done = [&] {
    return static_cast<double>(run.simulation().step()) / static_cast<double>(run.last_step());
  };
  ProgressBar bar("running", part_done());
  StepRate pace(run.simulation().step());
  bool at_end = run.simulation().step() >= run.last_step();
  while (!at_end && stop_signal == 0) {
    const Simulation<D>& now = run.simulation();
    const DueOutputs due = run.advance(
        verify_interval > 0 ? verify_interval - now.step() % verify_interval : steps_per_batch);
    at_end = due.end;
    if (verify_interval > 0 && now.step() % verify_interval == 0)
      now.verify_neighbors(std::max<std::size_t>(1, now.particle_count() / verify_sample_size));
    check_particle_counts(now.particle_counts(), now.step());
    if (due.frame || due.end) frames.write(run);
    if (due.probe || due.end) probes.write(run);
    if (due.checkpoint || due.end || stop_signal != 0) write_run_checkpoint(out, run, source);
    bar.set_fraction(part_done());
    bar.set_label(fmt::format("{} particles, t = {:.4g}, {:.0f} steps/s",
                              now.particle_counts().active, now.time(), pace.update(now.step())));
  }
  return print_summary(run, watch.seconds());
}

/// Those that are not all in.
template <std::size_t D>
void print_incomplete_insertions(const Run<D>& run) {
  for (std::size_t k = 0; k < run.setup().insertions.size(); ++k) {
    const Insertion<D>& inflow = run.setup().insertions[k];
    const std::uint64_t placed = run.inserted()[k];
    if (placed == inflow.count) continue;
    fmt::print("{}: {} of {} have come in", inflow.name, placed, inflow.count);
    if (placed < run.scheduled(InsertionId{k}))
      fmt::print("; {} more found no room", run.scheduled(InsertionId{k}) - placed);
    fmt::print("\n");
  }
}

template <std::size_t D>
int RunCommand::print_summary(const Run<D>& run, double seconds) const {
  const Simulation<D>& now = run.simulation();
  const ParticleCounts all = now.particle_counts();
  fmt::print("step {}, t = {:.6g} s: {} released, {} left, {} inside; {:.1f} s\n", now.step(),
             now.time(), all.inserted, all.removed, all.active, seconds);
  print_incomplete_insertions(run);
  for (const Sink<D>& sink : now.sinks())
    fmt::print("{}: {} particles, {:.6g} kg\n", sink.name, sink.count, sink.mass);
  if (stop_signal == 0) {
    fmt::print("{}/run.pvd for ParaView, {}/probes.csv, {}/profile.csv\n", out, out, out);
    return exit_success;
  }
  fmt::print("stopped; go on with  abut run --resume {}\n", out);
  return 128 + stop_signal;
}

int print_state(const std::string& folder) {
  const RunCheckpoint saved = read_run_checkpoint(folder);
  if (!saved.warning.empty()) fmt::print(stderr, "abut: {}\n", saved.warning);
  fmt::print("step {}\ntime {}\nparticles {}\n", saved.state.step,
             static_cast<double>(saved.state.step) * saved.state.time_step,
             saved.state.id.size() - saved.state.fixed);
  if (saved.state.fixed > 0) fmt::print("fixed {}\n", saved.state.fixed);
  fmt::print("hash {:016x}\n", saved.hash);
  return exit_success;
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
  const auto options = std::make_shared<RunCommand>();
  app.add_option("case", options->file, "the case, such as cases/silo_small.toml");
  app.add_option("--out", options->out, "folder for frames, probes and checkpoints");
  app.add_option("--resume", options->resume, "go on with the run in this folder");
  app.add_option("--threads", options->threads, "0 takes every core; the results are the same")
      .range(0, max_threads);
  app.add_option("--verify-every", options->verify_interval,
                 "compare the pairs of every so many steps with brute force on a sample")
      .range(0, 1'000'000'000);
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
