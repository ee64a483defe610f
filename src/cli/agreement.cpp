#include "cli/agreement.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/units.hpp"
#include "core/median.hpp"

namespace abut {

void Agreement::fill(const std::vector<Pair>& pairs) {
  blocks_.clear();
  blocks_.append(pairs);
}

std::optional<std::string> Agreement::complaint(const std::string& name,
                                                const std::vector<Pair>& pairs) {
  fill(pairs);
  sorter_.sort(blocks_, particles_, sorted_);
  if (!reference_) {
    first_ = name;
    reference_ = sorted_;
    return {};
  }
  const auto [here, there] = std::ranges::mismatch(sorted_, *reference_);
  const bool all_here = here == sorted_.end();
  const bool all_there = there == reference_->end();
  if (all_here && all_there) return {};
  Pair at{};
  if (all_here || all_there)
    at = all_here ? *there : *here;
  else
    at = std::min(*here, *there);
  return fmt::format("{} finds {} pairs and {} {}; they differ first at ({}, {})", name,
                     sorted_.size(), first_, reference_->size(), at.a, at.b);
}

double Agreement::seconds_to_sort(const std::vector<Pair>& pairs, int repeat) {
  fill(pairs);
  sorter_.sort(blocks_, particles_, sorted_);
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) {
    const Stopwatch watch;
    sorter_.sort(blocks_, particles_, sorted_);
    seconds.push_back(watch.seconds());
  }
  return median_of(seconds);
}

}  // namespace abut
