#include "core/input_checks.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "core/message.hpp"

namespace abut {
namespace {

struct Range {
  double min;
  double max;
  bool is_finite;
};

// Eight independent accumulators, so that the compiler vectorizes the loop and no comparison waits
// for the previous one.
Range range_of(std::span<const double> values) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> low{};
  std::array<double, lanes> high{};
  std::array<double, lanes> not_finite{};  // 0·value is 0, or NaN if value is not finite
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  const auto accumulate = [&](std::size_t lane, double value) {
    low[lane] = value < low[lane] ? value : low[lane];
    high[lane] = value > high[lane] ? value : high[lane];
    not_finite[lane] += value * 0;
  };
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) accumulate(lane, values[i + lane]);
  for (; i < values.size(); ++i) accumulate(0, values[i]);
  return {*std::ranges::min_element(low), *std::ranges::max_element(high),
          std::ranges::all_of(not_finite, [](double sum) { return sum == 0; })};
}

[[noreturn]] void reject(std::string_view field, std::size_t i, double value,
                         std::string_view reason) {
  throw Error(ErrorCode::invalid_argument,
              {.key = message(field, "[", i, "]"), .value = message(value)}, reason);
}

template <class Value>
[[noreturn]] void reject_option(std::string_view option, Value value, std::string_view reason) {
  throw Error(ErrorCode::invalid_argument, {.key = std::string(option), .value = message(value)},
              reason);
}

// Throws for the first value that is not finite or outside [low, high].
void reject_outside(std::string_view field, std::span<const double> values, double low, double high,
                    std::string_view reason) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) reject(field, i, values[i], "must be finite");
    if (!(values[i] >= low && values[i] <= high)) reject(field, i, values[i], reason);
  }
}

void reject_range(std::string_view field, const Range& range, std::span<const double> values,
                  double low, double high, std::string_view reason) {
  if (!range.is_finite || range.min < low || range.max > high)
    reject_outside(field, values, low, high, reason);
}

// Ranges of the coordinates along each axis, then of the radii.
template <std::size_t D>
std::array<Range, D + 1> ranges_of(const Spheres<D>& particles, ThreadPool* pool) {
  std::array<Range, D + 1> ranges;
  const auto measure = [&](std::size_t k, unsigned) {
    ranges[k] = range_of(k < D ? particles.coordinates(k) : particles.radii());
  };
  constexpr std::size_t parallel_size = 10000;  // below, waking the threads costs more
  if (pool != nullptr && particles.size() > parallel_size)
    pool->run(D + 1, measure);
  else
    for (std::size_t k = 0; k <= D; ++k) measure(k, 0);
  return ranges;
}

}  // namespace

void check_coordinate(double value, std::string_view what, std::string_view axis) {
  if (!std::isfinite(value))
    throw Error(message(what, " has ", axis, " = ", value, ": must be finite"),
                ErrorCode::invalid_argument, {.key = std::string(axis), .value = message(value)});
  if (std::abs(value) > max_length)
    throw Error(message(what, " has ", axis, " = ", value, ": must be at most 1e150 in magnitude"),
                ErrorCode::invalid_argument, {.key = std::string(axis), .value = message(value)});
}

template <std::size_t D>
void check_point(const Point<D>& point, std::string_view what) {
  for (std::size_t k = 0; k < D; ++k) check_coordinate(point[k], what, axis_names[k]);
}

template <std::size_t D>
InputSummary<D> summarize_input(const Spheres<D>& particles, const DetectorOptions<D>& options,
                                ThreadPool* pool) {
  const std::optional<Box<D>>& domain = options.domain;
  if (particles.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(message(particles.size(), " particles: at most 2147483647 are supported"));
  if (particles.size() == 0) return {};
  InputSummary<D> summary;
  const std::array<Range, D + 1> ranges = ranges_of(particles, pool);
  for (std::size_t k = 0; k < D; ++k) {
    const Range& range = ranges[k];
    reject_range(axis_names[k], range, particles.coordinates(k), -max_length, max_length,
                 "farther than 1e150 from the origin");
    summary.center_box.min[k] = range.min;
    summary.center_box.max[k] = range.max;
    if (domain && !options.periodic[k] &&
        (range.min < domain->min[k] || range.max > domain->max[k]))
      reject_outside(axis_names[k], particles.coordinates(k), domain->min[k], domain->max[k],
                     message("outside the domain, ", domain->min[k], " to ", domain->max[k]));
  }
  const Range& radius = ranges[D];
  if (!radius.is_finite || radius.min <= 0)
    reject_outside("radius", particles.radii(), std::numeric_limits<double>::denorm_min(),
                   max_length, "must be positive");
  if (radius.min < min_length || radius.max > max_length)
    reject_outside("radius", particles.radii(), min_length, max_length,
                   "must be from 1e-150 to 1e150");
  summary.max_radius = radius.max;
  summary.min_radius = radius.min;
  return summary;
}

template <std::size_t D>
void check_options(const DetectorOptions<D>& options) {
  if (!(options.margin >= 0 && options.margin <= max_length))
    reject_option("margin", options.margin, "must be a number from 0 to 1e150");
  if (!(options.tolerance >= 0 && options.tolerance <= 1))
    reject_option("tolerance", options.tolerance, "must be a number from 0 to 1");
  if (!(options.expansion >= 0 && options.expansion <= 1000))
    reject_option("expansion", options.expansion, "must be a number from 0 to 1000");
  if (options.max_cells_per_axis < 0)
    reject_option("max_cells_per_axis", options.max_cells_per_axis, "must be 0 or more");
  if (!(options.group_ratio >= 1.01 && options.group_ratio <= max_length))
    reject_option("group_ratio", options.group_ratio, "must be a number from 1.01 to 1e150");
  constexpr unsigned max_threads = 1024;
  if (options.threads > max_threads)
    reject_option("threads", options.threads, message("must be from 0 to ", max_threads));
  for (std::size_t k = 0; k < D; ++k)
    if (options.periodic[k] && !options.domain)
      throw Error(message("periodic along ", axis_names[k],
                          ": needs a domain, whose extent is the period"));
  if (!options.domain) return;
  for (std::size_t k = 0; k < D; ++k) {
    const auto [low, high] = std::pair(options.domain->min[k], options.domain->max[k]);
    if (!(std::isfinite(low) && std::isfinite(high) && low < high))
      throw Error(message("domain, ", axis_names[k], " from ", low, " to ", high,
                          ": must be two finite numbers in ascending order"));
    if (options.periodic[k] && !(low >= -max_length && high <= max_length))
      throw Error(message("domain, ", axis_names[k], " from ", low, " to ", high,
                          ": a periodic axis must be within 1e150 of the origin"));
  }
}

template void check_point(const Point<2>&, std::string_view);
template void check_point(const Point<3>&, std::string_view);
template InputSummary<2> summarize_input(const Spheres<2>&, const DetectorOptions<2>&, ThreadPool*);
template InputSummary<3> summarize_input(const Spheres<3>&, const DetectorOptions<3>&, ThreadPool*);
template void check_options(const DetectorOptions<2>&);
template void check_options(const DetectorOptions<3>&);

}  // namespace abut
