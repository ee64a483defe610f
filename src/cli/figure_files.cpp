#include "cli/figure_files.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace abut {

FigureFiles::FigureFiles(const OutputFolder& folder, const std::vector<std::string_view>& names,
                         Outputs& outputs)
    : page_path_(folder.file("report.html")) {
  for (const std::string_view file : names) {
    const std::string name(file);
    figures_.push_back({name, outputs.open("--out", folder.file(name + ".csv")),
                        outputs.open("--out", folder.file(name + ".svg"))});
  }
  page_ = outputs.open("--out", page_path_);
}

Report FigureFiles::write(Report report, const std::vector<Figure>& figures) const {
  for (const Figure& figure : figures) {
    const auto files = std::ranges::find(figures_, figure.file, &Files::name);
    const std::string picture =
        figure.picture.empty() ? draw(figure.plot, figure.file) : figure.picture;
    *files->numbers << figure.numbers.for_programs().csv();
    *files->picture << picture;
    report.sections.push_back(
        {.title = figure.title,
         .text = figure.text,
         .picture = picture,
         .table = figure.numbers.for_people(),
         .table_title = fmt::format("The numbers, also in {}.csv", figure.file),
         .findings = figure.findings});
  }
  *page_ << html(report);
  return report;
}

void print_findings(const std::vector<Figure>& figures) {
  for (const Figure& figure : figures)
    for (const Finding& finding : figure.findings)
      fmt::print("{:10}{}\n{:10}{}\n", text(finding.verdict), finding.claim, "", finding.ours);
}

}  // namespace abut
