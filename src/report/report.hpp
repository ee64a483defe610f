#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_format.hpp"

namespace abut {

/// Whether a claim agrees with the measurement, ordered from best to worst.
enum class Verdict { holds, partly_holds, does_not_hold };

/// How verdicts are worded: claims of a paper as "holds", "partly holds", "does not hold"; checks
/// of the program as "pass", "fail", where a check that holds only partly fails.
enum class VerdictWords { claim, check };

std::string_view text(Verdict verdict, VerdictWords words = VerdictWords::claim);

/// A claim or check, the measured result, and the verdict. All but `explanation` are short,
/// one-line texts.
struct Finding {
  std::string claim;
  std::string measured;
  Verdict verdict = Verdict::does_not_hold;
  std::string explanation{};
};

/// A report of measurements. All members are plain text except `Section::svg`.
struct Report {
  struct Section {
    std::string title;
    std::string text;
    std::string svg{};
    std::optional<Table> table{};
    std::string table_title{};
    std::vector<Finding> findings{};
  };
  std::string title;
  std::vector<std::string> introduction;
  std::string command;  ///< the command line that produced the report
  std::string machine;  ///< the machine it was measured on
  std::vector<Section> sections;
  VerdictWords verdict_words = VerdictWords::claim;
};

/// The report as one self-contained HTML page: no scripts, no other files, no network access;
/// readable on small screens.
std::string html(const Report& report);

}  // namespace abut
