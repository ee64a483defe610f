#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_format.hpp"

namespace abut {

enum class Verdict { holds, partly_holds, does_not_hold };

/// How verdicts are worded: claims of a paper as "holds", "partly holds", "does not hold"; checks
/// of the program as "pass", "fail", where a check that holds only partly fails.
enum class VerdictWords { claim, check };

std::string_view text(Verdict verdict, VerdictWords words = VerdictWords::claim);

/// A claim, what was measured of it, and whether it holds. Short lines; `why` explains.
struct Finding {
  std::string claim;
  std::string measured;
  Verdict verdict = Verdict::does_not_hold;
  std::string explanation{};
};

/// A page that shows what was measured. All of it is plain text, except the picture, which is SVG.
struct Report {
  struct Section {
    std::string title;
    std::string text;
    std::string picture{};
    std::optional<Table> table{};
    std::string table_title{};
    std::vector<Finding> findings{};
  };
  std::string title;
  std::vector<std::string> introduction;
  std::string command;  ///< that made it
  std::string machine;  ///< that it was made on
  std::vector<Section> sections;
  VerdictWords verdict_words = VerdictWords::claim;
};

/// The page: one file that needs no other, no script and no network, and fits a phone.
std::string html(const Report& report);

}  // namespace abut
