#include "conformance.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/message.hpp"
#include "core/statistics.hpp"

namespace abut::testing {
namespace {

template <std::size_t D>
std::array<double, D> all(double value) {
  std::array<double, D> center;
  center.fill(value);
  return center;
}

template <std::size_t D>
void shift(Scene<D>& scene, double by) {
  for (auto& axis : scene.coordinates)
    for (double& x : axis) x += by;
}

// Centers on a lattice of half a diameter: every other one lies on a cell face.
template <std::size_t D>
Scene<D> on_faces() {
  Scene<D> scene;
  Random random(5);
  for (int i = 0; i < 400; ++i) {
    std::array<double, D> center;
    for (double& x : center) x = 0.5 * static_cast<double>(random.below(14));
    scene.push_back(center, 0.5);
  }
  return scene;
}

template <std::size_t D>
Scene<D> with_outlier(double distance) {
  Scene<D> scene = make_scene<D>("random", {.count = 500, .seed = 3});
  scene.push_back(all<D>(distance), 0.5);
  scene.push_back(all<D>(distance + 0.25), 0.5);
  return scene;
}

// All centers in one cell: every pair of particles is a candidate.
template <std::size_t D>
Scene<D> one_cell() {
  Scene<D> scene;
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    std::array<double, D> center;
    for (double& x : center) x = random.uniform(0, 0.9);
    scene.push_back(center, i == 0 ? 0.5 : 0.05);
  }
  return scene;
}

template <std::size_t D>
Scene<D> flat(std::size_t axis) {
  Scene<D> scene = make_scene<D>("random", {.count = 300, .seed = 9, .solid_fraction = 0.2});
  std::ranges::fill(scene.coordinates[axis], -7.25);
  return scene;
}

// Pair definition, implemented independently of the library. A sum of squares never decreases, so
// it may stop at the first axis where it exceeds the cutoff. Raw pointers, because checked vector
// access is slow under sanitizers.
template <std::size_t D>
std::vector<Pair> pairs_by_definition(const Scene<D>& scene, const DetectorOptions<D>& options) {
  std::vector<Pair> pairs;
  const auto size = static_cast<Index>(scene.size());
  const double* const radius = scene.radii.data();
  std::array<const double*, D> axes;
  for (std::size_t k = 0; k < D; ++k) axes[k] = scene.coordinates[k].data();
  for (Index a = 0; a < size; ++a)
    for (Index b = a + 1; b < size; ++b) {
      const double radii = radius[a] + radius[b];
      const double cutoff = radii * (1 + options.tolerance) + options.margin;
      double squared = 0;
      for (std::size_t k = 0; k < D && squared <= cutoff * cutoff; ++k) {
        const double delta = axes[k][a] - axes[k][b];
        squared += delta * delta;
      }
      if (squared <= cutoff * cutoff && b >= options.fixed_count) pairs.push_back({a, b});
    }
  return pairs;
}

template <std::size_t D>
void add_small_cases(std::vector<ConformanceCase<D>>& cases) {
  const auto zero = all<D>(0);
  auto touching = zero;
  touching[0] = 1;
  Scene<D> scene;
  cases.push_back({"no particle", scene});
  scene.push_back(zero, 0.5);
  cases.push_back({"one particle", scene});
  scene.push_back(touching, 0.5);
  cases.push_back({"two in exact contact", scene});
  cases.push_back({"two in exact contact, no tolerance", scene, {.tolerance = 0}});
  scene.coordinates[0][1] = 1.000001;
  cases.push_back({"two just separated", scene});
  cases.push_back({"two within the margin", scene, {.margin = 1e-5}});
  Scene<D> same;
  for (int i = 0; i < 7; ++i) same.push_back(all<D>(3), 0.5);
  cases.push_back({"coincident", same});
  cases.push_back({"one cell", one_cell<D>()});
  cases.push_back({"on cell faces", on_faces<D>()});
  for (std::size_t axis = 0; axis < D; ++axis)
    cases.push_back({message("coplanar, normal to axis ", axis), flat<D>(axis)});
}

template <std::size_t D>
void add_lattices(std::vector<ConformanceCase<D>>& cases) {
  for (const double diameter : {0.1, 1.0 / 3, 1e-6, 1e6, 1.0})
    for (const std::size_t side : {2UL, 3UL, 9UL})
      cases.push_back({message("touching lattice of ", side, " with diameter ", diameter),
                       make_scene<D>("lattice", {.count = D == 2 ? side * side : side * side * side,
                                                 .diameter = diameter})});
  cases.push_back({"shuffled lattice", make_scene<D>("lattice-shuffled", {.count = 1000})});
  for (const char* name : {"packing-a", "packing-b", "packing-c", "packing-d"})
    cases.push_back({name, make_scene<D>(name, {.count = 1000})});
  cases.push_back({"packing-d, double spacing",
                   make_scene<D>("packing-d", {.count = 1000, .spacing = 2}),
                   {.margin = 1}});
}

template <std::size_t D>
void add_random_cases(std::vector<ConformanceCase<D>>& cases) {
  for (const std::size_t count : {50UL, 1000UL, 10000UL})
    cases.push_back({message("random, ", count), make_scene<D>("random", {.count = count})});
  cases.push_back({"random, overlapping",
                   make_scene<D>("random", {.count = 3000, .seed = 2, .solid_fraction = 2})});
  cases.push_back(
      {"random with margin", make_scene<D>("random", {.count = 3000}), {.margin = 0.4}});
  cases.push_back(
      {"random, large tolerance", make_scene<D>("random", {.count = 2000}), {.tolerance = 0.5}});
  cases.push_back({"clusters", make_scene<D>("clusters", {.count = 3000}), {}, true});
  // NBS sizes its cells by the largest particle, so at large ratios it is quadratic; N is kept
  // small.
  for (const double ratio : {2.0, 32.0, 1000.0, 1e6}) {
    cases.push_back({message("size ratio ", ratio),
                     make_scene<D>("polydisperse", {.count = 3000, .size_ratio = ratio})});
    cases.push_back({message("size ratio ", ratio, ", by mass"),
                     make_scene<D>("polydisperse-mass", {.count = 3000, .size_ratio = ratio})});
  }
  cases.push_back({"outlier a hundred diameters away", with_outlier<D>(100)});
  cases.push_back({"outlier a million diameters away", with_outlier<D>(1e6), {}, true});
  Scene<D> negative = make_scene<D>("random", {.count = 1000, .seed = 4});
  shift(negative, -1000);
  cases.push_back({"negative coordinates", negative});
  Scene<D> far = make_scene<D>("random", {.count = 1000, .seed = 4});
  shift(far, 1e9);
  cases.push_back({"far from the origin", far});
  Scene<D> bounded = make_scene<D>("random", {.count = 1000, .seed = 6});
  cases.push_back({"in a domain", bounded, {.domain = bounded.bounds}});
  cases.push_back({"half of them fixed", bounded, {.fixed_count = 500}});
  cases.push_back({"silo", make_scene<D>("silo", {.count = 2000}), {.margin = 0.05}});
}

}  // namespace

unsigned test_thread_count() {
  const char* number = std::getenv("ABUT_TEST_THREADS");
  return number == nullptr ? 1 : static_cast<unsigned>(std::strtoul(number, nullptr, 10));
}

template <std::size_t D>
Finder<D> finder(Method method) {
  return [method](const Spheres<D>& particles, DetectorOptions<D> options) {
    options.method = method;
    if (options.threads == 1) options.threads = test_thread_count();
    return find_contacts(particles, options);
  };
}

template <std::size_t D>
std::vector<ConformanceCase<D>> conformance_cases() {
  std::vector<ConformanceCase<D>> cases;
  add_small_cases(cases);
  add_lattices(cases);
  add_random_cases(cases);
  for (auto& test_case : cases) test_case.options.memory_limit = 1UL << 28U;
  return cases;
}

template <std::size_t D>
std::string mismatch(const Finder<D>& find, const ConformanceCase<D>& test_case) {
  const Spheres<D> particles = test_case.scene.view();
  const std::vector<Pair> expected = pairs_by_definition(test_case.scene, test_case.options);
  std::vector<Pair> found;
  try {
    found = find(particles, test_case.options);
  } catch (const MemoryLimitError& error) {
    return test_case.may_exceed_memory ? "" : message(test_case.name, ": ", error.what());
  }
  if (found == expected) return "";
  for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
    if (i < found.size() && i < expected.size() && found[i] == expected[i]) continue;
    const auto text = [i](const std::vector<Pair>& pairs) {
      return i < pairs.size() ? message("(", pairs[i].a, ", ", pairs[i].b, ")") : "none";
    };
    return message(test_case.name, ": pair ", i, " is ", text(found), " instead of ",
                   text(expected), "; ", found.size(), " pairs instead of ", expected.size());
  }
  return "";
}

template <std::size_t D>
Finder<D> lossy(Finder<D> find, std::size_t one_in) {
  return [find = std::move(find), one_in](const Spheres<D>& particles,
                                          const DetectorOptions<D>& options) {
    std::vector<Pair> pairs = find(particles, options);
    std::erase_if(pairs, [&](Pair pair) {
      return (pair.a * 2654435761ULL + pair.b * 40503ULL) / 7 % one_in == 0;
    });
    return pairs;
  };
}

template <std::size_t D>
Scene<D> scene_of(const std::vector<std::array<double, D + 1>>& particles) {
  Scene<D> scene;
  for (const auto& particle : particles) {
    std::array<double, D> center;
    std::copy_n(particle.begin(), D, center.begin());
    scene.push_back(center, particle[D]);
  }
  return scene;
}

template Finder<2> finder(Method);
template Finder<3> finder(Method);
template std::vector<ConformanceCase<2>> conformance_cases();
template std::vector<ConformanceCase<3>> conformance_cases();
template std::string mismatch(const Finder<2>&, const ConformanceCase<2>&);
template std::string mismatch(const Finder<3>&, const ConformanceCase<3>&);
template Finder<2> lossy(Finder<2>, std::size_t);
template Finder<3> lossy(Finder<3>, std::size_t);
template Scene<2> scene_of(const std::vector<std::array<double, 3>>&);
template Scene<3> scene_of(const std::vector<std::array<double, 4>>&);

}  // namespace abut::testing
