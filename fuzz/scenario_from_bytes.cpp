#include "scenario_from_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/statistics.hpp"

namespace abut::fuzz {
namespace {

// Few enough that brute force is fast.
constexpr std::size_t max_particles = 100;
constexpr std::size_t max_steps = 8;

// Low enough that a dense cell array that includes an outlier exceeds it.
constexpr std::size_t memory_limit = 1UL << 24U;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Reads bytes one by one; returns zeros after the last.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : remaining_(bytes) {}

  [[nodiscard]] bool empty() const { return remaining_.empty(); }
  std::uint8_t byte() {
    if (empty()) return 0;
    const std::uint8_t first = remaining_.front();
    remaining_ = remaining_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t count) { return byte() % count; }
  double raw_double() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | byte();
    return std::bit_cast<double>(bits);
  }
  template <std::size_t N>
  double one_of(const std::array<double, N>& alphabet) {
    return alphabet[below(N)];
  }

 private:
  std::span<const std::uint8_t> remaining_;
};

// The same mantissa with an exponent that the input checks accept; most doubles are out of range.
double in_range(double value) {
  if (!std::isfinite(value)) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(mantissa, exponent % 498);
}

// Lengths in diameters; ordinary values are the most frequent.
constexpr std::array diameters{1.0, 1.0,     1.0,  1.0, 1.0, 1.0, 1.0,    1.0,
                               0.1, 1.0 / 3, 1e-6, 1e6, 3.0, 0.7, 1e-140, 1e140};
constexpr std::array margins{0.0, 0.0, 0.0, 0.0, 0.0,    0.0, 0.0,   0.0,
                             0.1, 0.5, 1.0, 9.5, 1e-300, 1e6, 1e-12, 0x1p-52};
constexpr std::array tolerances{1e-12, 1e-12, 1e-12, 1e-12, 1e-12, 1e-12, 0.0, 0.0,
                                0.0,   1e-3,  0.5,   1.0,   1e-15, 1e-6,  0.1, 1e-12};
constexpr std::array group_ratios{2.0, 2.0, 2.0, 1.01, 1.5, 4.0, 10.0, 1e150};
constexpr std::array distances{1.0,  -1.0, 0.5,  -0.5, 0.25, 1e-3, 1e-9, -0.1,
                               10.0, 1e3,  -1e3, 1e6,  -1e9, 1e12, 1e15, 1.0 / 3};
constexpr std::array spreads{0.0, 0.01, 0.5, 1.0, 3.0, 10.0, 100.0, 1e5};
constexpr std::array spacings{1.0, 1.0, 1.0, 0.5, 1 + 1e-12, 1 + 1e-6, 0.9999, 2.0};

template <std::size_t D>
class Builder {
 public:
  explicit Builder(Reader bytes) : bytes_(bytes), diameter_(bytes_.one_of(diameters)) {
    DetectorOptions<D>& options = scenario_.options;
    options.threads = 1 + static_cast<unsigned>(bytes_.below(3));
    options.margin = diameter_ * bytes_.one_of(margins);
    options.tolerance = bytes_.one_of(tolerances);
    options.group_ratio = bytes_.one_of(group_ratios);
    options.memory_limit = memory_limit;
    fixed_particles(bytes_.byte());
    rare_options(bytes_.byte());
  }

  Scenario<D> build() {
    while (!bytes_.empty() && scenario_.steps.size() < max_steps) execute(bytes_.byte());
    if (scenario_.steps.empty() || changed_) scenario_.steps.push_back({scene_});
    return scenario_;
  }

 private:
  void fixed_particles(std::uint8_t code) {
    scenario_.options.fixed_count = code < 128 ? 0 : code % 24;
  }

  // Options that are rarely set, and invalid values.
  void rare_options(std::uint8_t code) {
    scenario_.options.collect_counts = code % 4 == 1;
    if (code == 255) scenario_.options.margin = not_a_number;
    if (code == 254) scenario_.options.tolerance = 2;
    if (code == 253) scenario_.options.margin = max_length;
  }

  void execute(std::uint8_t command) {
    using Command = void (Builder::*)();
    constexpr std::array<Command, 24> commands{
        &Builder::step,           &Builder::particle,        &Builder::lattice,
        &Builder::cluster,        &Builder::chain,           &Builder::step,
        &Builder::move,           &Builder::perturb_all,     &Builder::coincide,
        &Builder::remove,         &Builder::exchange,        &Builder::resize,
        &Builder::step,           &Builder::particle,        &Builder::outlier,
        &Builder::raw_coordinate, &Builder::raw_radius,      &Builder::flatten,
        &Builder::nudge,          &Builder::translate,       &Builder::mirror,
        &Builder::truncate,       &Builder::add_near_cutoff, &Builder::move_fixed};
    changed_ = true;
    (this->*commands[command % commands.size()])();
  }

  void step() {
    scenario_.steps.push_back({scene_, static_cast<QueryMode>(bytes_.below(4))});
    changed_ = false;
  }

  // Values at which two particles of the usual size, one at the origin, are just a pair or just
  // not.
  double coordinate() {
    const std::uint8_t code = bytes_.byte();
    const double cutoff = diameter_ * (1 + scenario_.options.tolerance) + scenario_.options.margin;
    if (code < 80) return (code % 10 - 5) * diameter_;
    if (code < 160) return (code % 12 - 6) * diameter_ / 2;
    if (code < 200) return (code % 8 - 4) * cutoff * (1 + 4 * 0x1p-50);
    if (code < 230) return (code - 215) * diameter_ * 0.1;
    if (code < 240) return (code - 235) * diameter_ / 3;
    if (code < 254)
      return std::nextafter((code % 7 - 3) * diameter_, code % 2 == 0 ? -1e300 : 1e300);
    return code == 254 ? -0.0 : far_coordinate();
  }

  double far_coordinate() {
    const std::uint8_t code = bytes_.byte();
    return (code % 2 == 0 ? 1 : -1) * diameter_ * std::pow(10, 3 + code / 2 % 13);
  }

  double radius() {
    const std::uint8_t code = bytes_.byte();
    const double usual = diameter_ / 2;
    if (code < 128) return usual;
    if (code < 176) return usual * (1 + code % 16) / 16;
    if (code < 208) return usual * std::pow(10, -(code % 7));
    if (code < 232) return usual * std::pow(10, code % 3);
    if (code < 240) return usual * std::pow(10, code % 7);
    return std::nextafter(usual, code % 2 == 0 ? 0 : usual * 2);
  }

  std::array<double, D> position() {
    std::array<double, D> center;
    for (double& x : center) x = coordinate();
    return center;
  }

  void add(const std::array<double, D>& center, double size) {
    if (scene_.size() >= max_particles) return;
    scene_.push_back(center, size);
  }

  void particle() {
    const double size = radius();
    add(position(), size);
  }

  // Exactly or nearly touching particles.
  void lattice() {
    const double size = radius();
    const double spacing = 2 * size * bytes_.one_of(spacings);
    const std::array<double, D> corner = position();
    std::array<std::size_t, D> sides;
    for (auto& side : sides) side = 1 + bytes_.below(D == 2 ? 7 : 4);
    std::array<std::size_t, D> at{};
    for (std::size_t k = 0; k < D;) {
      auto center = corner;
      for (std::size_t axis = 0; axis < D; ++axis)
        center[axis] += spacing * static_cast<double>(at[axis]);
      add(center, size);
      for (k = 0; k < D && ++at[k] == sides[k]; ++k) at[k] = 0;
    }
  }

  void cluster() {
    const std::array<double, D> middle = position();
    const double size = radius();
    const double spread = diameter_ * bytes_.one_of(spreads);
    const std::size_t count = 1 + bytes_.below(48);
    Random random(bytes_.byte());
    for (std::size_t i = 0; i < count; ++i) {
      auto center = middle;
      for (double& x : center) x += random.uniform(-spread, spread);
      add(center, size * random.uniform(0.5, 1));
    }
  }

  // Along an axis or a diagonal.
  void chain() {
    std::array<double, D> center = position();
    const double size = radius();
    const double spacing = 2 * size * bytes_.one_of(spacings);
    const std::size_t directions = 1 + bytes_.below((1U << D) - 1U);
    const std::size_t count = 1 + bytes_.below(32);
    for (std::size_t i = 0; i < count; ++i) {
      add(center, size);
      for (std::size_t k = 0; k < D; ++k)
        if ((directions >> k & 1U) != 0) center[k] += spacing;
    }
  }

  [[nodiscard]] bool has_no_particles() const { return scene_.size() == 0; }
  std::size_t any() { return bytes_.below(scene_.size()); }
  std::vector<double>& any_axis() { return scene_.coordinates[bytes_.below(D)]; }
  double& any_coordinate() {
    auto& axis = any_axis();
    return axis[any()];
  }

  void move() {
    if (has_no_particles()) return;
    double& x = any_coordinate();
    x += diameter_ * bytes_.one_of(distances);
  }

  void perturb_all() {
    const double by = diameter_ * bytes_.one_of(distances) / 4;
    Random random(bytes_.byte());
    for (auto& axis : scene_.coordinates)
      for (std::size_t i = std::min(scenario_.options.fixed_count, axis.size()); i < axis.size();
           ++i)
        axis[i] += random.uniform(-by, by);
  }

  void coincide() {
    if (has_no_particles()) return;
    const std::size_t at = any();
    const double size = bytes_.below(2) == 0 ? scene_.radii[at] : radius();
    const std::size_t count = 1 + bytes_.below(6);
    for (std::size_t i = 0; i < count; ++i) add(center_of(at), size);
  }

  std::array<double, D> center_of(std::size_t at) {
    std::array<double, D> center;
    for (std::size_t k = 0; k < D; ++k) center[k] = scene_.coordinates[k][at];
    return center;
  }

  template <class Change>
  void for_all_arrays(const Change& change) {
    for (auto& axis : scene_.coordinates) change(axis);
    change(scene_.radii);
  }

  // Either all later particles move down by one index, or the last one takes the free index.
  void remove() {
    if (has_no_particles()) return;
    const auto at = static_cast<std::ptrdiff_t>(any());
    const bool replace_by_last = bytes_.below(2) == 1;
    for_all_arrays([&](std::vector<double>& values) {
      if (replace_by_last) std::swap(*(values.begin() + at), values.back());
      values.erase(replace_by_last ? values.end() - 1 : values.begin() + at);
    });
  }

  // Two particles swap indices.
  void exchange() {
    if (has_no_particles()) return;
    const std::size_t a = any();
    const std::size_t b = any();
    for_all_arrays([&](std::vector<double>& values) { std::swap(values[a], values[b]); });
  }

  void resize() {
    if (has_no_particles()) return;
    const std::size_t at = any();
    scene_.radii[at] = radius();
  }

  void outlier() {
    if (has_no_particles()) return;
    double& x = any_coordinate();
    x = far_coordinate();
  }

  double any_double() {
    return bytes_.below(8) == 7 ? bytes_.raw_double() : in_range(bytes_.raw_double());
  }

  void raw_coordinate() {
    if (has_no_particles()) return;
    double& x = any_coordinate();
    x = any_double();
  }

  void raw_radius() {
    if (has_no_particles()) return;
    const std::size_t at = any();
    const double value = any_double();
    scene_.radii[at] = bytes_.below(8) == 7 ? value : std::abs(value);
  }

  void flatten() {
    auto& axis = any_axis();
    std::ranges::fill(axis, coordinate());
  }

  // Moves a coordinate to the next double.
  void nudge() {
    if (has_no_particles()) return;
    double& x = any_coordinate();
    x = std::nextafter(x, bytes_.below(2) == 0 ? -1e300 : 1e300);
  }

  void translate() {
    auto& axis = any_axis();
    const double by = diameter_ * bytes_.one_of(distances);
    for (double& x : axis) x += by;
  }

  void mirror() {
    for (double& x : any_axis()) x = -x;
  }

  // Removes all but the first n particles.
  void truncate() {
    if (has_no_particles()) return;
    const std::size_t kept = any();
    for_all_arrays([&](std::vector<double>& values) { values.resize(kept); });
  }

  // Adds a particle just inside or just outside the cutoff of another one of any size.
  void add_near_cutoff() {
    if (has_no_particles()) return;
    const std::size_t at = any();
    const double size = radius();
    const DetectorOptions<D>& options = scenario_.options;
    const double cutoff = (scene_.radii[at] + size) * (1 + options.tolerance) + options.margin;
    auto center = center_of(at);
    const std::uint8_t side = bytes_.byte();
    double& x = center[side % D];
    x += side < 128 ? cutoff : -cutoff;
    if (side % 4 == 1) x = std::nextafter(x, -1e300);
    if (side % 4 == 3) x = std::nextafter(x, 1e300);
    add(center, size);
  }

  // Moves a particle that is declared fixed.
  void move_fixed() {
    if (has_no_particles()) return;
    auto& axis = any_axis();
    const std::size_t count =
        std::clamp<std::size_t>(scenario_.options.fixed_count, 1, axis.size());
    double& x = axis[bytes_.below(count)];
    x = coordinate();
  }

  Reader bytes_;
  double diameter_;  // usual particle diameter; read first
  Scene<D> scene_;
  bool changed_ = false;  // since the last step
  Scenario<D> scenario_;
};

}  // namespace

AnyScenario scenario_from_bytes(std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  if (reader.below(2) == 0) return Builder<2>(reader).build();
  return Builder<3>(reader).build();
}

template <std::size_t D>
std::string describe(const DetectorOptions<D>& options) {
  return message(D, "D, margin ", options.margin, ", tolerance ", options.tolerance, ", fixed ",
                 options.fixed_count, ", threads ", options.threads, ", group ratio ",
                 options.group_ratio, options.collect_counts ? ", counting" : "");
}

template <std::size_t D>
std::string to_csv(const Scene<D>& scene) {
  std::string text = D == 2 ? "x,y,r\n" : "x,y,z,r\n";
  for (std::size_t i = 0; i < scene.size(); ++i) {
    for (const auto& axis : scene.coordinates) text += message(axis[i], ",");
    text += message(scene.radii[i], "\n");
  }
  return text;
}

template std::string describe(const DetectorOptions<2>&);
template std::string describe(const DetectorOptions<3>&);
template std::string to_csv(const Scene<2>&);
template std::string to_csv(const Scene<3>&);

}  // namespace abut::fuzz
