#include "bench/pair_check.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/number_format.hpp"
#include "core/statistics.hpp"

namespace abut {

void PairCheck::load(const std::vector<Pair>& pairs) {
  buffer_.clear();
  buffer_.append(pairs);
}

std::optional<std::string> PairCheck::mismatch(const std::string& name,
                                               const std::vector<Pair>& pairs) {
  load(pairs);
  sorter_.sort(buffer_, particle_count_, sorted_);
  if (!reference_) {
    reference_name_ = name;
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
                     sorted_.size(), reference_name_, reference_->size(), at.a, at.b);
}

double PairCheck::seconds_to_sort(const std::vector<Pair>& pairs, int repeat) {
  load(pairs);
  sorter_.sort(buffer_, particle_count_, sorted_);
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) {
    const Stopwatch watch;
    sorter_.sort(buffer_, particle_count_, sorted_);
    seconds.push_back(watch.seconds());
  }
  return median_of(seconds);
}

}  // namespace abut
