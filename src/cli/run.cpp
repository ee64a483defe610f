#include <fmt/core.h>
#include <unistd.h>

#include <abut/case.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/command.hpp"
#include "cli/run_output.hpp"
#include "cli/terminal.hpp"
#include "core/machine.hpp"
#include "io/case_file.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

// The signal that asked the run to stop; 0 if none.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a handler needs a global
std::atomic<int> stop_signal = 0;

/// While it exists, the first SIGINT or SIGTERM ends the run with a checkpoint; the second ends the
/// program at once.
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

/// Steps per second over the last two seconds.
class StepRate {
 public:
  explicit StepRate(std::uint64_t step) : window_step_(step) {}

  [[nodiscard]] double update(std::uint64_t step) {
    constexpr double window = 2;  // seconds
    const double seconds = watch_.seconds() - window_start_;
    if (rate_ > 0 && seconds < window) return rate_;
    rate_ = static_cast<double>(step - window_step_) / seconds;
    if (seconds >= window) {
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

/// " kg" for "kg"; empty if the case has no units.
template <std::size_t D>
std::string unit_text(const Case<D>& setup, const char* unit) {
  return setup.units == Units::none ? std::string() : fmt::format(" {}", unit);
}

struct RunCommand {
  std::string file;
  std::string out;
  std::string resume;
  unsigned threads = 0;
  std::size_t verify_interval = 0;

  int run();

 private:
  template <std::size_t D>
  int run(Case<D> setup, const CaseSource& source, const RunCheckpoint* checkpoint);
  template <std::size_t D>
  [[nodiscard]] bool insert_first_particles(Run<D>& run) const;
  template <std::size_t D>
  void print_start(const Run<D>& run) const;
  template <std::size_t D>
  [[nodiscard]] int print_summary(const Run<D>& run, double seconds) const;
};

/// Of the case file. If that is a symbolic link, the folder of the link.
std::string folder_of(const std::string& file) {
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path()).string();
}

constexpr std::size_t steps_per_batch = 200;     // steps between updates of the progress bar
constexpr std::size_t verify_sample_size = 100;  // particles compared with brute force

void check_particle_counts(const ParticleCounts& counts, std::uint64_t step) {
  if (counts.inserted != counts.removed + counts.active)
    throw Error(
        fmt::format("step {}: particles were lost: {} inserted, but {} removed and {} active", step,
                    counts.inserted, counts.removed, counts.active));
}

void check_no_run_in(const std::string& folder) {
  if (std::filesystem::exists(folder + "/case.toml"))
    throw Error(folder + " already contains a run: resume it with: abut run --resume " + folder +
                ", or choose another --out");
}

/// Creates and locks the folder, and writes a copy of the case and the first checkpoint into it.
/// The case is moved into place last: a folder with case.toml always contains a run that can be
/// resumed.
template <std::size_t D>
void create_run_folder(const std::string& folder, const Run<D>& run, const CaseSource& source,
                       std::optional<FolderLock>& lock) {
  const OutputFolder output_folder(folder);
  lock.emplace(folder);
  check_no_run_in(folder);
  OutputFile case_copy(output_folder.path_of("case.toml"));
  case_copy << source.text;
  case_copy.flush();
  write_run_checkpoint(folder, run, source);
  case_copy.commit();
}

std::string text_of(const std::string& file) { return std::string(InputFile(file).bytes()); }

std::vector<std::string> input_files_of(const AnyCase& any) {
  return std::visit([](const auto& setup) { return setup.input_files; }, any);
}

void print_warnings(const AnyCase& any) {
  std::visit(
      [](const auto& setup) {
        for (const std::string& warning : setup.warnings) fmt::print(stderr, "abut: {}\n", warning);
      },
      any);
}

void warn_changed_file(const std::string& location) {
  fmt::print(stderr, "abut: {}: warning: changed since the checkpoint; using the current file\n",
             location);
}

/// Warns about files that differ from those at the checkpoint. Editing the case is allowed, to
/// extend a run for example, but may also happen by accident.
void warn_changes(const std::string& file, const CaseSource& current, const CaseSource& saved) {
  const auto end = current.text.begin() +
                   static_cast<std::ptrdiff_t>(std::min(current.text.size(), saved.text.size()));
  const auto difference = std::mismatch(current.text.begin(), end, saved.text.begin()).first;
  if (current.text != saved.text)
    warn_changed_file(
        fmt::format("{}:{}", file, 1 + std::count(current.text.begin(), difference, '\n')));
  for (const CaseInput& input : changed_inputs(current.inputs, saved.inputs))
    warn_changed_file(input.path);
}

/// The critical time step is that of one pair of particles. Particles with many contacts are
/// stiffer and need a smaller step.
void warn_large_time_step(double time_step, double critical) {
  constexpr double dense_limit = 0.5;
  if (time_step <= dense_limit * critical) return;
  fmt::print(stderr,
             "abut: warning: time step is {:.2g} of critical; dense packings may not settle above "
             "{} (step = {:.6g})\n",
             time_step / critical, dense_limit, dense_limit * critical);
}

int RunCommand::run() {
  if (!resume.empty()) {
    if (!file.empty() || !out.empty())
      throw Error("--resume DIR: uses the case in DIR; omit the case file and --out");
    out = resume;
    const FolderLock lock(resume);
    remove_stale_temporaries(resume, [](std::string_view) { return true; });
    const RunCheckpoint checkpoint = read_run_checkpoint(resume);
    if (!checkpoint.warning.empty()) fmt::print(stderr, "abut: {}\n", checkpoint.warning);
    const std::string case_path = resume + "/case.toml";
    AnyCase any = read_case(case_path, checkpoint.source.folder);
    print_warnings(any);
    const CaseSource source{checkpoint.source.folder, text_of(case_path),
                            case_inputs(input_files_of(any))};
    warn_changes(case_path, source, checkpoint.source);
    return std::visit([&](auto& setup) { return run(std::move(setup), source, &checkpoint); }, any);
  }
  if (file.empty())
    throw Error("no case given, such as cases/silo_small.toml; or use --resume DIR");
  if (out.empty()) throw Error("--out DIR is required: the folder for the results");
  check_no_run_in(out);
  AnyCase any = read_case(file);
  print_warnings(any);
  const CaseSource source{folder_of(file), text_of(file), case_inputs(input_files_of(any))};
  return std::visit([&](auto& setup) { return run(std::move(setup), source, nullptr); }, any);
}

/// Thrown from the progress callback of an insertion when a signal has arrived.
struct Interrupted {};

/// Inserts the particles of time 0 and finds their contacts, so that errors are reported with the
/// name of the case before anything is written. Returns false if a signal interrupted it.
template <std::size_t D>
bool RunCommand::insert_first_particles(Run<D>& run) const {
  ProgressBar bar("inserting particles");
  run.set_progress_callback([&](double fraction) {
    if (stop_signal != 0) throw Interrupted{};
    bar.set_fraction(fraction);
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

/// Number of particles that are still to be inserted.
template <std::size_t D>
std::uint64_t pending_insertions(const Run<D>& run) {
  std::uint64_t pending = 0;
  for (std::size_t k = 0; k < run.setup().insertions.size(); ++k) {
    const std::uint64_t count = run.setup().insertions[k].count;
    // A case that was edited can have fewer than were inserted.
    pending += count - std::min(count, run.inserted()[k]);
  }
  return pending;
}

/// Prints what is about to be simulated, also if the output is a file, which otherwise would be
/// empty for most of the run.
template <std::size_t D>
void RunCommand::print_start(const Run<D>& run) const {
  const Simulation<D>& simulation = run.simulation();
  const std::string seconds = unit_text(run.setup(), "s");
  const ParticleCounts counts = simulation.particle_counts();
  std::string particles = fmt::format("{} particles", counts.active);
  if (const std::uint64_t pending = pending_insertions(run); pending > 0)
    particles += fmt::format(" and {} to insert", pending);
  if (const std::size_t fixed = simulation.particle_count() - counts.active; fixed > 0)
    particles += fmt::format(", {} fixed", fixed);
  const std::string start = simulation.step() == 0
                                ? "starting"
                                : fmt::format("resuming at step {}, t = {:.6g}{}",
                                              simulation.step(), simulation.time(), seconds);
  const unsigned thread_count = ThreadPool(threads).threads();
  fmt::print(
      "{}: {}; time step {:.6g}{} (stability limit {:.6g}{}); end at step {}, t = {:.6g}{}; search "
      "method {}, {} thread{}\n",
      start, particles, simulation.time_step(), seconds, simulation.critical_time_step(), seconds,
      run.last_step(), run.setup().end_time, seconds,
      method_info(run.setup().model.search_method).name, thread_count,
      thread_count == 1 ? "" : "s");
  (void)std::fflush(stdout);
}

template <std::size_t D>
std::string step_text(const Run<D>& run) {
  return fmt::format("step {} of {}", run.simulation().step(), run.last_step());
}

template <std::size_t D>
int RunCommand::run(Case<D> setup, const CaseSource& source, const RunCheckpoint* checkpoint) {
  setup.model.threads = threads;
  const SignalGuard signal_guard;
  Run<D> run(std::move(setup));
  std::optional<FolderLock> lock;
  if (checkpoint != nullptr) {
    restore_run(*checkpoint, run);
  } else {
    if (!insert_first_particles(run)) {
      fmt::print("interrupted before the first step; nothing was written\n");
      return 128 + stop_signal;
    }
    create_run_folder(out, run, source, lock);
  }
  print_start(run);
  warn_large_time_step(run.simulation().time_step(), run.simulation().critical_time_step());
  RunFrames<D> frames(out, run.simulation().time());
  RunProbes<D> probes(out, run);
  if (!probes.warning().empty()) fmt::print(stderr, "abut: {}\n", probes.warning());
  const Stopwatch watch;
  if (run.simulation().step() == 0) {
    frames.write(run);
    probes.write(run);
  }
  const auto fraction_done = [&] {
    return static_cast<double>(run.simulation().step()) / static_cast<double>(run.last_step());
  };
  ProgressBar bar("running", fraction_done());
  StepRate step_rate(run.simulation().step());
  run.set_progress_callback([&](double fraction) {
    bar.set_label(fmt::format("inserting particles, {:.0f} % done", 100 * fraction),
                  step_text(run));
  });
  bool at_end = run.simulation().step() >= run.last_step();
  while (!at_end && stop_signal == 0) {
    const Simulation<D>& simulation = run.simulation();
    const DueOutputs due =
        run.advance(verify_interval > 0 ? verify_interval - simulation.step() % verify_interval
                                        : steps_per_batch);
    at_end = due.end;
    if (verify_interval > 0 && simulation.step() % verify_interval == 0)
      simulation.verify_neighbors(
          std::max<std::size_t>(1, simulation.particle_count() / verify_sample_size));
    check_particle_counts(simulation.particle_counts(), simulation.step());
    if (due.frame || due.end) frames.write(run);
    if (due.probe || due.end) probes.write(run);
    if (due.checkpoint || due.end || stop_signal != 0) write_run_checkpoint(out, run, source);
    bar.set_fraction(fraction_done());
    bar.set_label(fmt::format("{} particles, t = {:.4g}{}, {:.0f} steps/s",
                              simulation.particle_counts().active, simulation.time(),
                              unit_text(run.setup(), "s"), step_rate.update(simulation.step())),
                  step_text(run));
  }
  return print_summary(run, watch.seconds());
}

/// Prints the insertions that have not inserted all of their particles.
template <std::size_t D>
void print_incomplete_insertions(const Run<D>& run) {
  for (std::size_t k = 0; k < run.setup().insertions.size(); ++k) {
    const Insertion<D>& insertion = run.setup().insertions[k];
    const std::uint64_t inserted = run.inserted()[k];
    if (inserted == insertion.count) continue;
    fmt::print("{}: inserted {} of {}", insertion.name, inserted, insertion.count);
    if (inserted < run.scheduled(InsertionId{k}))
      fmt::print("; {} did not fit", run.scheduled(InsertionId{k}) - inserted);
    fmt::print("\n");
  }
}

template <std::size_t D>
int RunCommand::print_summary(const Run<D>& run, double seconds) const {
  const Simulation<D>& simulation = run.simulation();
  const ParticleCounts counts = simulation.particle_counts();
  fmt::print("step {}, t = {:.6g}{}: {} inserted, {} removed, {} active; took {}\n",
             simulation.step(), simulation.time(), unit_text(run.setup(), "s"), counts.inserted,
             counts.removed, counts.active, time_text(seconds));
  print_incomplete_insertions(run);
  for (const Sink<D>& sink : simulation.sinks())
    fmt::print("{}: {} particles, mass {:.6g}{}\n", sink.name, sink.count, sink.mass,
               unit_text(run.setup(), "kg"));
  if (stop_signal == 0) {
    fmt::print("wrote {}/run.pvd (for ParaView), {}/probes.csv, {}/profile.csv\n", out, out, out);
    return exit_success;
  }
  fmt::print("interrupted; resume with: abut run --resume {}\n", out);
  return 128 + stop_signal;
}

int print_state(const std::string& folder) {
  const RunCheckpoint checkpoint = read_run_checkpoint(folder);
  if (!checkpoint.warning.empty()) fmt::print(stderr, "abut: {}\n", checkpoint.warning);
  const SavedState& state = checkpoint.state;
  fmt::print("step {}\ntime {}\ntime_step {}\nparticles {}\n", state.step,
             static_cast<double>(state.step) * state.time_step, state.time_step,
             state.id.size() - state.fixed);
  if (state.fixed > 0) fmt::print("fixed {}\n", state.fixed);
  fmt::print("hash {:016x}\n", checkpoint.hash);
  return exit_success;
}

}  // namespace

Command run_command(CLI::App& program) {
  Arguments app(program, "run", "Run a TOML case");
  app.footer(
      "docs/simulation.md describes the keys of a case and the files that a run writes. Ctrl-C "
      "ends\n"
      "a run with a checkpoint; --resume continues it with bitwise identical results.\n\n"
      "Examples:\n"
      "  abut run cases/silo_small.toml --out silo\n"
      "  abut run --resume silo");
  const auto options = std::make_shared<RunCommand>();
  app.add_option("case", options->file, "Case file, such as cases/silo_small.toml").metavar("FILE");
  app.add_option("--out", options->out, "Folder for frames, probes and checkpoints").metavar("DIR");
  app.add_option("--resume", options->resume, "Resume the run in this folder").metavar("DIR");
  app.add_option("--threads", options->threads,
                 "Number of threads; 0: all cores; the results do not depend on it (default: 0)")
      .metavar("N")
      .range(0, max_threads);
  app.add_option("--verify-every", options->verify_interval,
                 "Check the neighbor list of a sample of particles against brute force every N "
                 "steps (default: never)")
      .metavar("N")
      .range(0, 1'000'000'000);
  return {app, [options] { return options->run(); }};
}

Command state_command(CLI::App& program) {
  Arguments app(program, "state", "Print step, time and a hash of the state of a run");
  app.footer("Example: abut state silo");
  const auto folder = std::make_shared<std::string>();
  app.add_option("folder", *folder, "Folder of a run").metavar("DIR").required();
  return {app, [folder] { return print_state(*folder); }};
}

}  // namespace abut
