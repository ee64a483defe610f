// Looking around among particles: what a sphere anywhere would touch, and what is nearest.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance.hpp"
#include "core/sphere_hash_grid.hpp"
#include "core/statistics.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <std::size_t D>
struct View {
  Scene<D> scene;
  DetectorOptions<D> options;
  int widest = 0;  // images
};

// All images, one by one.
template <std::size_t D, class Visit>
void for_each_image(const View<D>& view, const Visit& visit) {
  std::array<std::int32_t, D> most{};
  for (std::size_t k = 0; k < D; ++k) most[k] = view.options.periodic[k] ? view.widest : 0;
  for (Index i = 0; i < view.scene.size(); ++i) {
    std::array<std::int32_t, D> image;
    for (std::size_t k = 0; k < D; ++k) image[k] = -most[k];
    for (bool more = true; more;) {
      visit(i, image);
      more = false;
      for (std::size_t k = 0; k < D && !more; ++k) {
        more = ++image[k] <= most[k];
        if (!more) image[k] = -most[k];
      }
    }
  }
}

template <std::size_t D>
double gap(const View<D>& view, Index i, const std::array<std::int32_t, D>& image,
           const Point<D>& from, double radius) {
  double squares = 0;
  for (std::size_t k = 0; k < D; ++k) {
    const double period =
        view.options.domain ? view.options.domain->max[k] - view.options.domain->min[k] : 0;
    const double apart = view.scene.coordinates[k][i] + image[k] * period - from[k];
    squares += apart * apart;
  }
  return std::sqrt(squares) - (radius + view.scene.radii[i]);
}

double rounded(Random& random, double low, double high) {
  return std::round(random.uniform(low, high) / coordinate_step) * coordinate_step;
}

template <std::size_t D>
View<D> any_view(Random& random, bool periodic) {
  View<D> view;
  const auto count = random.below(60);
  const double largest = std::array{0.1, 1.0, 6.0}[random.below(3)];
  for (std::size_t i = 0; i < count; ++i) {
    for (auto& axis : view.scene.coordinates) axis.push_back(rounded(random, -4, 12));
    view.scene.radii.push_back(std::max(coordinate_step, rounded(random, 0, largest)));
  }
  view.options.margin = std::array{0.0, 0.5}[random.below(2)];
  view.options.tolerance = 0;
  if (!periodic) return view;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(8);
  view.options.domain = box;
  view.options.periodic.fill(true);
  view.widest = 5;
  return view;
}

template <std::size_t D>
void expect_what_is_there(bool periodic) {
  for (std::uint64_t seed = 1; seed <= trial_count(60U); ++seed) {
    Random random(seed);
    const View<D> view = any_view<D>(random, periodic);
    Detector<D> search(view.options);
    search.update(view.scene.view());
    for (int look = 0; look < 20; ++look) {
      Point<D> from;
      for (double& x : from) x = rounded(random, -10, 20);
      const double radius = std::array{0.0, 0.25, 2.0}[random.below(3)];
      std::vector<Neighbor<D>> expected;
      double nearest = std::numeric_limits<double>::infinity();
      for_each_image<D>(view, [&](Index i, const auto& image) {
        const double apart = gap<D>(view, i, image, from, radius);
        if (apart <= view.options.margin) expected.push_back({i, image, apart});
        nearest = std::min(nearest, gap<D>(view, i, image, from, 0));
      });
      std::ranges::sort(expected, {},
                        [](const auto& one) { return std::tuple(one.particle, one.image); });
      EXPECT_TRUE(search.overlaps(from, radius) == expected) << seed << " " << look;
      const auto found = search.nearest(from);
      ASSERT_EQ(found.has_value(), view.scene.size() > 0);
      if (found) {
        EXPECT_EQ(found->gap, nearest) << seed << " " << look;
        EXPECT_EQ(found->gap, gap<D>(view, found->particle, found->image, from, 0));
      }
    }
  }
}

TEST(Looking, FindsWhatIsThere) {
  expect_what_is_there<2>(false);
  expect_what_is_there<3>(false);
}

TEST(Looking, FindsImagesToo) {
  expect_what_is_there<2>(true);
  expect_what_is_there<3>(true);
}

TEST(Looking, SeesAParticleWhereAnotherSearchWouldPairIt) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 2000, .size_ratio = 1000});
  Detector<3> search;
  search.update(scene.view());
  std::vector<Pair> pairs;
  for (Index a = 0; a < scene.size(); ++a)
    for (const auto& other : search.overlaps(
             {scene.coordinates[0][a], scene.coordinates[1][a], scene.coordinates[2][a]},
             scene.radii[a]))
      if (other.particle > a) pairs.push_back({a, other.particle});
  EXPECT_TRUE(pairs == search.pairs());
}

TEST(Looking, IsPossibleWithEveryMethodAndAfterEveryUpdate) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {4, 0, 1}});
  for (const MethodInfo& method : methods()) {
    Detector<2> search({.method = method.method});
    EXPECT_TRUE(search.overlaps({0, 0}, 1).empty());
    EXPECT_FALSE(search.nearest({0, 0}));
    scene.coordinates[0][1] = 4;
    search.update(scene.view());
    EXPECT_EQ(search.nearest({3.5, 0})->particle, 1);
    scene.coordinates[0][1] = 40;
    search.update(scene.view());
    EXPECT_EQ(search.nearest({3.5, 0}), (Neighbor<2>{0, {0, 0}, 2.5}));
    search.reset();
    EXPECT_FALSE(search.nearest({0, 0}));
  }
}

TEST(Looking, WorksAcrossAllScales) {
  Scene<3> scene = scene_of<3>(
      {{0, 0, 0, 1e-9}, {1e9, 0, 0, 1e8}, {-1e100, 5, 0, 1}, {1e-8, 0, 0, 1e-9}, {3, 0, 0, 1}});
  Detector<3> search;
  search.update(scene.view());
  EXPECT_EQ(search.nearest({1e-9, 0, 0})->particle, 0);
  EXPECT_EQ(search.nearest({9e-9, 0, 0})->particle, 3);
  EXPECT_EQ(search.nearest({-9e99, 0, 0})->particle, 2);
  EXPECT_EQ(search.nearest({1e12, 0, 0})->particle, 1);
  EXPECT_EQ(search.overlaps({0, 0, 0}, 1e101).size(), 5);
  EXPECT_EQ(search.overlaps({1, 0, 0}, 1).size(), 3);
}

TEST(Looking, RefusesWhatIsNoPlace) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}});
  Detector<2> search({.domain = Box<2>{{0, 0}, {1, 1}}, .periodic = {true, true}});
  search.update(scene.view());
  const auto complaint = [&](const Point<2>& at, double radius) {
    try {
      (void)search.overlaps(at, radius);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_THAT(complaint({NAN, 0}, 1), HasSubstr("x = nan"));
  EXPECT_THAT(complaint({0, INFINITY}, 1), HasSubstr("y = inf"));
  EXPECT_THAT(complaint({0, 0}, -1), HasSubstr("radius -1"));
  EXPECT_THAT(complaint({1e12, 0}, 1), HasSubstr("1e9 periods away"));
  EXPECT_THAT(complaint({0, 0}, 1e9), HasSubstr("look less far"));
  EXPECT_THROW((void)search.nearest({NAN, 0}), Error);
}

}  // namespace
}  // namespace abut::testing
