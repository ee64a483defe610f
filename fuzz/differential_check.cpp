#include "differential_check.hpp"

#include <abut/detector.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "core/message.hpp"

namespace abut::fuzz {
namespace {

// Pairs, or the error message.
struct Outcome {
  std::vector<Pair> listed;
  std::vector<Pair> streamed;
  std::string error;
  bool is_memory_error = false;
  bool is_unexpected = false;
};

template <class Search>
Outcome outcome_of(const Search& search) {
  Outcome outcome;
  try {
    search(outcome);
  } catch (const MemoryLimitError& error) {
    outcome.error = error.what();
    outcome.is_memory_error = true;
  } catch (const Error& error) {
    outcome.error = error.what();
  } catch (const std::exception& error) {
    outcome.error = error.what();
    outcome.is_unexpected = true;
  }
  return outcome;
}

template <std::size_t D>
Outcome by_brute_force(const Scene<D>& scene, DetectorOptions<D> options) {
  options.method = Method::brute_force;
  options.threads = 1;
  options.collect_counts = false;
  return outcome_of([&](Outcome& outcome) {
    outcome.listed = find_contacts(scene.view(), options);
    outcome.streamed = outcome.listed;
  });
}

template <std::size_t D>
std::vector<Pair> streamed(Detector<D>& detector) {
  std::vector<Pair> pairs;
  detector.for_each_pair([&](Pair pair) { pairs.push_back(pair); });
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
void run_query(Detector<D>& detector, QueryMode mode, Outcome& outcome) {
  if (mode == QueryMode::stream_then_list) outcome.streamed = streamed(detector);
  outcome.listed = detector.pairs();
  if (mode == QueryMode::list_then_stream) outcome.streamed = streamed(detector);
  if (mode == QueryMode::list) outcome.streamed = outcome.listed;
}

bool may_exceed_memory(Method method) { return method_info(method).name != "engine"; }

std::string compare(const Outcome& found, const Outcome& expected, Method method) {
  if (found.is_unexpected) return message("threw: ", found.error);
  if (found.is_memory_error && expected.error.empty())
    return may_exceed_memory(method) ? "" : message("exceeded the memory limit: ", found.error);
  if (found.error != expected.error)
    return message("threw '", found.error, "' instead of '", expected.error, "'");
  if (found.listed != expected.listed)
    return message("list: ", first_difference(found.listed, expected.listed));
  if (found.streamed != expected.streamed)
    return message("stream: ", first_difference(found.streamed, expected.streamed));
  return "";
}

template <std::size_t D>
using Fails = std::function<bool(const Scenario<D>&)>;

template <std::size_t D>
void remove_steps(Scenario<D>& scenario, const Fails<D>& fails) {
  for (std::size_t i = scenario.steps.size(); i-- > 0;) {
    Scenario<D> smaller = scenario;
    smaller.steps.erase(smaller.steps.begin() + static_cast<std::ptrdiff_t>(i));
    if (fails(smaller)) scenario = std::move(smaller);
  }
}

// Removes this index from every step, although it may be a different particle in each.
template <std::size_t D>
void remove_particle(Scenario<D>& scenario, std::size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  for (Step<D>& step : scenario.steps) {
    if (index >= step.scene.size()) continue;
    for (auto& axis : step.scene.coordinates) axis.erase(axis.begin() + at);
    step.scene.radii.erase(step.scene.radii.begin() + at);
  }
  if (index < scenario.options.fixed_count) --scenario.options.fixed_count;
}

template <std::size_t D>
void remove_particles(Scenario<D>& scenario, const Fails<D>& fails) {
  std::size_t max_count = 0;
  for (const Step<D>& step : scenario.steps) max_count = std::max(max_count, step.scene.size());
  for (std::size_t index = max_count; index-- > 0;) {
    Scenario<D> smaller = scenario;
    remove_particle(smaller, index);
    if (fails(smaller)) scenario = std::move(smaller);
  }
}

template <std::size_t D>
void simplify_options(Scenario<D>& scenario, const Fails<D>& fails) {
  const auto attempt = [&](auto member, auto value) {
    Scenario<D> simpler = scenario;
    simpler.options.*member = value;
    if (fails(simpler)) scenario = std::move(simpler);
  };
  attempt(&DetectorOptions<D>::threads, 1U);
  attempt(&DetectorOptions<D>::collect_counts, false);
  attempt(&DetectorOptions<D>::fixed_count, std::size_t{0});
  attempt(&DetectorOptions<D>::margin, 0.0);
  attempt(&DetectorOptions<D>::tolerance, 1e-12);
  attempt(&DetectorOptions<D>::group_ratio, 2.0);
}

template <std::size_t D>
Scenario<D> reduced(Scenario<D> scenario, Method method) {
  const Fails<D> fails = [method](const Scenario<D>& it) { return !mismatch(it, method).empty(); };
  remove_steps(scenario, fails);
  remove_particles(scenario, fails);
  simplify_options(scenario, fails);
  remove_particles(scenario, fails);
  return scenario;
}

template <std::size_t D>
std::string report(const Scenario<D>& scenario, Method method, const std::string& first) {
  const Scenario<D> small = reduced(scenario, method);
  std::string text =
      message(method_info(method).name, ": ", first, "\n", "reduced: ", mismatch(small, method),
              "\n", describe(small.options), "\n");
  for (std::size_t i = 0; i < small.steps.size(); ++i)
    text += message("step ", i + 1, "\n", to_csv(small.steps[i].scene));
  return text;
}

}  // namespace

std::string first_difference(std::span<const Pair> found, std::span<const Pair> expected) {
  const auto [actual, reference] = std::ranges::mismatch(found, expected);
  if (actual == found.end() && reference == expected.end()) return "";
  const bool missing =
      reference != expected.end() && (actual == found.end() || *reference < *actual);
  const Pair pair = missing ? *reference : *actual;
  const bool duplicated = !missing && actual != found.begin() && *(actual - 1) == pair;
  return message("pair (", pair.a, ", ", pair.b, ") ",
                 missing ? "is missing" : (duplicated ? "is duplicated" : "is not expected"), "; ",
                 found.size(), " pairs instead of ", expected.size());
}

template <std::size_t D>
std::string mismatch(const Scenario<D>& scenario, Method method) {
  DetectorOptions<D> options = scenario.options;
  options.method = method;
  std::optional<Detector<D>> detector;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const QueryMode mode = scenario.steps[i].query;
    const Scene<D> scene =
        scenario.steps[i]
            .scene;  // destroyed after the step: sanitizers detect if a later step reads it
    const Outcome found = outcome_of([&](Outcome& outcome) {
      if (!detector) detector.emplace(options);
      detector->update(scene.view());
      if (mode != QueryMode::none) run_query(*detector, mode, outcome);
    });
    Outcome expected = by_brute_force(scene, options);
    if (mode == QueryMode::none) expected.listed = expected.streamed = {};
    const std::string difference = compare(found, expected, method);
    if (!difference.empty()) return message("step ", i + 1, ", ", difference);
  }
  return "";
}

std::string differential_check(std::span<const std::uint8_t> bytes, Method method) {
  const AnyScenario any = scenario_from_bytes(bytes);
  return std::visit(
      [method](const auto& scenario) {
        const std::string first = mismatch(scenario, method);
        return first.empty() ? first : report(scenario, method, first);
      },
      any);
}

template std::string mismatch(const Scenario<2>&, Method);
template std::string mismatch(const Scenario<3>&, Method);

}  // namespace abut::fuzz
