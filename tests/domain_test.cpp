// Options of a domain: margins that outlast motion, limits on cells, invalid values.
#include <gmock/gmock.h>

#include <abut/research/search_counts.hpp>
#include <algorithm>
#include <array>
#include <cmath>

#include "conformance.hpp"
#include "core/message.hpp"
#include "core/statistics.hpp"
#include "program.hpp"
#include "published_methods.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string error_of(const Scene<3>& scene, const DetectorOptions<3>& options) {
  try {
    (void)find_periodic_contacts(scene.view(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

constexpr Box<3> unit_box{{0, 0, 0}, {1, 1, 1}};

TEST(PeriodicDomain, RejectsInvalidOptions) {
  const Scene<3> one = scene_of<3>({{0.5, 0.5, 0.5, 0.1}});
  EXPECT_THAT(error_of(one, {.periodic = {false, true, false}}),
              StartsWith("periodic along y: needs a domain"));
  EXPECT_THAT(error_of(one, {.domain = Box<3>{{0, 0, 0}, {1, 0, 1}}, .periodic = {true}}),
              StartsWith("domain, y from 0 to 0"));
  EXPECT_THAT(error_of(one, {.domain = Box<3>{{0, 0, 0}, {1, NAN, 1}}, .periodic = {true}}),
              StartsWith("domain, y from 0 to nan"));
  EXPECT_THAT(error_of(scene_of<3>({{0.5, 7, 0.5, 0.1}}),
                       {.domain = unit_box, .periodic = {true, false, true}}),
              StartsWith("y[0] = 7: outside the domain, 0 to 1"));
  EXPECT_THAT(error_of(scene_of<3>({{1e10, 0.5, 0.5, 0.1}}),
                       {.domain = unit_box, .periodic = {true, true, true}}),
              StartsWith("x[0] = 1e+10: more than 1e9 periods away"));
  EXPECT_THAT(error_of(scene_of<3>({{0.5, 0.5, 0.5, 1e7}}),
                       {.domain = unit_box, .periodic = {true, true, true}}),
              AllOf(StartsWith("images across periodic faces"), HasSubstr("too small")));
  EXPECT_THAT(error_of(one, {.expansion = -1}), StartsWith("expansion = -1"));
  EXPECT_THAT(error_of(one, {.expansion = NAN}), StartsWith("expansion = nan"));
  EXPECT_THAT(error_of(one, {.max_cells_per_axis = -5}),
              AllOf(StartsWith("max_cells"), HasSubstr("= -5: must be 0 or more")));
}

TEST(PeriodicDomain, ProgramReportsInvalidOptionsInOneLine) {
  const Folder folder;
  folder.write("p.csv", "x,y,z,r\n0.5,0.5,0.5,0.2\n0.9,0.5,0.5,0.2\n");
  const auto error_line = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"detect", folder.path("p.csv")});
    const ProgramResult outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
    return outcome.err;
  };
  EXPECT_THAT(error_line({"--periodic", "x"}), HasSubstr("--bounds or --box"));
  EXPECT_THAT(error_line({"--periodic", "xw", "--box", "0,1,0,1,0,1"}), HasSubstr("x, y and z"));
  EXPECT_THAT(error_line({"--periodic", "yy", "--box", "0,1,0,1,0,1"}), HasSubstr("each once"));
  EXPECT_THAT(error_line({"--periodic", "z", "--box", "0,1,0,1"}), HasSubstr("no z in 2D"));
  EXPECT_THAT(error_line({"--box", "0,1,0"}), HasSubstr("3 numbers"));
  EXPECT_THAT(error_line({"--box", "0,1,0,1,1,1"}), HasSubstr("z from 1 to 1"));
  EXPECT_THAT(error_line({"--box", "0,1,0,nan,0,1"}), HasSubstr("y from 0 to nan"));
  EXPECT_THAT(error_line({"--box", "0,0.7,0,1,0,1"}), HasSubstr("p.csv:3: x of particle 1"));
  EXPECT_THAT(
      error_line({"--periodic", "x", "--box", "0,1,0,1,0,1", "--out", folder.path("c.txt")}),
      HasSubstr("give a .csv file"));
  EXPECT_THAT(error_line({"--box", "0,1,0,1,0,1", "--bounds", folder.path("b.txt")}),
              HasSubstr("give one of them"));
}

TEST(PeriodicDomain, ProgramWritesImages) {
  const Folder folder;
  folder.write("p.csv", "id,x,y,r\n7,0.25,0.5,0.25\n9,3.75,0.5,0.25\n");
  const ProgramResult outcome =
      run({"detect", folder.path("p.csv"), "--box", "0,4,0,4", "--periodic", "x", "--out",
           folder.path("o.csv"), "--svg", folder.path("o.svg")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(folder.read("o.csv"), "a,b,gap,ix,iy\n7,9,0,-1,0\n");
  const std::string picture = folder.read("o.svg");
  std::size_t lines = 0;
  for (std::size_t at = picture.find("<line"); at != std::string::npos;
       at = picture.find("<line", at + 1))
    ++lines;
  EXPECT_EQ(lines, 2);  // from both ends
  const ProgramResult compared =
      run({"compare", folder.path("p.csv"), "--box", "0,4,0,4", "--periodic", "xy"});
  EXPECT_EQ(compared.status, 0);
  EXPECT_THAT(compared.out, Not(HasSubstr("DIFFERS")));
}

// The paper's broad search: cells that fit the search diameter, up to a maximum number per axis.
TEST(SearchCells, AreEnlargedToKeepMaximum) {
  const Scene<3> scene = make_scene<3>("random", {.count = 2000});
  for (const std::int32_t max_cells : {1, 2, 3, 7, 10, 1000}) {
    const DetectorOptions<3> options{.method = Method::nbs, .max_cells_per_axis = max_cells};
    const SearchInput<3> input = search_input_of(scene, options);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(input.grid.cell_count(k), max_cells);
    EXPECT_TRUE(find_contacts(scene.view(), options) ==
                find_contacts(scene.view(), {.method = Method::brute_force}));
  }
}

// Two touching particles at the origin and one far away, for all methods: the pairs of brute force,
// or an error before anything is allocated.
template <std::size_t D>
void expect_pairs_or_error(double distance, std::int32_t max_cells) {
  Scene<D> scene;
  scene.push_back({}, 0.5);
  Point<D> touching{};
  touching[0] = 0.75;
  scene.push_back(touching, 0.5);
  Point<D> far;
  far.fill(1);
  far[0] = distance;
  scene.push_back(far, 0.25);
  const std::vector<Pair> pairs = find_contacts(scene.view(), {.method = Method::brute_force});
  for (const MethodInfo& method : methods()) {
    try {
      EXPECT_EQ(find_contacts(scene.view(), {.method = method.method,
                                             .max_cells_per_axis = max_cells,
                                             .memory_limit = 256UL << 20U}),
                pairs)
          << method.name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), StartsWith(message(method.name, " on ")));
      EXPECT_THAT(error.what(), HasSubstr("; method "));
    }
  }
}

TEST(SearchCells, OfFarParticlesGivePairsOrError) {
  for (const double distance : {700.0, 2.9e9, 1e12, 1e20, 1e140})
    for (const std::int32_t max_cells : {0, 1, 4, 1000, 2147483647}) {
      SCOPED_TRACE(message("distance ", distance, ", at most ", max_cells, " cells"));
      expect_pairs_or_error<2>(distance, max_cells);
      expect_pairs_or_error<3>(distance, max_cells);
    }
}

// Of these methods `DetectorOptions::max_cells_per_axis` says that it applies to them.
constexpr std::array methods_with_max_cells{
    Method::direct_mapping, Method::screening, Method::sorting,      Method::nbs,
    Method::fixed_cubes,    Method::mr,        Method::mr_quicksort, Method::mr_binary,
    Method::mr_recomputed};

TEST(SearchCells, AreLimitedForMethodsThatFollowLargestParticle) {
  const Scene<3> far = scene_of<3>({{0, 0, 0, 0.5}, {0.75, 0, 0, 0.5}, {1e12, 1e12, 1e12, 0.5}});
  for (const Method method : methods_with_max_cells) {
    EXPECT_THROW((void)find_contacts(far.view(), {.method = method}), MemoryLimitError)
        << method_info(method).name;
    EXPECT_THAT(find_contacts(far.view(), {.method = method, .max_cells_per_axis = 4}), SizeIs(1))
        << method_info(method).name;
  }
}

// The structure is what the limit was compared with, also where its grid is kept.
TEST(SearchCells, LimitedInNumberKeepMemoryLimit) {
  const Scene<3> diagonal = scene_of<3>({{0, 0, 0, 0.5}, {700, 700, 700, 0.5}});
  constexpr std::size_t limit = 100UL << 20U;
  for (const MethodInfo& method : methods())
    for (const std::int32_t max_cells : {0, 4}) {
      Detector<3> detector(
          {.method = method.method, .max_cells_per_axis = max_cells, .memory_limit = limit});
      try {
        detector.update(diagonal.view());
        detector.for_each_pair([](Pair) {});
      } catch (const MemoryLimitError&) {
        EXPECT_FALSE(max_cells > 0 && std::ranges::count(methods_with_max_cells, method.method) > 0)
            << method.name;
      }
      EXPECT_LE(detector.statistics().structure_bytes, limit) << method.name;
    }
}

// Cells enlarged for a far particle would make the search quadratic once it has come close.
TEST(SearchCells, ShrinkWithTheBoxOfTheParticles) {
  Scene<3> scene = make_scene<3>("random", {.count = 3000});
  scene.push_back({1e9, 0, 0}, 0.5);
  for (const Method method : {Method::fixed_cubes, Method::mr, Method::mr_recomputed}) {
    const auto examined = [&](bool was_far) {
      Detector<3> detector({.method = method, .max_cells_per_axis = 8, .collect_counts = true});
      scene.coordinates[0].back() = 1e9;
      if (was_far) detector.update(scene.view());
      scene.coordinates[0].back() = -1;
      detector.update(scene.view());
      detector.for_each_pair([](Pair) {});
      return search_counts(detector).candidates;
    };
    EXPECT_EQ(examined(true), examined(false)) << method_info(method).name;
  }
}

TEST(SearchCells, ErrorsNameTheCellsOfTheMethod) {
  const Scene<3> far = scene_of<3>({{0, 0, 0, 0.5}, {1e12, 1, 1, 0.5}});
  for (const std::int32_t max_cells : {0, 4})
    EXPECT_THAT(error_of(far, {.method = Method::cgrid, .max_cells_per_axis = max_cells}),
                AllOf(StartsWith("cgrid on 99"),
                      HasSubstr(" cells would take cell numbers beyond 32 bits; method ")));
}

// As published, cells have the size of the search radius. A third of the contacts of random spheres
// is then lost, because their cells are not neighbors; none is lost with the diameter.
TEST(SearchCells, OfSizeOfSearchRadiusWouldLoseAThirdOfContacts) {
  const Scene<3> scene = make_scene<3>("random", {.count = 20000});
  const std::vector<Pair> pairs = find_contacts(scene.view());
  const auto lost = [&](double cell) {
    return static_cast<double>(std::ranges::count_if(
               pairs,
               [&](Pair pair) {
                 return std::ranges::any_of(scene.coordinates, [&](const std::vector<double>& x) {
                   return std::abs(std::floor(x[pair.a] / cell) - std::floor(x[pair.b] / cell)) > 1;
                 });
               })) /
           static_cast<double>(pairs.size());
  };
  EXPECT_NEAR(lost(0.5), 0.31, 0.05);
  EXPECT_EQ(lost(1), 0);
}

TEST(Expansion, MultipliesEveryRadius) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {2.2, 0, 1}, {5, 0, 0.1}, {5.22, 0, 0.1}});
  EXPECT_THAT(find_contacts(scene.view(), {.expansion = 0.09}), SizeIs(0));
  EXPECT_THAT(find_contacts(scene.view(), {.expansion = 0.11}), SizeIs(2));
  for (const MethodInfo& method : methods())
    EXPECT_EQ(find_contacts(scene.view(), {.method = method.method, .margin = 1, .expansion = 0.5}),
              find_contacts(scene.view(),
                            {.method = Method::brute_force, .margin = 1, .expansion = 0.5}));
}

// Moves all particles toward the middle of the box with perturbations; sometimes they grow.
void advance(Scene<3>& scene, unsigned step) {
  perturb(scene, 0.004, step);
  for (auto& axis : scene.coordinates)
    for (double& x : axis) x += x < 8 ? 0.003 : -0.003;
  for (double& radius : scene.radii) radius *= step % 7 == 0 ? 1.001 : 1;
}

// While `needs_update` is false, every contact must be among the pairs.
void expect_no_contact_missing(const DetectorOptions<3>& options) {
  Scene<3> scene = make_scene<3>("random", {.count = 3000, .solid_fraction = 0.3});
  Detector<3> detector(options);
  detector.update(scene.view());
  int reused = 0;
  for (unsigned step = 0; step < 60; ++step) {
    advance(scene, step);
    if (detector.needs_update(scene.view())) {
      detector.update(scene.view());
      continue;
    }
    ++reused;
    ASSERT_TRUE(std::ranges::includes(detector.pairs(), find_contacts(scene.view())))
        << options.margin << " " << options.expansion << " " << step;
  }
  EXPECT_GT(reused, 10) << options.margin << " " << options.expansion;
}

TEST(NeedsUpdate, IsTrueBeforeAContactIsMissing) {
  for (const double margin : {0.05, 0.4})
    for (const double expansion : {0.0, 0.1})
      expect_no_contact_missing({.margin = margin, .expansion = expansion});
}

TEST(NeedsUpdate, IsTrueIfTwoParticlesApproachByMoreThanTheMargin) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {5, 0, 1}});
  Detector<2> detector({.margin = 0.5});
  EXPECT_TRUE(detector.needs_update(scene.view()));  // never updated
  detector.update(scene.view());
  EXPECT_FALSE(detector.needs_update(scene.view()));
  scene.coordinates[0] = {0.2, 4.7001};
  EXPECT_FALSE(detector.needs_update(scene.view()));
  scene.coordinates[0] = {0.2, 4.6999};
  EXPECT_TRUE(detector.needs_update(scene.view()));
  scene.coordinates[0] = {0, 5};
  EXPECT_FALSE(detector.needs_update(scene.view()));
  scene.radii[0] = 1.2501;  // growth counts as motion
  EXPECT_TRUE(detector.needs_update(scene.view()));
  scene.radii[0] = 1;
  scene.coordinates[1][0] = NAN;  // reported by the next update
  EXPECT_TRUE(detector.needs_update(scene.view()));
  scene = scene_of<2>({{0, 0, 1}});
  EXPECT_TRUE(detector.needs_update(scene.view()));
  detector.reset();
  EXPECT_TRUE(detector.needs_update(scene.view()));
}

// The expansion widens the gap between small particles less than that between large ones.
TEST(NeedsUpdate, ExpansionAllowsLittleMotionOfSmallParticles) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {5, 0, 0.1}, {5.4, 0, 0.1}});
  Detector<2> detector({.expansion = 0.5});
  detector.update(scene.view());
  scene.coordinates[0][2] = 5.31;
  EXPECT_FALSE(detector.needs_update(scene.view()));
  scene.coordinates[0][2] = 5.29;
  EXPECT_TRUE(detector.needs_update(scene.view()));
}

TEST(NeedsUpdate, IsFalseWhileAllParticlesMoveTogether) {
  Scene<3> scene = make_scene<3>("lattice", {.count = 3000});
  Detector<3> detector({.margin = 0.1});
  detector.update(scene.view());
  for (int step = 0; step < 5; ++step) {
    for (double& x : scene.coordinates[0]) x += 0.09;
    EXPECT_FALSE(detector.needs_update(scene.view())) << step;
  }
  scene.coordinates[0][100] -= 0.06;  // a neighbor of this particle may have moved the other way
  scene.coordinates[0][101] += 0.06;
  EXPECT_TRUE(detector.needs_update(scene.view()));
}

// Every second layer of a sheared lattice moves by more than a diameter between updates.
TEST(NeedsUpdate, IsTrueBeforeAContactIsMissingInShear) {
  Scene<3> scene = make_scene<3>("lattice", {.count = 2000});
  const std::vector<double> height = scene.coordinates[2];
  Detector<3> detector({.margin = 0.2});
  detector.update(scene.view());
  int reused = 0;
  for (int step = 0; step < 200; ++step) {
    for (std::size_t i = 0; i < height.size(); ++i)
      scene.coordinates[0][i] += 0.3 + 0.004 * height[i];
    if (detector.needs_update(scene.view())) {
      detector.update(scene.view());
      continue;
    }
    ++reused;
    ASSERT_TRUE(std::ranges::includes(detector.pairs(), find_contacts(scene.view()))) << step;
  }
  EXPECT_GT(reused, 90);  // of 200 steps
}

TEST(NeedsUpdate, IsAlwaysTrueWithoutMargin) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {5, 0, 1}});
  Detector<2> detector;
  detector.update(scene.view());
  EXPECT_TRUE(detector.needs_update(scene.view()));
}

}  // namespace
}  // namespace abut::testing
