// Pairs with gap, normal and image, as list, arrays and stream; particles given with strides.
#include <gmock/gmock.h>

#include <abut/abut.hpp>
#include <abut/research/search_counts.hpp>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "conformance.hpp"
#include "core/statistics.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Vector = std::vector<double>;

// Views may be made of vectors, arrays and spans that outlive the statement, not of temporaries.
static_assert(std::is_constructible_v<Spheres2, Vector&, const Vector&, Vector&>);
static_assert(std::is_constructible_v<Spheres3, Vector&, Vector&, Vector&, std::span<double>>);
static_assert(std::is_constructible_v<Spheres2, std::array<std::span<const double>, 2>, Vector&>);
static_assert(std::is_constructible_v<Spheres2, std::array<double, 3>&, std::array<double, 3>&,
                                      std::span<const double>>);
static_assert(!std::is_constructible_v<Spheres2, Vector, Vector&, Vector&>);
static_assert(!std::is_constructible_v<Spheres2, Vector&, Vector&, Vector>);
static_assert(!std::is_constructible_v<Spheres2, Vector&, Vector&, const Vector>);
static_assert(!std::is_constructible_v<Spheres3, Vector&, Vector&, std::array<double, 3>, Vector&>);
static_assert(!std::is_constructible_v<Spheres2, std::array<std::span<const double>, 2>, Vector>);
static_assert(std::is_trivially_copyable_v<Spheres3>);

// <abut/abut.hpp> includes all of these.
static_assert(std::is_class_v<Blocks2> && std::is_class_v<Walls3> && std::is_class_v<Simulation3>);

template <std::size_t D>
bool is_ordered_before(const Contact<D>& one, const Contact<D>& other) {
  return std::tuple(one.a, one.b, one.image) < std::tuple(other.a, other.b, other.image);
}

// The geometry by its definition, in extended precision, from the caller's coordinates.
template <std::size_t D>
void expect_geometry(const Contact<D>& contact, const Scene<D>& scene,
                     const DetectorOptions<D>& options) {
  std::array<long double, D> d;
  long double squared = 0;
  for (std::size_t k = 0; k < D; ++k) {
    const long double period =
        options.domain ? static_cast<long double>(options.domain->max[k]) - options.domain->min[k]
                       : 0;
    d[k] = scene.coordinates[k][contact.b] + contact.image[k] * period -
           scene.coordinates[k][contact.a];
    squared += d[k] * d[k];
  }
  const long double distance = std::sqrt(squared);
  const double gap =
      static_cast<double>(distance - scene.radii[contact.a] - scene.radii[contact.b]);
  EXPECT_NEAR(contact.gap, gap, 1e-12);
  double length = 0;
  for (std::size_t k = 0; k < D; ++k) {
    EXPECT_NEAR(contact.normal[k], static_cast<double>(d[k] / distance), 1e-12);
    length += contact.normal[k] * contact.normal[k];
  }
  EXPECT_NEAR(length, 1, 1e-14);
}

// List, arrays and streams hold the pairs in the documented orders, with correct geometry.
template <std::size_t D>
void expect_contacts(const Scene<D>& scene, const DetectorOptions<D>& options) {
  Detector<D> detector(options);
  detector.update(scene.view());
  const std::vector<Contact<D>> contacts = detector.contacts();
  const std::vector<PeriodicPair<D>> pairs = detector.periodic_pairs();
  ASSERT_EQ(contacts.size(), pairs.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact<D>& contact = contacts[i];
    ASSERT_TRUE((PeriodicPair<D>{contact.a, contact.b, contact.image} == pairs[i])) << i;
    expect_geometry(contact, scene, options);
  }
  const ContactArrays<D> arrays = detector.contact_arrays();
  ASSERT_EQ(arrays.size(), contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Contact<D> contact{arrays.a[i], arrays.b[i], arrays.gap[i], {}, {}};
    for (std::size_t k = 0; k < D; ++k) {
      contact.normal[k] = arrays.normal[k][i];
      contact.image[k] = arrays.image[k][i];
    }
    ASSERT_TRUE(contact == contacts[i]) << i;
  }
  std::vector<PeriodicPair<D>> streamed_pairs;
  detector.for_each_pair([&](const PeriodicPair<D>& pair) { streamed_pairs.push_back(pair); });
  std::vector<Contact<D>> streamed;
  detector.for_each_contact([&](const Contact<D>& contact) { streamed.push_back(contact); });
  ASSERT_EQ(streamed.size(), streamed_pairs.size());
  for (std::size_t i = 0; i < streamed.size(); ++i)
    ASSERT_TRUE(
        (PeriodicPair<D>{streamed[i].a, streamed[i].b, streamed[i].image} == streamed_pairs[i]));
  std::ranges::sort(streamed, is_ordered_before<D>);
  EXPECT_TRUE(streamed == contacts);
}

template <std::size_t D>
Scene<D> random_scene(double low, double high, double max_radius) {
  Scene<D> scene;
  Random random(17);
  for (int i = 0; i < 400; ++i) {
    for (auto& axis : scene.coordinates) axis.push_back(random.uniform(low, high));
    scene.radii.push_back(random.uniform(0.1, max_radius));
  }
  return scene;
}

template <std::size_t D>
DetectorOptions<D> periodic_options(Method method, unsigned threads) {
  DetectorOptions<D> options{.method = method, .margin = 0.2, .threads = threads};
  Box<D> box;
  box.min.fill(0);
  box.max.fill(8);
  options.domain = box;
  options.periodic.fill(true);
  return options;
}

class EveryMethodContacts : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(EveryMethodContacts, HaveGapNormalAndImageOfPairs) {
  for (const unsigned threads : {1U, 3U}) {
    const Method method = GetParam().method;
    expect_contacts<2>(random_scene<2>(0, 20, 0.9),
                       {.method = method, .margin = 0.3, .threads = threads});
    expect_contacts<3>(random_scene<3>(0, 10, 0.9),
                       {.method = method, .fixed_count = 100, .threads = threads});
    expect_contacts<2>(random_scene<2>(-20, 20, 0.4), periodic_options<2>(method, threads));
    expect_contacts<3>(random_scene<3>(-9, 17, 0.7), periodic_options<3>(method, threads));
  }
}

TEST_P(EveryMethodContacts, EqualThoseOfBruteForceBitwise) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 3000, .size_ratio = 5});
  for (const bool periodic : {false, true}) {
    const auto contacts = [&](Method method, unsigned threads) {
      Detector<3> detector({.method = method,
                            .domain = scene.bounds,
                            .periodic = {periodic, periodic, false},
                            .threads = threads});
      detector.update(scene.view());
      return detector.contacts();
    };
    const std::vector<Contact<3>> expected = contacts(Method::brute_force, 1);
    EXPECT_GT(expected.size(), 1000);
    for (const unsigned threads : {1U, 2U, 8U})
      EXPECT_TRUE(contacts(GetParam().method, threads) == expected) << periodic << " " << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodContacts,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Contacts, OfTouchingAndOverlappingSpheresHaveGapAndNormal) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {2, 0, 1}, {0, -1.5, 1}});
  Detector<2> detector;
  detector.update(scene.view());
  const std::vector<Contact<2>> expected{{0, 1, 0, {1, 0}, {}}, {0, 2, -0.5, {0, -1}, {}}};
  EXPECT_TRUE(detector.contacts() == expected);
}

TEST(Contacts, OfCoincidentCentersHaveNormalAlongX) {
  const Scene<3> scene = scene_of<3>({{1, 2, 3, 1}, {1, 2, 3, 0.5}});
  Detector<3> detector;
  detector.update(scene.view());
  const std::vector<Contact<3>> expected{{0, 1, -1.5, {1, 0, 0}, {}}};
  EXPECT_TRUE(detector.contacts() == expected);
}

// The squares of these distances underflow.
TEST(Contacts, OfNearlyCoincidentCentersHaveUnitNormal) {
  for (const double distance : {1e-140, 1e-160, 1e-170, 5e-324}) {
    const Scene<2> scene = scene_of<2>({{0, 0, 1e-130}, {distance, -distance, 1e-130}});
    Detector<2> detector;
    detector.update(scene.view());
    ASSERT_EQ(detector.contacts().size(), 1) << distance;
    EXPECT_NEAR(detector.contacts()[0].normal[0], std::sqrt(0.5), 1e-15) << distance;
    EXPECT_NEAR(detector.contacts()[0].normal[1], -std::sqrt(0.5), 1e-15) << distance;
  }
}

TEST(Contacts, WithOwnPeriodicImageAreListed) {
  const Scene<2> scene = scene_of<2>({{0.25, 0.5, 0.6}});
  Detector<2> detector({.domain = Box<2>{{0, 0}, {1, 1}}, .periodic = {true, false}});
  detector.update(scene.view());
  ASSERT_EQ(detector.contacts().size(), 1);
  const Contact<2>& contact = detector.contacts()[0];
  EXPECT_EQ(std::pair(contact.a, contact.b), std::pair(Index{0}, Index{0}));
  EXPECT_NEAR(contact.gap, -0.2, 1e-15);
  EXPECT_EQ(contact.normal, (std::array<double, 2>{1, 0}));
  EXPECT_EQ(contact.image, (std::array<std::int32_t, 2>{1, 0}));
}

TEST(Contacts, FollowUpdatesAndAreEmptyAfterReset) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {1, 0, 1}});
  Detector<2> detector;
  EXPECT_TRUE(detector.contacts().empty());
  EXPECT_EQ(detector.contact_arrays().size(), 0);
  detector.update(scene.view());
  EXPECT_EQ(detector.contacts()[0].gap, -1);
  scene.coordinates[0][1] = 1.5;
  detector.update(scene.view());
  EXPECT_EQ(detector.contacts()[0].gap, -0.5);
  EXPECT_EQ(detector.contact_arrays().gap[0], -0.5);
  detector.reset();
  EXPECT_TRUE(detector.contacts().empty());
  EXPECT_EQ(detector.contact_arrays().size(), 0);
  detector.update({});
  EXPECT_TRUE(detector.contacts().empty());
}

TEST(Contacts, RejectQueriesFromVisitor) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 100});
  Detector<3> detector;
  detector.update(scene.view());
  (void)detector.pairs();
  EXPECT_THROW(detector.for_each_contact([&](const Contact<3>&) { (void)detector.contacts(); }),
               Error);
  EXPECT_THROW(detector.for_each_pair([&](Pair) { (void)detector.contact_arrays(); }), Error);
  EXPECT_EQ(detector.contacts().size(), detector.pairs().size());
}

// ---- strides

// The particles of a scene as one array of rows x, y, z, radius.
template <std::size_t D>
struct Rows {
  Vector values;

  explicit Rows(const Scene<D>& scene) {
    for (std::size_t i = 0; i < scene.size(); ++i) {
      for (std::size_t k = 0; k < D; ++k) values.push_back(scene.coordinates[k][i]);
      values.push_back(scene.radii[i]);
    }
  }
  [[nodiscard]] Spheres<D> view() const {
    std::array<StridedArray, D> coordinates;
    const auto column = [&](std::size_t k) {
      return StridedArray(values.data() + k, values.size() / (D + 1), D + 1);
    };
    for (std::size_t k = 0; k < D; ++k) coordinates[k] = column(k);
    return {coordinates, column(D)};
  }
};

TEST(StridedSpheres, GiveSamePairsAsContiguousOnes) {
  const Scene<3> scene = random_scene<3>(0, 10, 0.9);
  const Rows<3> rows(scene);
  EXPECT_FALSE(rows.view().is_contiguous());
  EXPECT_TRUE(scene.view().is_contiguous());
  EXPECT_EQ(find_contacts(rows.view()), find_contacts(scene.view()));
  for (const MethodInfo& method : methods()) {
    const DetectorOptions<3> options = periodic_options<3>(method.method, 2);
    EXPECT_TRUE(find_periodic_contacts(rows.view(), options) ==
                find_periodic_contacts(scene.view(), options));
  }
}

TEST(StridedSpheres, MayChangeAfterUpdate) {
  const Scene<2> scene = random_scene<2>(0, 10, 0.9);
  Rows<2> rows(scene);
  Detector<2> detector({.margin = 0.5});
  detector.update(rows.view());
  EXPECT_FALSE(detector.needs_update(rows.view()));
  EXPECT_FALSE(detector.needs_update(scene.view()));
  const Vector original = rows.values;
  std::ranges::fill(rows.values, 1e9);
  EXPECT_TRUE(detector.needs_update(rows.view()));
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view(), {.margin = 0.5}));
  EXPECT_EQ(detector.nearest({5, 5})->particle, [&] {
    Detector<2> contiguous;
    contiguous.update(scene.view());
    return contiguous.nearest({5, 5})->particle;
  }());
}

TEST(StridedSpheres, MayHaveNegativeAndZeroStrides) {
  const Vector x{4, 2, 0};
  const double radius = 1;
  const double y = 5;
  const Spheres2 spheres({x.data() + 2, 3, -1}, {&y, 3, 0}, {&radius, 3, 0});
  EXPECT_EQ(spheres.coordinate(0, 0), 0);
  EXPECT_EQ(spheres.coordinate(0, 2), 4);
  EXPECT_EQ(spheres.coordinate(1, 2), 5);
  EXPECT_EQ(spheres.radius(2), 1);
  EXPECT_THAT(find_contacts(spheres), ::testing::ElementsAre(Pair{0, 1}, Pair{1, 2}));
}

TEST(StridedSpheres, RejectIndexOutOfRange) {
  const Rows<2> rows(scene_of<2>({{0, 0, 1}}));
  EXPECT_THROW((void)rows.view().coordinate(2, 0), Error);
  EXPECT_THROW((void)rows.view().coordinate(0, 1), Error);
  EXPECT_THROW((void)rows.view().radius(1), Error);
}

TEST(StridedSpheres, AreAcceptedByWallsAndSimulation) {
  const Scene<3> scene = scene_of<3>({{0, 0, 0.9, 1}, {5, 0, 3, 1}, {9, 0, 0.5, 1}});
  const Rows<3> rows(scene);
  Walls3 walls;
  walls.add(Plane<3>{{0, 0, 0}, {0, 0, 1}});
  const auto expected = walls.contacts(scene.view());
  const auto found = walls.contacts(rows.view());
  ASSERT_EQ(found.size(), 2);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].particle, expected[i].particle);
    EXPECT_EQ(found[i].gap, expected[i].gap);
  }
}

// ---- moved-from detectors

TEST(Detector, ThrowsWhenUsedAfterMove) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {1, 0, 1}});
  Detector<2> detector;
  detector.update(scene.view());
  Detector<2> target = std::move(detector);
  EXPECT_EQ(target.pairs().size(), 1);
  const auto expect_moved_from_error = [&](auto use) {  // NOLINT(bugprone-use-after-move)
    EXPECT_THAT([&] { use(detector); },                 // NOLINT(bugprone-use-after-move)
                ThrowsMessage<Error>(HasSubstr("moved from")));
  };
  expect_moved_from_error([&](auto& one) { one.update(scene.view()); });
  expect_moved_from_error([](auto& one) { (void)one.pairs(); });
  expect_moved_from_error([](auto& one) { (void)one.periodic_pairs(); });
  expect_moved_from_error([](auto& one) { (void)one.contacts(); });
  expect_moved_from_error([](auto& one) { (void)one.contact_arrays(); });
  expect_moved_from_error([](auto& one) { (void)one.half_neighbor_list(); });
  expect_moved_from_error([](auto& one) { one.for_each_pair([](Pair) {}); });
  expect_moved_from_error([](auto& one) { one.for_each_contact([](const Contact<2>&) {}); });
  expect_moved_from_error([&](auto& one) { (void)one.needs_update(scene.view()); });
  expect_moved_from_error([](auto& one) { (void)one.overlaps({0, 0}, 1); });
  expect_moved_from_error([](auto& one) { (void)one.nearest({0, 0}); });
  expect_moved_from_error([](auto& one) { one.reset(); });
  expect_moved_from_error([](auto& one) { (void)one.description(); });
  expect_moved_from_error([](auto& one) { (void)one.statistics(); });
  expect_moved_from_error([](auto& one) { (void)search_counts(one); });
  detector = Detector<2>();
  detector.update(scene.view());
  EXPECT_EQ(detector.pairs().size(), 1);
}

TEST(Method, InfoRejectsUnknownValue) {
  EXPECT_EQ(method_info(Method::nbs).name, "nbs");
  EXPECT_THAT([] { (void)method_info(static_cast<Method>(99)); },
              ThrowsMessage<Error>(HasSubstr("method 99")));
}

}  // namespace
}  // namespace abut::testing
