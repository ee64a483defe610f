#include "cli/comparison.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "cli/command.hpp"
#include "cli/units.hpp"
#include "io/table.hpp"

namespace abut {
namespace {

template <class AnyPair>
std::vector<AnyPair> without(const std::vector<AnyPair>& list, const std::vector<AnyPair>& other) {
  std::vector<AnyPair> rest;
  std::ranges::set_difference(list, other, std::back_inserter(rest));
  return rest;
}

std::string text_of(Pair pair) { return fmt::format("({}, {})", pair.a, pair.b); }

template <std::size_t D>
std::string text_of(const PeriodicPair<D>& pair) {
  return fmt::format("({}, {}, image {})", pair.a, pair.b, fmt::join(pair.image, " "));
}

template <class AnyPair>
std::string count_and_first(const char* what, const std::vector<AnyPair>& pairs) {
  return pairs.empty() ? ""
                       : fmt::format("; {} {}, first {}", pairs.size(), what, text_of(pairs[0]));
}

template <class AnyPair>
std::string difference(const std::vector<AnyPair>& expected, const std::vector<AnyPair>& found) {
  if (!std::ranges::is_sorted(found)) return "NOT SORTED";
  return "DIFFERS" + count_and_first("missing", without(expected, found)) +
         count_and_first("extra", without(found, expected));
}

}  // namespace

template <class AnyPair>
std::vector<Comparison> compare(const std::vector<Contestant<AnyPair>>& contestants) {
  std::vector<Comparison> comparisons;
  std::optional<std::vector<AnyPair>> reference;
  for (const Contestant<AnyPair>& contestant : contestants) {
    Comparison comparison{.name = contestant.name};
    try {
      const Stopwatch watch;
      std::vector<AnyPair> found = contestant.find();
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

template std::vector<Comparison> compare(const std::vector<Contestant<Pair>>&);
template std::vector<Comparison> compare(const std::vector<Contestant<PeriodicPair<2>>>&);
template std::vector<Comparison> compare(const std::vector<Contestant<PeriodicPair<3>>>&);

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
