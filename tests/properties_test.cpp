// Properties that hold for any particles, checked on random ones; a failure is shrunk to a minimal
// example. RapidCheck prints the seed; RC_PARAMS="seed=…" repeats a run.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "conformance.hpp"

namespace abut {

// Used by RapidCheck to print a failure.
void showValue(Pair pair, std::ostream& out) { out << pair.a << '-' << pair.b; }

}  // namespace abut

namespace abut::testing {
namespace {

template <std::size_t D>
Scene<D> random_scene() {
  const auto count = *rc::gen::inRange<std::size_t>(0, 120);
  const auto half_width = *rc::gen::element(40, 300, 2000);
  const auto radius_range = *rc::gen::element(2, 20, 150);
  Scene<D> scene;
  for (auto& axis : scene.coordinates)
    for (const int x :
         *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(-half_width, half_width)))
      axis.push_back(x * coordinate_step);
  const int smallest = 1 + half_width / 200;  // limits the cells of methods with a dense cell array
  for (const int r : *rc::gen::container<std::vector<int>>(
           count, rc::gen::inRange(smallest, smallest + radius_range)))
    scene.radii.push_back(r * coordinate_step);
  return scene;
}

template <std::size_t D>
std::vector<Pair> brute_force(const Scene<D>& scene, const DetectorOptions<D>& options = {}) {
  return finder<D>(Method::brute_force)(scene.view(), options);
}

template <std::size_t D>
void finds_brute_force_pairs(const Finder<D>& find) {
  const Scene<D> scene = random_scene<D>();
  const DetectorOptions<D> options{.margin = *rc::gen::inRange(0, 100) * coordinate_step};
  RC_ASSERT(find(scene.view(), options) == brute_force(scene, options));
}

template <std::size_t D>
void permutation_only_relabels(const Finder<D>& find) {
  const Scene<D> scene = random_scene<D>();
  std::vector<Index> order(scene.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  Scene<D> permuted = scene;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k) permuted.coordinates[k][i] = scene.coordinates[k][order[i]];
    permuted.radii[i] = scene.radii[order[i]];
  }
  std::vector<Pair> relabeled;
  for (const auto [a, b] : find(permuted.view(), {}))
    relabeled.push_back({std::min(order[a], order[b]), std::max(order[a], order[b])});
  std::ranges::sort(relabeled);
  RC_ASSERT(relabeled == find(scene.view(), {}));
}

template <std::size_t D, class Change>
void expect_invariant(const Finder<D>& find, const Change& change) {
  const Scene<D> scene = random_scene<D>();
  Scene<D> changed = scene;
  change(changed);
  RC_ASSERT(find(changed.view(), {}) == find(scene.view(), {}));
}

template <std::size_t D>
void is_invariant_to_translation(const Finder<D>& find) {
  expect_invariant(find, [](Scene<D>& scene) {
    for (auto& axis : scene.coordinates) {
      const double offset = *rc::gen::inRange(-100000, 100000) * coordinate_step;
      for (double& x : axis) x += offset;
    }
  });
}

template <std::size_t D>
void is_invariant_to_reflection(const Finder<D>& find) {
  expect_invariant(find, [](Scene<D>& scene) {
    for (double& x : scene.coordinates[*rc::gen::inRange<std::size_t>(0, D)]) x = -x;
  });
}

template <std::size_t D>
void is_invariant_to_scaling(const Finder<D>& find) {
  expect_invariant(find, [](Scene<D>& scene) {
    const double factor = std::exp2(*rc::gen::inRange(-40, 40));
    for (auto& axis : scene.coordinates)
      for (double& x : axis) x *= factor;
    for (double& r : scene.radii) r *= factor;
  });
}

template <std::size_t D>
void larger_margin_keeps_every_pair(const Finder<D>& find) {
  const Scene<D> scene = random_scene<D>();
  const double margin = *rc::gen::inRange(0, 50) * coordinate_step;
  const double increase = *rc::gen::inRange(0, 50) * coordinate_step;
  RC_ASSERT(std::ranges::includes(find(scene.view(), {.margin = margin + increase}),
                                  find(scene.view(), {.margin = margin})));
}

template <std::size_t D>
void expect_detector_properties(Method method) {
  const Finder<D> find = finder<D>(method);
  const auto holds = [&](const char* name, void (*property)(const Finder<D>&)) {
    EXPECT_TRUE(rc::check(name, [&] { property(find); })) << name;
  };
  holds("finds the pairs of brute force", finds_brute_force_pairs<D>);
  holds("permutation only relabels pairs", permutation_only_relabels<D>);
  holds("is invariant to translation", is_invariant_to_translation<D>);
  holds("is invariant to reflection", is_invariant_to_reflection<D>);
  holds("is invariant to scaling", is_invariant_to_scaling<D>);
  holds("a larger margin keeps every pair", larger_margin_keeps_every_pair<D>);
}

class Properties : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(Properties, HoldIn2D) { expect_detector_properties<2>(GetParam().method); }
TEST_P(Properties, HoldIn3D) { expect_detector_properties<3>(GetParam().method); }

INSTANTIATE_TEST_SUITE_P(Every, Properties, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(PropertySuite, DetectsAMethodThatLosesPairs) {
  const Finder<2> faulty = lossy(finder<2>(Method::nbs), 100);
  EXPECT_FALSE(
      rc::check("expected failure of a faulty method", [&] { finds_brute_force_pairs(faulty); }));
}

}  // namespace
}  // namespace abut::testing
