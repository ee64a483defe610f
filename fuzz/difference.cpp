#include "difference.hpp"

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

// Pairs, or why there are none.
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
  } catch (const MemoryLimitError& refused) {
    outcome.error = refused.what();
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
std::vector<Pair> streamed(Detector<D>& search) {
  std::vector<Pair> pairs;
  search.for_each_pair([&](Pair pair) { pairs.push_back(pair); });
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
void run_query(Detector<D>& search, QueryMode what, Outcome& outcome) {
  if (what == QueryMode::stream_then_list) outcome.streamed = streamed(search);
  outcome.listed = search.pairs();
  if (what == QueryMode::list_then_stream) outcome.streamed = streamed(search);
  if (what == QueryMode::list) outcome.streamed = outcome.listed;
}

bool may_exceed_memory(Method method) { return method_info(method).name != "engine"; }

std::string compare(const Outcome& found, const Outcome& expected, Method method) {
  if (found.is_unexpected) return message("threw: ", found.error);
  if (found.is_memory_error && expected.error.empty())
    return may_exceed_memory(method) ? "" : message("refused: ", found.error);
  if (found.error != expected.error)
    return message("said '", found.error, "' instead of '", expected.error, "'");
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

// In every step the one of that number, which need not be the same particle.
template <std::size_t D>
void remove_particle(Scenario<D>& scenario, std::size_t number) {
  const auto at = static_cast<std::ptrdiff_t>(number);
  for (Step<D>& step : scenario.steps) {
    if (number >= step.scene.size()) continue;
    for (auto& axis : step.scene.coordinates) axis.erase(axis.begin() + at);
    step.scene.radii.erase(step.scene.radii.begin() + at);
  }
  if (number < scenario.options.fixed_count) --scenario.options.fixed_count;
}

template <std::size_t D>
void remove_particles(Scenario<D>& scenario, const Fails<D>& fails) {
  std::size_t most = 0;
  for (const Step<D>& step : scenario.steps) most = std::max(most, step.scene.size());
  for (std::size_t number = most; number-- > 0;) {
    Scenario<D> smaller = scenario;
    remove_particle(smaller, number);
    if (fails(smaller)) scenario = std::move(smaller);
  }
}

template <std::size_t D>
void simplify_options(Scenario<D>& scenario, const Fails<D>& fails) {
  const auto attempt = [&](auto member, auto value) {
    Scenario<D> plainer = scenario;
    plainer.options.*member = value;
    if (fails(plainer)) scenario = std::move(plainer);
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
  const auto [here, there] = std::ranges::mismatch(found, expected);
  if (here == found.end() && there == expected.end()) return "";
  const bool missing = there != expected.end() && (here == found.end() || *there < *here);
  const Pair pair = missing ? *there : *here;
  const bool twice = !missing && here != found.begin() && *(here - 1) == pair;
  return message("pair (", pair.a, ", ", pair.b, ") ",
                 missing ? "is missing" : (twice ? "comes twice" : "should not be there"), "; ",
                 found.size(), " pairs instead of ", expected.size());
}

template <std::size_t D>
std::string mismatch(const Scenario<D>& scenario, Method method) {
  DetectorOptions<D> options = scenario.options;
  options.method = method;
  std::optional<Detector<D>> search;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const QueryMode what = scenario.steps[i].query;
    const Scene<D> scene = scenario.steps[i].scene;  // gone after the step: none may look back
    const Outcome found = outcome_of([&](Outcome& outcome) {
      if (!search) search.emplace(options);
      search->update(scene.view());
      if (what != QueryMode::none) run_query(*search, what, outcome);
    });
    Outcome expected = by_brute_force(scene, options);
    if (what == QueryMode::none) expected.listed = expected.streamed = {};
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
