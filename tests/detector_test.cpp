#include <gmock/gmock.h>

#include <abut/detector.hpp>

#include "conformance.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class EveryMethod : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(EveryMethod, StreamsSamePairsAsList) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 2000, .size_ratio = 4});
  Detector<3> detector({.method = GetParam().method});
  detector.update(scene.view());
  std::vector<Pair> streamed;
  detector.for_each_pair([&](Pair pair) { streamed.push_back(pair); });
  std::ranges::sort(streamed);
  EXPECT_EQ(streamed, detector.pairs());
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view()));
}

// One detector for scenes that grow, shrink, move and change shape.
TEST_P(EveryMethod, IsIndependentOfPreviousUpdates) {
  Detector<2> detector({.method = GetParam().method});
  for (const std::size_t count : {1000UL, 10UL, 0UL, 3000UL, 1UL, 500UL})
    for (const char* name : {"random", "lattice", "polydisperse"}) {
      Scene<2> scene = make_scene<2>(name, {.count = count, .seed = count});
      for (double& x : scene.coordinates[0]) x = 3 * x - 100;
      detector.update(scene.view());
      EXPECT_EQ(detector.pairs(), find_contacts(scene.view(), {.method = Method::brute_force}))
          << name << ", " << count;
    }
}

TEST_P(EveryMethod, RejectsVisitorThatUsesDetector) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 3000});
  Detector<3> detector({.method = GetParam().method});
  detector.update(scene.view());
  EXPECT_THROW(detector.for_each_pair([&](Pair) { detector.update(scene.view()); }), Error);
  EXPECT_THROW(detector.for_each_pair([&](Pair) { (void)detector.pairs(); }), Error);
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view()));
}

// The callback gets an error, and the current search still finds all pairs.
TEST_P(EveryMethod, FindsAllPairsDespiteProgressCallbackThatUsesDetector) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 3000});
  std::optional<Detector<3>> detector;
  int errors = 0;
  detector.emplace(DetectorOptions<3>{.method = GetParam().method, .progress = [&](double) {
                                        try {
                                          (void)detector->pairs();
                                        } catch (const Error&) {
                                          ++errors;
                                        }
                                      }});
  detector->update(scene.view());
  EXPECT_EQ(detector->pairs(), find_contacts(scene.view()));
  EXPECT_GT(errors, 0);
}

TEST_P(EveryMethod, RecoversFromThrowingVisitor) {
  const Scene<2> scene = make_scene<2>("random", {.count = 3000});
  Detector<2> detector({.method = GetParam().method});
  detector.update(scene.view());
  EXPECT_THROW(detector.for_each_pair([](Pair) { throw Error("enough"); }), Error);
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view()));
}

TEST_P(EveryMethod, ReportsProgressUpToOne) {
  const Scene<3> scene = make_scene<3>("random", {.count = 5000});
  for (const unsigned threads : {1U, 2U}) {
    std::vector<double> fractions;
    find_contacts(scene.view(),
                  {.method = GetParam().method,
                   .threads = threads,
                   .progress = [&](double fraction) { fractions.push_back(fraction); }});
    ASSERT_FALSE(fractions.empty());
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    EXPECT_DOUBLE_EQ(fractions.back(), 1);
  }
}

TEST_P(EveryMethod, ReportsIndexAndValueOfInvalidInput) {
  const auto detect_with = [&](Scene<2> scene, std::size_t axis, std::size_t i, double value) {
    (axis < 2 ? scene.coordinates[axis] : scene.radii)[i] = value;
    const Method method = GetParam().method;
    return [=] { (void)find_contacts(scene.view(), {.method = method, .domain = scene.bounds}); };
  };
  const Scene<2> scene = make_scene<2>("random", {.count = 100});
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(detect_with(scene, 0, 17, nan), ThrowsMessage<Error>("x[17] = nan: must be finite"));
  EXPECT_THAT(detect_with(scene, 1, 99, -infinity),
              ThrowsMessage<Error>("y[99] = -inf: must be finite"));
  EXPECT_THAT(detect_with(scene, 2, 0, infinity),
              ThrowsMessage<Error>("radius[0] = inf: must be finite"));
  EXPECT_THAT(detect_with(scene, 2, 5, 0), ThrowsMessage<Error>("radius[5] = 0: must be positive"));
  EXPECT_THAT(detect_with(scene, 2, 5, -0.5),
              ThrowsMessage<Error>("radius[5] = -0.5: must be positive"));
  EXPECT_THAT(detect_with(scene, 2, 5, 1e-200),
              ThrowsMessage<Error>(HasSubstr("radius[5] = 1e-200: must be from 1e-150")));
  EXPECT_THAT(detect_with(scene, 0, 3, -0.25),
              ThrowsMessage<Error>(HasSubstr("x[3] = -0.25: outside the domain, 0 to ")));
  EXPECT_THAT(detect_with(scene, 0, 3, 1e200),
              ThrowsMessage<Error>("x[3] = 1e+200: farther than 1e150 from the origin"));
}

TEST_P(EveryMethod, NamesReasonWhenVisitorUsesDetector) {
  const Scene<2> scene = make_scene<2>("random", {.count = 1000});
  Detector<2> detector({.method = GetParam().method});
  detector.update(scene.view());
  EXPECT_THAT([&] { detector.for_each_pair([&](Pair) { (void)detector.pairs(); }); },
              ThrowsMessage<Error>(HasSubstr("must not use the detector")));
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view()));
}

// Any amount, also too little or at an odd address; the caller overwrites it after `reset`.
TEST_P(EveryMethod, FindsSamePairsWithLentMemory) {
  const Scene<3> large = make_scene<3>("random", {.count = 3000});
  const Scene<3> small = make_scene<3>("polydisperse", {.count = 500, .size_ratio = 4});
  Detector<3> detector({.method = GetParam().method, .threads = 2});
  for (const std::size_t bytes : {0U, 100U, 50'000U, 1'000'001U, 300'000U})
    for (const Scene<3>* scene : {&small, &large, &small}) {
      std::vector<std::byte> memory(bytes + 1);
      detector.lend_memory(std::span(memory).subspan(1));
      for (int update = 0; update < 2; ++update) {
        detector.update(scene->view());
        EXPECT_EQ(detector.pairs(), find_contacts(scene->view())) << bytes;
      }
      detector.reset();
      memory.assign(memory.size(), std::byte{0xff});
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(DetectorOptions, RejectsInvalidValues) {
  EXPECT_THAT([] { Detector<3>({.method = static_cast<Method>(77)}); },
              ThrowsMessage<Error>(HasSubstr("method 77")));
  EXPECT_THAT([] { Detector<2>({.margin = -1}); }, ThrowsMessage<Error>(HasSubstr("margin = -1")));
  EXPECT_THAT([] { Detector<2>({.margin = std::nan("")}); },
              ThrowsMessage<Error>(HasSubstr("margin = nan")));
  EXPECT_THAT([] { Detector<3>({.tolerance = 1.5}); },
              ThrowsMessage<Error>(HasSubstr("tolerance = 1.5")));
  EXPECT_THAT([] { Detector<3>({.threads = 5000}); },
              ThrowsMessage<Error>(HasSubstr("threads = 5000")));
  EXPECT_THAT(
      [] {
        Detector<2>({.domain = Box<2>{{0, 1}, {1, 0}}});
      },
      ThrowsMessage<Error>(HasSubstr("domain, y from 1 to 0")));
}

TEST(DetectorMemory, OfTheEngineIsTakenFromLentMemory) {
  const Scene<3> scene = make_scene<3>("random", {.count = 20000});
  std::vector<std::byte> memory(50 * scene.size(), std::byte{0xab});
  Detector<3> detector;
  detector.lend_memory(memory);
  detector.update(scene.view());
  detector.for_each_pair([](Pair) {});
  const auto used = std::ranges::count_if(memory, [](std::byte b) { return b != std::byte{0xab}; });
  EXPECT_GT(static_cast<std::size_t>(used), 30 * scene.size());
}

TEST(DetectorMemory, LimitErrorNamesMethodThatFits) {
  const Scene<3> sparse = make_scene<3>("sparse", {.count = 1000});
  EXPECT_THAT(
      [&] {
        (void)find_contacts(sparse.view(),
                            {.method = Method::screening, .memory_limit = 1UL << 30U});
      },
      ThrowsMessage<MemoryLimitError>(AllOf(HasSubstr("screening on 1801 x 1801 x 1801 cells"),
                                            HasSubstr("21.8 GiB, more than the 1 GiB allowed"),
                                            HasSubstr("method engine fits"))));
}

TEST(DetectorMemory, RejectsGridsWhoseCellCoordinatesExceed32Bits) {
  for (const double distance : {1e10, 1e20, 1e140}) {
    const Scene<2> far = scene_of<2>({{0, 0, 0.5}, {0.5, 0, 0.5}, {distance, distance, 0.5}});
    for (const Method method : {Method::screening, Method::nbs})
      EXPECT_THAT([&] { (void)find_contacts(far.view(), {.method = method}); },
                  ThrowsMessage<MemoryLimitError>(HasSubstr("method engine fits")))
          << distance;
    for (const Method method : {Method::brute_force, Method::binary_tree, Method::mmr})
      EXPECT_EQ(find_contacts(far.view(), {.method = method}).size(), 1);
  }
}

// A limit below the memory in use must be rejected, so the estimate must not be lower than that.
TEST(DetectorMemory, NeverExceedsEstimate) {
  Scene<3> line;
  for (int i = 0; i < 9000; ++i) {
    line.push_back({3.9 * i, 0, 0}, 0.5);
  }
  const std::array scenes{line, make_scene<3>("random", {.count = 9000}),
                          make_scene<3>("lattice", {.count = 9000}),
                          make_scene<3>("polydisperse-mass", {.count = 9000})};
  for (const Scene<3>& scene : std::span(scenes).first(is_sanitized ? 2 : scenes.size()))
    for (const MethodInfo& method : methods()) {
      std::size_t used = 0;
      const auto detect_within = [&](std::size_t limit) {
        Detector<3> detector({.method = method.method, .fixed_count = 100, .memory_limit = limit});
        detector.update(scene.view());
        detector.for_each_pair([](Pair) {});
        used = detector.statistics().structure_bytes;
      };
      detect_within(0);
      if (used < 2) continue;
      EXPECT_THROW(detect_within(used - 1), MemoryLimitError) << method.name;
    }
}

TEST(DetectorMemory, UsesFewerThreadsToKeepLimit) {
  const Scene<3> far = scene_of<3>({{0, 0, 0, 0.5}, {0.5, 0, 0, 0.5}, {2e6, 2e6, 2e6, 0.5}});
  for (const unsigned threads : {1U, 2U, 16U})
    EXPECT_EQ(find_contacts(far.view(), {.threads = threads, .memory_limit = 100UL << 20U}).size(),
              1);
}

// The memory of NBS grows with the length of the domain, not with its volume.
TEST(DetectorMemory, OfNbsIsThatOfItsLists) {
  const auto bytes = [](double spacing) {
    const Scene<3> scene = make_scene<3>("packing-d", {.count = 8000, .spacing = spacing});
    Detector<3> detector({.method = Method::nbs});
    detector.update(scene.view());
    detector.for_each_pair([](Pair) {});
    return detector.statistics().structure_bytes;
  };
  constexpr std::size_t lists = 3UL * 4 * 8000;
  EXPECT_LT(bytes(1), lists + 4UL * 1000);
  EXPECT_LT(bytes(200), lists + 4UL * 8 * 4000);  // 4000³ cells, heads for eight rows of them
}

TEST(Spheres, RejectsArraysOfDifferentLength) {
  const std::vector<double> three(3);
  const std::vector<double> two(2);
  EXPECT_THAT([&] { Spheres2(three, two, three); }, ThrowsMessage<Error>(HasSubstr("length")));
}

}  // namespace
}  // namespace abut::testing
