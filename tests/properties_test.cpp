// Properties that hold whatever the particles are, checked on random ones that shrink to the
// smallest failure. RapidCheck prints the seed; RC_PARAMS="seed=…" repeats a run.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "conformance.hpp"

namespace abut {

// For RapidCheck to print a failure.
void showValue(Pair pair, std::ostream& out) { out << pair.a << '-' << pair.b; }

}  // namespace abut

namespace abut::testing {
namespace {

template <std::size_t D>
Scene<D> any_scene() {
  const auto count = *rc::gen::inRange<std::size_t>(0, 120);
  const auto widest = *rc::gen::element(40, 300, 2000);
  const auto largest = *rc::gen::element(2, 20, 150);
  Scene<D> scene;
  for (auto& axis : scene.coordinates)
    for (const int x :
         *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(-widest, widest)))
      axis.push_back(x * coordinate_step);
  const int smallest = 1 + widest / 200;  // no more cells than a dense array can have
  for (const int r :
       *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(smallest, smallest + largest)))
    scene.radii.push_back(r * coordinate_step);
  return scene;
}

template <std::size_t D>
std::vector<Pair> brute_force(const Scene<D>& scene, const DetectorOptions<D>& options = {}) {
  return finder<D>(Method::brute_force)(scene.view(), options);
}

template <std::size_t D>
void equals_brute_force(const Finder<D>& find) {
  const Scene<D> scene = any_scene<D>();
  const DetectorOptions<D> options{.margin = *rc::gen::inRange(0, 100) * coordinate_step};
  RC_ASSERT(find(scene.view(), options) == brute_force(scene, options));
}

template <std::size_t D>
void permutation_only_renames(const Finder<D>& find) {
  const Scene<D> scene = any_scene<D>();
  std::vector<Index> order(scene.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  Scene<D> permuted = scene;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k) permuted.coordinates[k][i] = scene.coordinates[k][order[i]];
    permuted.radii[i] = scene.radii[order[i]];
  }
  std::vector<Pair> renamed;
  for (const auto [a, b] : find(permuted.view(), {}))
    renamed.push_back({std::min(order[a], order[b]), std::max(order[a], order[b])});
  std::ranges::sort(renamed);
  RC_ASSERT(renamed == find(scene.view(), {}));
}

template <std::size_t D, class Change>
void unchanged_by(const Finder<D>& find, const Change& change) {
  const Scene<D> scene = any_scene<D>();
  Scene<D> changed = scene;
  change(changed);
  RC_ASSERT(find(changed.view(), {}) == find(scene.view(), {}));
}

template <std::size_t D>
void translation_changes_nothing(const Finder<D>& find) {
  unchanged_by(find, [](Scene<D>& scene) {
    for (auto& axis : scene.coordinates) {
      const double by = *rc::gen::inRange(-100000, 100000) * coordinate_step;
      for (double& x : axis) x += by;
    }
  });
}

template <std::size_t D>
void mirroring_changes_nothing(const Finder<D>& find) {
  unchanged_by(find, [](Scene<D>& scene) {
    for (double& x : scene.coordinates[*rc::gen::inRange<std::size_t>(0, D)]) x = -x;
  });
}

template <std::size_t D>
void scaling_changes_nothing(const Finder<D>& find) {
  unchanged_by(find, [](Scene<D>& scene) {
    const double by = std::exp2(*rc::gen::inRange(-40, 40));
    for (auto& axis : scene.coordinates)
      for (double& x : axis) x *= by;
    for (double& r : scene.radii) r *= by;
  });
}

template <std::size_t D>
void a_larger_margin_keeps_every_pair(const Finder<D>& find) {
  const Scene<D> scene = any_scene<D>();
  const double margin = *rc::gen::inRange(0, 50) * coordinate_step;
  const double more = *rc::gen::inRange(0, 50) * coordinate_step;
  RC_ASSERT(std::ranges::includes(find(scene.view(), {.margin = margin + more}),
                                  find(scene.view(), {.margin = margin})));
}

template <std::size_t D>
void expect_detector_properties(Method method) {
  const Finder<D> find = finder<D>(method);
  const auto holds = [&](const char* name, void (*property)(const Finder<D>&)) {
    EXPECT_TRUE(rc::check(name, [&] { property(find); })) << name;
  };
  holds("the pairs are those of brute force", equals_brute_force<D>);
  holds("permutation only renames", permutation_only_renames<D>);
  holds("translation changes nothing", translation_changes_nothing<D>);
  holds("mirroring changes nothing", mirroring_changes_nothing<D>);
  holds("scaling changes nothing", scaling_changes_nothing<D>);
  holds("a larger margin keeps every pair", a_larger_margin_keeps_every_pair<D>);
}

class Properties : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(Properties, HoldIn2D) { expect_detector_properties<2>(GetParam().method); }
TEST_P(Properties, HoldIn3D) { expect_detector_properties<3>(GetParam().method); }

INSTANTIATE_TEST_SUITE_P(Every, Properties, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(PropertiesThemselves, CatchAMethodThatLosesPairs) {
  const Finder<2> wrong = lossy(finder<2>(Method::nbs), 100);
  EXPECT_FALSE(rc::check("a wrong method, caught on purpose", [&] { equals_brute_force(wrong); }));
}

}  // namespace
}  // namespace abut::testing
