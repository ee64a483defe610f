#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/version.hpp"
#include "io/system.hpp"
#include "validation/experiment.hpp"

namespace abut {
namespace {

struct ValidateCommand {
  std::vector<std::string> names;
  std::string out = "validation";
  std::string markdown;
  bool quick = false;

  int run();

 private:
  [[nodiscard]] std::vector<const Experiment*> selected_experiments() const;
  [[nodiscard]] std::vector<Figure> measure(const std::vector<const Experiment*>& wanted) const;
  [[nodiscard]] Report introduction() const;
  [[nodiscard]] std::string markdown_page(const std::vector<Figure>& figures) const;
};

// In the order they are known in, each once; all of them if none is named.
std::vector<const Experiment*> ValidateCommand::selected_experiments() const {
  std::string known;
  for (const Experiment& one : experiments())
    known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
  for (const std::string& name : names)
    if (std::ranges::find(experiments(), name, &Experiment::name) == experiments().end())
      throw Error(fmt::format("no experiment is called '{}'; there are {}", name, known));
  std::vector<const Experiment*> found;
  for (const Experiment& one : experiments())
    if (names.empty() || std::ranges::find(names, one.name) != names.end()) found.push_back(&one);
  return found;
}

std::vector<Figure> ValidateCommand::measure(const std::vector<const Experiment*>& wanted) const {
  const auto time_of = [&](const Experiment* one) {
    return quick ? one->quick_seconds : one->seconds;
  };
  double all = 0;
  for (const Experiment* one : wanted) all += time_of(one);
  ProgressBar bar("validating");
  std::vector<Figure> figures;
  double before = 0;
  for (const Experiment* one : wanted) {
    bar.set_label(fmt::format("validating {}", one->name));
    const double share = time_of(one) / all;
    std::ranges::move(
        one->run(quick, [&](double part) { bar.set_fraction(before + share * part); }),
        std::back_inserter(figures));
    before += share;
  }
  return figures;
}

Report ValidateCommand::introduction() const {
  std::string command = "abut validate";
  for (const std::string& name : names) command += " " + name;
  return {.title = "The simulation against physics",
          .introduction = {"What simulations give, beside published formulas and measurements. "
                           "Verdicts are computed from the numbers."},
          .command = command + (quick ? " --quick" : ""),
          .machine = fmt::format("abut {}. {}.{}", ABUT_VERSION, machine_description(),
                                 quick ? " A quick run, with few particles and wide bounds." : ""),
          .sections = {},
          .verdict_words = VerdictWords::check};
}

// For documents that are kept beside the folder.
std::string ValidateCommand::markdown_page(const std::vector<Figure>& figures) const {
  const Report report = introduction();
  const auto pictures =
      std::filesystem::path(out).lexically_relative(std::filesystem::path(markdown).parent_path());
  std::string page = fmt::format("# {}\n\n{}\n`{}` makes this page, and a report.\n", report.title,
                                 report.introduction[0], report.command);
  for (const Figure& figure : figures) {
    Table checks({"check", "result", "status"});
    for (const Finding& finding : figure.findings)
      checks.add({finding.claim, finding.measured,
                  std::string(text(finding.verdict, VerdictWords::check))});
    page += fmt::format(
        "\n## {}\n\n{}\n\n<img src=\"{}\" width=\"420\" alt=\"{}\">\n\n{}\n"
        "<details><summary>Data</summary>\n\n{}\n</details>\n",
        figure.title, figure.text, (pictures / (figure.file + ".svg")).string(), figure.plot.title,
        checks.markdown(), figure.numbers.formatted().markdown());
  }
  return page;
}

bool has_failed(const Figure& figure) {
  return std::ranges::any_of(figure.findings, [](const Finding& finding) {
    return finding.verdict == Verdict::does_not_hold;
  });
}

int ValidateCommand::run() {
  const std::vector<const Experiment*> wanted = selected_experiments();
  if (out == "-") throw Error("--out = -: the results are several files and need a folder");
  check_gnuplot();
  const OutputFolder folder(out);  // outlives the files in it
  Outputs outputs;
  std::vector<std::string_view> files;
  for (const Experiment* one : wanted)
    files.insert(files.end(), one->files.begin(), one->files.end());
  const FigureFiles results(folder, files, outputs);
  OutputFile* page = outputs.open("--markdown", markdown);
  const std::vector<Figure> figures = measure(wanted);
  results.write(introduction(), figures);
  if (page != nullptr) *page << markdown_page(figures);
  outputs.commit();
  print_findings(figures, VerdictWords::check);
  fmt::print("report in {}\n", results.html_path());
  return std::ranges::any_of(figures, has_failed) ? exit_mismatch : exit_success;
}

}  // namespace

Command validate_command(CLI::App& program) {
  Arguments app(program, "validate", "Hold the simulation against published physics");
  std::string names;
  for (const Experiment& one : experiments())
    names += fmt::format("  {:14}{}\n", one.name, one.title);
  app.footer("Experiments:\n" + names +
             "Writes a table (CSV) and a plot (SVG) for each figure, and report.html, which sets\n"
             "the numbers beside what is published. Status 1 if something does not hold.\n"
             "Example: abut validate janssen beverloo --out silo");
  auto validate = std::make_shared<ValidateCommand>();
  app.add_option("names", validate->names, "which ones, see below [all]");
  app.add_option("--out", validate->out, "folder for the results [validation]");
  app.add_option("--markdown", validate->markdown, "also write verdicts and plots as a document");
  app.add_flag("--quick", validate->quick, "a minute at most instead of some");
  return {app, [validate] { return validate->run(); }};
}

}  // namespace abut
