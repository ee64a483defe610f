#include "cli/comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "cli/command.hpp"
#include "cli/units.hpp"
#include "io/table.hpp"

namespace abut {
namespace {

std::vector<Pair> without(const std::vector<Pair>& list, const std::vector<Pair>& other) {
  std::vector<Pair> rest;
  std::ranges::set_difference(list, other, std::back_inserter(rest));
  return rest;
}

std::string count_and_first(const char* what, const std::vector<Pair>& pairs) {
  return pairs.empty()
             ? ""
             : fmt::format("; {} {}, first ({}, {})", pairs.size(), what, pairs[0].a, pairs[0].b);
}

std::string difference(const std::vector<Pair>& expected, const std::vector<Pair>& found) {
  if (!std::ranges::is_sorted(found)) return "NOT SORTED";
  return "DIFFERS" + count_and_first("missing", without(expected, found)) +
         count_and_first("extra", without(found, expected));
}

}  // namespace

std::vector<Verdict> compare(const std::vector<Contestant>& contestants) {
  std::vector<Verdict> verdicts;
  std::optional<std::vector<Pair>> reference;
  for (const Contestant& contestant : contestants) {
    Verdict verdict{.name = contestant.name};
    try {
      const Stopwatch watch;
      std::vector<Pair> found = contestant.find();
      verdict.seconds = watch.seconds();
      verdict.pairs = found.size();
      verdict.agrees = !reference || found == *reference;
      verdict.text = !reference       ? "reference"
                     : verdict.agrees ? "same"
                                      : difference(*reference, found);
      if (!reference) reference = std::move(found);
    } catch (const MemoryRefused& refusal) {
      verdict.refused = true;
      verdict.text = refusal.what();
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::string table_of(const std::vector<Verdict>& verdicts) {
  Table table({"method", "pairs", "time", "verdict"});
  for (const Verdict& verdict : verdicts)
    table.add({verdict.name, verdict.refused ? "-" : std::to_string(verdict.pairs),
               verdict.refused ? "-" : time_text(verdict.seconds), verdict.text});
  return table.text();
}

int status_of(const std::vector<Verdict>& verdicts) {
  return std::ranges::all_of(verdicts, &Verdict::agrees) ? done : differs;
}

}  // namespace abut
