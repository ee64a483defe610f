#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "papers/paper.hpp"
#include "report/report.hpp"

namespace abut {

/// The files a command writes. They are opened before the work begins, because it is better to
/// hear at once than after an hour that nothing can be written there, and put in place together
/// when all of it has been written.
class Outputs {
 public:
  /// What the command reads must not be written over.
  explicit Outputs(std::vector<std::string> read = {}) : input_paths_(std::move(read)) {}

  /// Opens a file; none for an empty path. Throws `Error` naming the option.
  OutputFile* open(const std::string& option, const std::string& path);

  /// Whether one of them is standard output, where nothing else may be said then.
  [[nodiscard]] bool uses_standard_output() const;

  void commit();

 private:
  struct OpenOutput {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<std::string> input_paths_;
  std::vector<OpenOutput> opened_;
};

/// The files of a folder that figures go to: a table and a picture each, and a page with them all.
/// They are opened before the work: what cannot be written is heard of at once.
class FigureFiles {
 public:
  FigureFiles(const OutputFolder& folder, const std::vector<std::string_view>& names,
              Outputs& outputs);

  /// The figures become the sections of the report, which is returned as it was written.
  // NOLINTNEXTLINE(modernize-use-nodiscard): most callers only want it written
  Report write(Report report, const std::vector<Figure>& figures) const;

  /// Where the page is.
  [[nodiscard]] const std::string& html_path() const { return html_path_; }

 private:
  struct Files {
    std::string name;
    OutputFile* csv;
    OutputFile* svg;
  };
  std::vector<Files> figures_;
  std::string html_path_;
  OutputFile* html_;
};

/// Prints each claim or check with its verdict, and the result on the next line.
void print_findings(const std::vector<Figure>& figures, VerdictWords words);

}  // namespace abut
