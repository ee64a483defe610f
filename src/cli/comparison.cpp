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

std::vector<Comparison> compare(const std::vector<Contestant>& contestants) {
  std::vector<Comparison> comparisons;
  std::optional<std::vector<Pair>> reference;
  for (const Contestant& contestant : contestants) {
    Comparison comparison{.name = contestant.name};
    try {
      const Stopwatch watch;
      std::vector<Pair> found = contestant.find();
      comparison.seconds = watch.seconds();
      comparison.pairs = found.size();
      comparison.agrees = !reference || found == *reference;
      comparison.text = !reference          ? "reference"
                        : comparison.agrees ? "same"
                                            : difference(*reference, found);
      if (!reference) reference = std::move(found);
    } catch (const MemoryRefused& refusal) {
      comparison.refused = true;
      comparison.text = refusal.what();
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

std::string table_of(const std::vector<Comparison>& comparisons) {
  Table table({"method", "pairs", "time", "comparison"});
  for (const Comparison& comparison : comparisons)
    table.add({comparison.name, comparison.refused ? "-" : std::to_string(comparison.pairs),
               comparison.refused ? "-" : time_text(comparison.seconds), comparison.text});
  return table.text();
}

int status_of(const std::vector<Comparison>& comparisons) {
  return std::ranges::all_of(comparisons, &Comparison::agrees) ? done : differs;
}

}  // namespace abut
