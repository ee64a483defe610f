#include "scenes/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/machine.hpp"
#include "core/message.hpp"
#include "core/portable_math.hpp"
#include "core/statistics.hpp"

namespace abut {
namespace {

template <std::size_t D>
Scene<D> sized(std::size_t count) {
  Scene<D> scene;
  scene.resize(count);
  return scene;
}

// Smallest n with n^D ≥ count; the floating-point root is a first guess for integer arithmetic.
template <std::size_t D>
std::size_t lattice_side(std::size_t count) {
  const auto sites = [](std::size_t n) { return D == 2 ? n * n : n * n * n; };
  auto side = static_cast<std::size_t>(portable_math::pow(static_cast<double>(count), 1.0 / D));
  while (side > 0 && sites(side - 1) >= count) --side;
  while (sites(side) < count) ++side;
  return side;
}

// The first `count` sites of a cubic lattice, x fastest; step[k] is the spacing along axis k.
template <std::size_t D>
Scene<D> lattice(const SceneOptions& options, const std::array<double, D>& step) {
  Scene<D> scene = sized<D>(options.count);
  std::ranges::fill(scene.radii, options.diameter / 2);
  const std::size_t side = std::max<std::size_t>(1, lattice_side<D>(options.count));
  for (std::size_t i = 0; i < options.count; ++i) {
    std::size_t remainder = i;
    for (std::size_t k = 0; k < D; ++k) {
      scene.coordinates[k][i] = (static_cast<double>(remainder % side) + 0.5) * step[k];
      remainder /= side;
    }
  }
  for (std::size_t k = 0; k < D; ++k) scene.bounds.max[k] = static_cast<double>(side) * step[k];
  return scene;
}

// Packings B to D of the MR paper: spacing s along the first `varied` axes, two diameters along the
// others.
template <std::size_t D>
Scene<D> packing(const SceneOptions& options, std::size_t varied) {
  std::array<double, D> step;
  for (std::size_t k = 0; k < D; ++k)
    step[k] = (k < varied ? options.spacing : 2) * options.diameter;
  return lattice<D>(options, step);
}

template <std::size_t D>
Scene<D> touching_lattice(const SceneOptions& options) {
  std::array<double, D> step;
  step.fill(options.diameter);
  return lattice<D>(options, step);
}

template <std::size_t D>
Scene<D> sparse(const SceneOptions& options) {
  std::array<double, D> step;
  step.fill(200 * options.diameter);
  return lattice<D>(options, step);
}

template <std::size_t D>
Scene<D> shuffled(const SceneOptions& options) {
  Scene<D> scene = touching_lattice<D>(options);
  Random random(options.seed);
  for (std::size_t i = scene.size(); i > 1; --i) {
    const std::size_t j = random.below(i);
    for (auto& axis : scene.coordinates) std::swap(axis[i - 1], axis[j]);
  }
  return scene;
}

// Uniform random centers in a cube of the requested solid fraction; particles may overlap.
template <std::size_t D>
void scatter(Scene<D>& scene, double fraction, Random& random) {
  double solid = 0;
  for (const double r : scene.radii)
    solid += D == 2 ? std::numbers::pi * r * r : 4 * std::numbers::pi / 3 * r * r * r;
  const double side = scene.size() > 0 ? portable_math::pow(solid / fraction, 1.0 / D) : 1;
  scene.bounds.max.fill(side);
  for (std::size_t i = 0; i < scene.size(); ++i)
    for (auto& axis : scene.coordinates) axis[i] = random.uniform(0, side);
}

template <std::size_t D>
Scene<D> random_equal(const SceneOptions& options) {
  Scene<D> scene = sized<D>(options.count);
  std::ranges::fill(scene.radii, options.diameter / 2);
  Random random(options.seed);
  scatter(scene, options.solid_fraction, random);
  return scene;
}

// Spherical clusters of a hundred particles with solid fraction 0.5, at random in a cube a hundred
// times wider than needed: dense spots in empty space.
template <std::size_t D>
Scene<D> clusters(const SceneOptions& options) {
  constexpr std::size_t members = 100;
  Scene<D> scene = sized<D>(options.count);
  std::ranges::fill(scene.radii, options.diameter / 2);
  Random random(options.seed);
  const double clusters = std::max(1.0, std::ceil(static_cast<double>(options.count) / members));
  const double cluster_radius = options.diameter * portable_math::pow(2.0 * members, 1.0 / D) / 2;
  const double side = 100 * cluster_radius * portable_math::pow(clusters, 1.0 / D);
  scene.bounds.max.fill(side);
  std::array<double, D> center{};
  for (std::size_t i = 0; i < options.count; ++i) {
    if (i % members == 0)
      for (double& x : center) x = random.uniform(cluster_radius, side - cluster_radius);
    std::array<double, D> offset{};
    double squared = 0;
    do {
      squared = 0;
      for (double& x : offset) {
        x = random.uniform(-1, 1);
        squared += x * x;
      }
    } while (squared > 1);
    for (std::size_t k = 0; k < D; ++k)
      scene.coordinates[k][i] = center[k] + cluster_radius * offset[k];
  }
  return scene;
}

// The filling of a silo (Lazarević, Dvornik, Fresl 2002): radii from 0.215 to 0.225 m, scaled to
// the diameter; hexagonal layers, expanded to a solid fraction of 0.6 and perturbed.
template <std::size_t D>
Scene<D> silo(const SceneOptions& options) {
  Scene<D> scene = sized<D>(options.count);
  Random random(options.seed);
  for (double& r : scene.radii) r = options.diameter / 2 * random.uniform(0.215 / 0.225, 1);
  const double max_solid_fraction =
      D == 2 ? std::numbers::pi / std::sqrt(12) : std::numbers::pi / std::sqrt(18);
  const double step =
      options.diameter * 0.44 / 0.45 * portable_math::pow(max_solid_fraction / 0.6, 1.0 / D);
  const std::size_t side = std::max<std::size_t>(1, lattice_side<D>(options.count));
  std::array<double, D> spacing;  // of particles, rows, layers
  spacing.fill(step * std::sqrt(0.75));
  spacing[0] = step;
  if constexpr (D == 3) spacing[2] = step * std::sqrt(2.0 / 3);
  for (std::size_t i = 0; i < options.count; ++i) {
    std::array<std::size_t, D> site;
    std::size_t remainder = i;
    for (std::size_t& coordinate : site) {
      coordinate = remainder % side;
      remainder /= side;
    }
    const double odd_row = site[1] % 2 == 1 ? step / 2 : 0;
    const double odd_layer = D == 3 && site[D - 1] % 2 == 1 ? step / std::sqrt(12) : 0;
    for (std::size_t k = 0; k < D; ++k)
      scene.coordinates[k][i] = (static_cast<double>(site[k]) + 0.5) * spacing[k] +
                                (k == 0 ? odd_row : 0) + (k == 1 ? odd_layer : 0) +
                                random.uniform(-0.05, 0.05) * options.diameter;
  }
  for (std::size_t k = 0; k < D; ++k)
    scene.bounds.max[k] = (static_cast<double>(side) + 1) * spacing[k];
  return scene;
}

// Diameters with ln d uniformly distributed by number.
template <std::size_t D>
Scene<D> polydisperse(const SceneOptions& options) {
  Scene<D> scene = sized<D>(options.count);
  Random random(options.seed);
  for (double& r : scene.radii)
    r = options.diameter / 2 * portable_math::pow(options.size_ratio, -random.uniform());
  scatter(scene, options.solid_fraction, random);
  return scene;
}

// Diameters with ln d uniformly distributed by mass: the number density then is proportional to
// d^−(D+1), so that d^−D is uniformly distributed by number.
template <std::size_t D>
Scene<D> polydisperse_mass(const SceneOptions& options) {
  Scene<D> scene = sized<D>(options.count);
  Random random(options.seed);
  const double max_power = portable_math::pow(options.size_ratio, D);
  for (double& r : scene.radii)
    r = options.diameter / 2 * portable_math::pow(random.uniform(1, max_power), -1.0 / D);
  scatter(scene, options.solid_fraction, random);
  return scene;
}

// Sorts the particles row by row and layer by layer, on a grid with about one cell per particle.
template <std::size_t D>
Scene<D> sorted_spatially(const Scene<D>& scene) {
  const std::size_t side = lattice_side<D>(scene.size());
  const auto cell_of = [&](std::size_t i) {
    std::size_t cell = 0;
    for (std::size_t k = D; k-- > 0;) {
      const double fraction = (scene.coordinates[k][i] - scene.bounds.min[k]) /
                              (scene.bounds.max[k] - scene.bounds.min[k]);
      cell = cell * side +
             std::min(side - 1, static_cast<std::size_t>(fraction * static_cast<double>(side)));
    }
    return cell;
  };
  std::vector<std::pair<std::size_t, std::size_t>> order(scene.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = {cell_of(i), i};
  std::ranges::sort(order);
  Scene<D> sorted = scene;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < D; ++k)
      sorted.coordinates[k][i] = scene.coordinates[k][order[i].second];
    sorted.radii[i] = scene.radii[order[i].second];
  }
  return sorted;
}

struct Generator {
  SceneInfo info;
  Scene<2> (*make_2d)(const SceneOptions&);
  Scene<3> (*make_3d)(const SceneOptions&);
};

constexpr std::array generators{
    Generator{{"lattice", "touching particles on a cubic lattice, in lattice order"},
              touching_lattice<2>,
              touching_lattice<3>},
    Generator{{"lattice-shuffled", "lattice, in random order"}, shuffled<2>, shuffled<3>},
    Generator{{"random", "uniform random centers with --solid-fraction"},
              random_equal<2>,
              random_equal<3>},
    Generator{{"sparse", "lattice with spacing 200 d: no contacts"}, sparse<2>, sparse<3>},
    Generator{{"packing-a", "MR paper, example I: spacing d along every axis"},
              touching_lattice<2>,
              touching_lattice<3>},
    Generator{{"packing-b", "MR paper, example II: --spacing along x, 2 d along the others"},
              [](const SceneOptions& o) { return packing<2>(o, 1); },
              [](const SceneOptions& o) { return packing<3>(o, 1); }},
    Generator{{"packing-c", "MR paper, example III: --spacing along x and y, 2 d along z"},
              [](const SceneOptions& o) { return packing<2>(o, 2); },
              [](const SceneOptions& o) { return packing<3>(o, 2); }},
    Generator{{"packing-d", "MR paper, example IV: --spacing along every axis"},
              [](const SceneOptions& o) { return packing<2>(o, 2); },
              [](const SceneOptions& o) { return packing<3>(o, 3); }},
    Generator{{"clusters", "clusters of a hundred particles far apart"}, clusters<2>, clusters<3>},
    Generator{
        {"silo", "hexagonal layers, diameters 0.956 d to d, solid fraction 0.6"}, silo<2>, silo<3>},
    Generator{{"polydisperse", "random, diameters d/--size-ratio to d, log-uniform by number"},
              polydisperse<2>,
              polydisperse<3>},
    Generator{{"polydisperse-mass", "random, diameters d/--size-ratio to d, log-uniform by mass"},
              polydisperse_mass<2>,
              polydisperse_mass<3>},
};

constexpr auto infos = [] {
  std::array<SceneInfo, generators.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = generators[i].info;
  return all;
}();

void check_range(std::string_view field, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw Error(message(field, " = ", value, ": must be from ", low, " to ", high));
}

}  // namespace

std::span<const SceneInfo> scenes() { return infos; }

template <std::size_t D>
Scene<D> make_scene(std::string_view name, const SceneOptions& options) {
  check_range("diameter", options.diameter, 1e-60, 1e60);
  check_range("solid_fraction", options.solid_fraction, 1e-9, 100);
  check_range("spacing", options.spacing, 1e-6, 1e6);
  check_range("size_ratio", options.size_ratio, 1, 1e6);
  const std::size_t bytes = options.count * (D + 1) * sizeof(double);
  if (options.count > 2147483647 || bytes > physical_memory())
    throw Error(message("n = ", options.count, ": ", format_bytes(static_cast<double>(bytes)),
                        " of particles exceed the memory of this machine"));
  const auto* found =
      std::ranges::find(generators, name, [](const Generator& g) { return g.info.name; });
  if (found == generators.end()) {
    std::string names;
    for (const SceneInfo& known : infos) names += message(names.empty() ? "" : ", ", known.name);
    throw Error(message("no scene is called '", name, "'; must be one of ", names));
  }
  Scene<D> scene;
  if constexpr (D == 2) {
    scene = found->make_2d(options);
  } else {
    scene = found->make_3d(options);
  }
  return options.spatial_order ? sorted_spatially(scene) : scene;
}

template <std::size_t D>
void perturb(Scene<D>& scene, double distance, std::uint64_t seed) {
  Random random(seed);
  for (auto& axis : scene.coordinates)
    for (double& x : axis) x += random.uniform(-distance, distance);
}

template void perturb(Scene<2>&, double, std::uint64_t);
template void perturb(Scene<3>&, double, std::uint64_t);
template Scene<2> make_scene(std::string_view, const SceneOptions&);
template Scene<3> make_scene(std::string_view, const SceneOptions&);

}  // namespace abut
