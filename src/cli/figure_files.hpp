#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/outputs.hpp"
#include "io/output_folder.hpp"
#include "io/report.hpp"
#include "papers/paper.hpp"

namespace abut {

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
  [[nodiscard]] const std::string& page() const { return page_path_; }

 private:
  struct Files {
    std::string name;
    OutputFile* numbers;
    OutputFile* picture;
  };
  std::vector<Files> figures_;
  std::string page_path_;
  OutputFile* page_;
};

/// Each claim with its verdict and what was measured.
void print_findings(const std::vector<Figure>& figures);

}  // namespace abut
