// Periodic domains: every method against the definition, over all images that can be pairs.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "conformance.hpp"
#include "core/message.hpp"
#include "core/statistics.hpp"

namespace abut {

template <std::size_t D>
void PrintTo(const PeriodicPair<D>& pair, std::ostream* out) {
  *out << pair.a << '-' << pair.b << " image";
  for (const auto shift : pair.image) *out << ' ' << shift;
}
template <std::size_t D>
void showValue(const PeriodicPair<D>& pair, std::ostream& out) {
  PrintTo(pair, &out);
}

}  // namespace abut

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <std::size_t D>
using Pairs = std::vector<PeriodicPair<D>>;

template <std::size_t D>
Pairs<D> found(Method method, const Scene<D>& scene, DetectorOptions<D> options) {
  options.method = method;
  if (options.threads == 1) options.threads = test_thread_count();
  return find_periodic_contacts(scene.view(), options);
}

// Visits all images from −max_image to max_image along each axis.
template <std::size_t D, class Visit>
void for_each_image(const std::array<std::int32_t, D>& max_image, const Visit& visit) {
  std::array<std::int32_t, D> image;
  for (std::size_t k = 0; k < D; ++k) image[k] = -max_image[k];
  for (bool more = true; more;) {
    visit(image);
    more = false;
    for (std::size_t k = 0; k < D && !more; ++k) {
      more = ++image[k] <= max_image[k];
      if (!more) image[k] = -max_image[k];
    }
  }
}

template <std::size_t D>
bool is_pair(const Scene<D>& scene, const DetectorOptions<D>& options,
             const PeriodicPair<D>& pair) {
  const double radii = scene.radii[pair.a] + scene.radii[pair.b];
  const double cutoff =
      radii * ((1 + options.tolerance) * (1 + options.expansion)) + options.margin;
  double squared = 0;
  for (std::size_t k = 0; k < D; ++k) {
    const double period = options.domain->max[k] - options.domain->min[k];
    const double difference =
        scene.coordinates[k][pair.b] + pair.image[k] * period - scene.coordinates[k][pair.a];
    squared += difference * difference;
  }
  return squared <= cutoff * cutoff;
}

// The definition, independent of the library; exact for coordinates with few digits.
template <std::size_t D>
Pairs<D> by_definition(const Scene<D>& scene, const DetectorOptions<D>& options, int max_image) {
  Pairs<D> pairs;
  std::array<std::int32_t, D> max_images{};
  for (std::size_t k = 0; k < D; ++k) max_images[k] = options.periodic[k] ? max_image : 0;
  for (Index a = 0; a < scene.size(); ++a)
    for (Index b = std::max(a, static_cast<Index>(options.fixed_count)); b < scene.size(); ++b)
      for_each_image<D>(max_images, [&](const std::array<std::int32_t, D>& image) {
        const bool itself = a == b && !(image > std::array<std::int32_t, D>{});
        if (!itself && is_pair<D>(scene, options, {a, b, image})) pairs.push_back({a, b, image});
      });
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
Box<D> box_of(double length) {
  Box<D> box;
  box.min.fill(0);
  box.max.fill(length);
  return box;
}

template <std::size_t D>
Scene<D> scattered(std::size_t count, double low, double high, double min_radius, double max_radius,
                   std::uint64_t seed) {
  Random random(seed);
  Scene<D> scene;
  const auto rounded = [&](double min, double max) {
    return std::round(random.uniform(min, max) / coordinate_step) * coordinate_step;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (auto& axis : scene.coordinates) axis.push_back(rounded(low, high));
    scene.radii.push_back(std::max(coordinate_step, rounded(min_radius, max_radius)));
  }
  return scene;
}

template <std::size_t D>
struct PeriodicCase {
  std::string name;
  Scene<D> scene;
  DetectorOptions<D> options{};
  int max_image = 2;    ///< no pair has an image beyond this
  Pairs<D> expected{};  ///< by_definition
};

template <std::size_t D>
std::vector<PeriodicCase<D>> cases() {
  std::vector<PeriodicCase<D>> all;
  for (unsigned axes = 1; axes < 1U << D; ++axes) {
    std::array<bool, D> periodic;
    for (std::size_t k = 0; k < D; ++k) periodic[k] = (axes >> k & 1U) != 0;
    const auto add = [&](const std::string& name, Scene<D> scene, DetectorOptions<D> options,
                         int max_image = 2) {
      options.periodic = periodic;
      if (!options.domain) options.domain = box_of<D>(8);
      all.push_back({message(name, ", axes ", axes), std::move(scene), options, max_image});
      all.back().expected = by_definition(all.back().scene, options, max_image);
    };
    add("no particle", {}, {});
    add("one", scattered<D>(1, 0, 8, 0.5, 0.5, 1), {});
    add("few", scattered<D>(9, 0, 8, 0.5, 1, 2), {});
    add("dense", scattered<D>(300, 0, 8, 0.4, 0.5, 3), {});
    add("odd number of cells", scattered<D>(200, 0, 7, 0.5, 0.5, 3), {.domain = box_of<D>(7)});
    add("sizes", scattered<D>(120, 0, 8, 1.0 / 64, 1.5, 4), {});
    add("margin and expansion", scattered<D>(80, 0, 8, 0.1, 0.4, 5),
        {.margin = 0.25, .expansion = 0.5});
    add("fixed particles", scattered<D>(150, 0, 8, 0.3, 0.6, 6), {.fixed_count = 75});
    add("one cell", scattered<D>(12, 0, 1.5, 0.25, 0.5, 7), {.domain = box_of<D>(1.5)});
    add("two cells", scattered<D>(20, 0, 2, 0.25, 0.5, 8), {.domain = box_of<D>(2)});
    add("three cells", scattered<D>(30, 0, 3, 0.25, 0.5, 8), {.domain = box_of<D>(3)});
    add("exactly half the period", scattered<D>(5, 0, 1, 0.5, 0.5, 9), {.domain = box_of<D>(1)});
    add("larger than the domain", scattered<D>(4, 0, 1, 0.1, 1.75, 10), {.domain = box_of<D>(1)},
        5);
    add("limit of 3 cells", scattered<D>(300, 0, 8, 0.2, 0.25, 11), {.max_cells_per_axis = 3});
    add("limit of 1 cell", scattered<D>(100, 0, 8, 0.2, 0.25, 11), {.max_cells_per_axis = 1});
    Scene<D> corners;
    for (int i = 0; i < 1 << D; ++i) {
      for (std::size_t k = 0; k < D; ++k)
        corners.coordinates[k].push_back((i >> k & 1) != 0 ? 8 : 0);
      corners.radii.push_back(0.5);
    }
    add("on the boundary", corners, {});
  }
  // Particles may be outside the domain only where every axis is periodic.
  DetectorOptions<D> all_periodic{.domain = box_of<D>(8)};
  all_periodic.periodic.fill(true);
  all.push_back({"outside", scattered<D>(40, -20, 20, 0.4, 1, 12), all_periodic, 7});
  all.back().expected = by_definition(all.back().scene, all_periodic, 7);
  return all;
}

template <std::size_t D>
void expect_definition(Method method) {
  static const std::vector<PeriodicCase<D>> all = cases<D>();  // shared by the methods
  for (const PeriodicCase<D>& instance : all) {
    const Pairs<D> pairs = found(method, instance.scene, instance.options);
    EXPECT_TRUE(pairs == instance.expected) << instance.name << " " << D << "D: " << pairs.size()
                                            << " pairs instead of " << instance.expected.size();
  }
}

class PeriodicMethod : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(PeriodicMethod, EqualsDefinitionIn2D) { expect_definition<2>(GetParam().method); }
TEST_P(PeriodicMethod, EqualsDefinitionIn3D) { expect_definition<3>(GetParam().method); }

// For coordinates with all digits brute force is the reference.
TEST_P(PeriodicMethod, EqualsBruteForce) {
  for (const char* name : {"random", "polydisperse", "lattice-shuffled", "clusters"}) {
    const Scene<3> scene = make_scene<3>(name, {.count = 3000, .size_ratio = 8});
    const DetectorOptions<3> options{.domain = scene.bounds, .periodic = {true, true, true}};
    static std::map<std::string, Pairs<3>> expected;  // shared by the methods
    if (!expected.contains(name)) expected[name] = found(Method::brute_force, scene, options);
    EXPECT_TRUE(found(GetParam().method, scene, options) == expected[name]) << name;
  }
}

TEST_P(PeriodicMethod, StreamsSamePairsForAnyNumberOfThreads) {
  const Scene<3> scene = make_scene<3>("random", {.count = 4000});
  std::vector<Pairs<3>> streams;
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    Detector<3> detector({.method = GetParam().method,
                          .domain = scene.bounds,
                          .periodic = {true, false, true},
                          .threads = threads});
    detector.update(scene.view());
    streams.emplace_back();
    detector.for_each_pair([&](const PeriodicPair<3>& pair) { streams.back().push_back(pair); });
    EXPECT_TRUE(streams.back() == streams.front()) << threads;
  }
  EXPECT_THAT(streams.front(), ::testing::Not(IsEmpty()));
}

TEST_P(PeriodicMethod, GivesSamePairsInAllLists) {
  const Scene<2> scene = scattered<2>(60, 0, 4, 0.3, 1.2, 21);
  Detector<2> detector(
      {.method = GetParam().method, .domain = box_of<2>(4), .periodic = {true, true}});
  detector.update(scene.view());
  std::vector<Pair> expected;
  for (const auto& pair : detector.periodic_pairs()) expected.push_back({pair.a, pair.b});
  EXPECT_EQ(detector.pairs(), expected);
  std::vector<Pair> listed;
  for (Index a = 0; a < scene.size(); ++a)
    for (const Index b : detector.half_neighbor_list().neighbors_of(a)) listed.push_back({a, b});
  EXPECT_EQ(listed, expected);
}

// One detector, particles that cross the boundary again and again.
TEST_P(PeriodicMethod, FollowsParticlesAcrossBoundary) {
  Scene<2> scene = scattered<2>(150, 0, 8, 0.3, 0.5, 22);
  DetectorOptions<2> options{.method = GetParam().method, .domain = box_of<2>(8)};
  options.periodic = {true, true};
  Detector<2> detector(options);
  for (int step = 0; step < 25; ++step) {
    detector.update(scene.view());
    ASSERT_EQ(detector.periodic_pairs(), by_definition(scene, options, 4)) << step;
    for (std::size_t i = 0; i < scene.size(); ++i) {
      scene.coordinates[0][i] += 0.5 * static_cast<double>(i % 3);
      scene.coordinates[1][i] -= 0.25;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, PeriodicMethod,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

template <std::size_t D>
Scene<D> random_scene(double length) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 40);
  return scattered<D>(count, 0, length, 0, *rc::gen::element(0.1, 0.5, 1.5),
                      *rc::gen::arbitrary<unsigned>());
}

template <std::size_t D>
DetectorOptions<D> random_options(double length) {
  DetectorOptions<D> options{.margin = *rc::gen::inRange(0, 40) * coordinate_step,
                             .domain = box_of<D>(length)};
  for (bool& axis : options.periodic) axis = *rc::gen::arbitrary<bool>();
  return options;
}

// Shifting single particles by whole periods changes only images; shifting all changes nothing.
template <std::size_t D>
void translation_by_periods_only_changes_images(Method method) {
  const double length = *rc::gen::element(1.0, 3.0, 8.0);
  const Scene<D> scene = random_scene<D>(length);
  const DetectorOptions<D> options = random_options<D>(length);
  Scene<D> moved = scene;
  std::vector<std::array<std::int32_t, D>> by(scene.size());
  for (std::size_t i = 0; i < scene.size(); ++i)
    for (std::size_t k = 0; k < D; ++k) {
      if (!options.periodic[k]) continue;
      by[i][k] = *rc::gen::inRange(-5, 6);
      moved.coordinates[k][i] += by[i][k] * length;
    }
  Pairs<D> expected = found(method, scene, options);
  for (auto& pair : expected)
    for (std::size_t k = 0; k < D; ++k) pair.image[k] += by[pair.a][k] - by[pair.b][k];
  RC_ASSERT(found(method, moved, options) == expected);

  const double distance = *rc::gen::inRange(-500, 500) * coordinate_step;
  Scene<D> translated = scene;
  for (std::size_t k = 0; k < D; ++k)
    if (options.periodic[k])
      for (double& x : translated.coordinates[k]) x += distance;
  RC_ASSERT(found(method, translated, options) == found(method, scene, options));
}

template <std::size_t D>
Pairs<D> canonical(Pairs<D> pairs) {
  for (auto& pair : pairs) {
    const std::array<std::int32_t, D> zero{};
    if (pair.a < pair.b || (pair.a == pair.b && pair.image > zero)) continue;
    std::swap(pair.a, pair.b);
    for (auto& shift : pair.image) shift = -shift;
  }
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
void permutation_only_renumbers(Method method) {
  const double length = *rc::gen::element(1.0, 8.0);
  const Scene<D> scene = random_scene<D>(length);
  const DetectorOptions<D> options = random_options<D>(length);
  std::vector<Index> order(scene.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
  Scene<D> permuted = scene;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k) permuted.coordinates[k][i] = scene.coordinates[k][order[i]];
    permuted.radii[i] = scene.radii[order[i]];
  }
  Pairs<D> renumbered = found(method, permuted, options);
  for (auto& pair : renumbered) pair = {order[pair.a], order[pair.b], pair.image};
  RC_ASSERT(canonical(renumbered) == found(method, scene, options));
}

template <std::size_t D>
void mirroring_negates_images(Method method) {
  const double length = *rc::gen::element(1.0, 8.0);
  const Scene<D> scene = random_scene<D>(length);
  const DetectorOptions<D> options = random_options<D>(length);
  const auto axis = *rc::gen::inRange<std::size_t>(0, D);
  Scene<D> mirrored = scene;
  for (double& x : mirrored.coordinates[axis]) x = length - x;
  Pairs<D> pairs = found(method, mirrored, options);
  for (auto& pair : pairs) pair.image[axis] = -pair.image[axis];
  RC_ASSERT(canonical(pairs) == found(method, scene, options));
}

template <std::size_t D>
void larger_margin_keeps_every_pair(Method method) {
  const double length = *rc::gen::element(1.0, 8.0);
  const Scene<D> scene = random_scene<D>(length);
  DetectorOptions<D> options = random_options<D>(length);
  const Pairs<D> before = found(method, scene, options);
  options.margin += *rc::gen::inRange(0, 40) * coordinate_step;
  options.expansion += *rc::gen::element(0.0, 0.25, 1.0);
  RC_ASSERT(std::ranges::includes(found(method, scene, options), before));
}

class PeriodicProperties : public ::testing::TestWithParam<MethodInfo> {};

template <std::size_t D>
void expect_properties(Method method) {
  const auto holds = [&](const char* name, void (*property)(Method)) {
    EXPECT_TRUE(rc::check(name, [&] { property(method); })) << name;
  };
  holds("translation by periods only changes images",
        translation_by_periods_only_changes_images<D>);
  holds("permutation only renumbers", permutation_only_renumbers<D>);
  holds("mirroring negates images", mirroring_negates_images<D>);
  holds("larger margin keeps every pair", larger_margin_keeps_every_pair<D>);
}

TEST_P(PeriodicProperties, HoldIn2D) { expect_properties<2>(GetParam().method); }
TEST_P(PeriodicProperties, HoldIn3D) { expect_properties<3>(GetParam().method); }

INSTANTIATE_TEST_SUITE_P(Methods, PeriodicProperties,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
