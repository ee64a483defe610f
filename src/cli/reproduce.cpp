#include <fmt/core.h>

#include <abut/error.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/version.hpp"
#include "io/output_file.hpp"
#include "io/system.hpp"
#include "papers/paper.hpp"

namespace abut {
namespace {

// A paper with the files its results go to.
struct PaperJob {
  const Paper* paper;
  std::string command;
  FigureFiles files;
};

// Folders, removed in the reverse order if nothing came of them: the first one made those above.
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
  [[nodiscard]] std::string folder_of(const Paper& one) const;
  [[nodiscard]] PaperJob prepare(const Paper& one, const OutputFolder& folder,
                                 Outputs& outputs) const;
  void write(const PaperJob& job, const std::vector<Figure>& figures) const;
};

std::vector<const Paper*> ReproduceCommand::selected_papers() const {
  std::vector<const Paper*> found;
  std::string names;
  for (const Paper& known : papers()) {
    if (paper == known.name || paper == "all") found.push_back(&known);
    names += fmt::format("{}, ", known.name);
  }
  if (found.empty())
    throw Error(fmt::format("no paper is called '{}'; there are {}and all", paper, names));
  return found;
}

std::string ReproduceCommand::folder_of(const Paper& one) const {
  const std::filesystem::path folder = out.empty() ? "reproduce-" + paper : out;
  return (paper == "all" ? folder / one.name : folder).string();
}

PaperJob ReproduceCommand::prepare(const Paper& one, const OutputFolder& folder,
                                   Outputs& outputs) const {
  return {.paper = &one,
          .command = fmt::format("abut reproduce {}{}", one.name, quick ? " --quick" : ""),
          .files = FigureFiles(folder, {one.files.begin(), one.files.end()}, outputs)};
}

void ReproduceCommand::write(const PaperJob& job, const std::vector<Figure>& figures) const {
  job.files.write(
      {.title = fmt::format("{}, measured again", job.paper->title),
       .introduction = {std::string(job.paper->citation) + ".",
                        std::string(job.paper->introduction)},
       .command = job.command,
       .machine = fmt::format("abut {}, one thread. {}. Another machine gives other times: "
                              "compare their ratios.{}",
                              ABUT_VERSION, machine_description(),
                              quick ? " A quick run, with fewer particles than the paper "
                                      "has, and less certain."
                                    : ""),
       .sections = {}},
      figures);
}

void print_results(const PaperJob& job, const std::vector<Figure>& figures, bool quick) {
  fmt::print("{}\n", job.paper->title);
  print_findings(figures, VerdictWords::claim);
  if (quick) fmt::print("quick: of times a run without --quick is more certain\n");
  fmt::print("report in {}\n", job.files.html_path());
}

int ReproduceCommand::run() {
  const std::vector<const Paper*> wanted = selected_papers();
  if (out == "-") throw Error("--out = -: the results are several files and need a folder");
  check_gnuplot();
  OutputFolders folders;  // outlive the files in them
  std::vector<std::unique_ptr<Outputs>> outputs;
  std::vector<PaperJob> jobs;
  for (const Paper* one : wanted) {
    outputs.push_back(std::make_unique<Outputs>());
    jobs.push_back(prepare(*one, folders.make(folder_of(*one)), *outputs.back()));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {  // what is finished stays, whatever comes after
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
  Arguments app(program, "reproduce", "Run the experiments of a paper and judge its claims");
  std::string names;
  for (const Paper& paper : papers()) names += fmt::format("  {:14}{}\n", paper.name, paper.title);
  app.footer("Papers:\n" + names +
             "  all           each of them in a folder of its own\n"
             "Writes a table (CSV) and a plot (SVG) for each figure, and report.html, which sets\n"
             "the numbers beside the claims.\n"
             "Example: abut reproduce mr --quick --out mr");
  auto reproduce = std::make_shared<ReproduceCommand>();
  app.add_option("paper", reproduce->paper, "which one, see below").required();
  app.add_option("--out", reproduce->out, "folder for the results [reproduce-PAPER]");
  app.add_flag("--quick", reproduce->quick, "some seconds instead of some minutes");
  return {app, [reproduce] { return reproduce->run(); }};
}

}  // namespace abut
