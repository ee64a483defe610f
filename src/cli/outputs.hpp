#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "papers/paper.hpp"
#include "report/report.hpp"

namespace abut {

/// The output files of a command. They are opened before the computation, so that an unwritable
/// path is reported at once, and moved into place together by `commit`.
class Outputs {
 public:
  /// `input_paths` must not be overwritten.
  explicit Outputs(std::vector<std::string> input_paths = {})
      : input_paths_(std::move(input_paths)) {}

  /// Opens a file; returns null for an empty path. The file is owned by this object. Throws `Error`
  /// naming the option if the path is unwritable, an input, or already open.
  OutputFile* open(const std::string& option, const std::string& path);

  /// Whether one of the files is standard output; messages must go to stderr then.
  [[nodiscard]] bool uses_standard_output() const;

  /// Flushes all files, then gives them their final names. Throws `Error` if a write failed; files
  /// that are not committed are deleted by the destructor.
  void commit();

 private:
  struct OpenOutput {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<std::string> input_paths_;
  std::vector<OpenOutput> opened_;
};

/// The files of a set of figures in a folder: NAME.csv and NAME.svg of each figure, and report.html
/// with all of them. They are opened by the constructor.
class FigureFiles {
 public:
  FigureFiles(const OutputFolder& folder, const std::vector<std::string_view>& names,
              Outputs& outputs);

  /// Writes all files; each figure becomes a section of the report. Returns the complete report.
  // NOLINTNEXTLINE(modernize-use-nodiscard): most callers need only the files
  Report write(Report report, const std::vector<Figure>& figures) const;

  /// Path of report.html.
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
