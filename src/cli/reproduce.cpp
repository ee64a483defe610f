#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/version.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "io/output_file.hpp"
#include "io/system.hpp"
#include "papers/paper.hpp"

namespace abut {
namespace {

// A paper with its output files.
struct PaperJob {
  const Paper* paper;
  std::string command;
  FigureFiles files;
};

// Output folders. They are destroyed in reverse order, because the first one may have created the
// parent of the others, and empty folders are removed.
class OutputFolders {
 public:
  OutputFolders() = default;
  ~OutputFolders() {
    while (!all_.empty()) all_.pop_back();
  }
  OutputFolders(const OutputFolders&) = delete;
  OutputFolders& operator=(const OutputFolders&) = delete;
  const OutputFolder& make(const std::string& path) {
    return *all_.emplace_back(std::make_unique<OutputFolder>(path));
  }

 private:
  std::vector<std::unique_ptr<OutputFolder>> all_;
};

struct ReproduceCommand {
  std::string paper;
  std::string out;
  bool quick = false;

  int run();

 private:
  [[nodiscard]] std::vector<const Paper*> selected_papers() const;
  [[nodiscard]] std::string folder_of(const Paper& selected) const;
  [[nodiscard]] PaperJob prepare(const Paper& selected, const OutputFolder& folder,
                                 Outputs& outputs) const;
  void write(const PaperJob& job, const std::vector<Figure>& figures) const;
};

std::vector<const Paper*> ReproduceCommand::selected_papers() const {
  std::vector<const Paper*> selected;
  std::string names;
  for (const Paper& known : papers()) {
    if (paper == known.name || paper == "all") selected.push_back(&known);
    names += fmt::format("{}, ", known.name);
  }
  if (selected.empty())
    throw Error(fmt::format("no paper is called '{}'; there are {}and all", paper, names));
  return selected;
}

std::string ReproduceCommand::folder_of(const Paper& selected) const {
  const std::filesystem::path folder = out.empty() ? "reproduce-" + paper : out;
  return (paper == "all" ? folder / selected.name : folder).string();
}

PaperJob ReproduceCommand::prepare(const Paper& selected, const OutputFolder& folder,
                                   Outputs& outputs) const {
  return {.paper = &selected,
          .command = fmt::format("abut reproduce {}{}", selected.name, quick ? " --quick" : ""),
          .files = FigureFiles(folder, {selected.files.begin(), selected.files.end()}, outputs)};
}

void ReproduceCommand::write(const PaperJob& job, const std::vector<Figure>& figures) const {
  job.files.write(
      {.title = fmt::format("{}: reproduction", job.paper->title),
       .introduction = {std::string(job.paper->citation) + ".",
                        std::string(job.paper->introduction)},
       .command = job.command,
       .machine = fmt::format("abut {}, one thread. {}. Times depend on the machine: compare "
                              "ratios.{}",
                              ABUT_VERSION, machine_description(),
                              quick ? " Quick run: fewer particles than in the paper, less "
                                      "accurate times."
                                    : ""),
       .sections = {}},
      figures);
}

void print_results(const PaperJob& job, const std::vector<Figure>& figures, bool quick) {
  fmt::print("{}\n", job.paper->title);
  print_findings(figures, VerdictWords::claim);
  if (quick) fmt::print("quick run; times are more accurate without --quick\n");
  fmt::print("wrote {}\n", job.files.html_path());
}

int ReproduceCommand::run() {
  const std::vector<const Paper*> selected = selected_papers();
  if (out == "-") throw Error("--out = -: the results are several files; give a folder");
  check_gnuplot();
  OutputFolders folders;  // must outlive the files in them
  std::vector<std::unique_ptr<Outputs>> outputs;
  std::vector<PaperJob> jobs;
  for (const Paper* each : selected) {
    outputs.push_back(std::make_unique<Outputs>());
    jobs.push_back(prepare(*each, folders.make(folder_of(*each)), *outputs.back()));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {  // each paper is committed when it is finished
    std::vector<Figure> figures;
    {
      ProgressBar bar(fmt::format("reproducing {}", jobs[i].paper->name));
      figures = jobs[i].paper->reproduce(quick, bar.callback());
      write(jobs[i], figures);
    }
    outputs[i]->commit();
    if (i > 0) fmt::print("\n");
    print_results(jobs[i], figures, quick);
  }
  return exit_success;
}

}  // namespace

Command reproduce_command(CLI::App& program) {
  Arguments app(program, "reproduce", "Reproduce the experiments of a paper and check its claims");
  std::string names;
  for (const Paper& paper : papers()) names += fmt::format("  {:14}{}\n", paper.name, paper.title);
  app.footer(
      "Papers:\n" + names +
      "  all           All of them, each in its own folder\n"
      "Writes the data (CSV) and a plot (SVG) of each figure, and report.html, which compares\n"
      "the results with the claims.\n"
      "Example: abut reproduce mr --quick --out mr");
  auto reproduce = std::make_shared<ReproduceCommand>();
  app.add_option("paper", reproduce->paper, "Paper, see below").metavar("NAME").required();
  app.add_option("--out", reproduce->out, "Folder for the results (default: reproduce-PAPER)")
      .metavar("DIR");
  app.add_flag("--quick", reproduce->quick,
               "Take seconds instead of minutes, with fewer particles");
  return {app, [reproduce] { return reproduce->run(); }};
}

}  // namespace abut
