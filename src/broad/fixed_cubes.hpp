#pragma once

#include <abut/detector_options.hpp>
#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "broad/search_method.hpp"
#include "core/buffers.hpp"
#include "core/grid.hpp"
#include "core/inflated_radii.hpp"
#include "core/input_checks.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// One element of A: a cube that a ball overlaps. "Ball" and "cube" are the paper's terms.
struct Membership {
  Index cube;
  Index slot;                 ///< position of the ball among those in the cube
  std::uint16_t lower_cubes;  ///< bits for the ball's lower-numbered cubes, see `lower_cube_bit`
};

/// One element of B: a ball that overlaps a cube.
struct CubeMember {
  Index particle;
  std::uint16_t lower_cubes;
};

/// The overlaps of balls and cubes in both directions: the paper's vectors a and b and matrices A
/// and B. Rows are packed and have no fixed capacity; cubes without balls are never visited.
class CubeTable {
 public:
  static constexpr std::size_t bytes_per_cube = 2 * sizeof(Index);
  static constexpr std::size_t bytes_per_membership = sizeof(Membership) + sizeof(CubeMember);

  /// Removes all balls and allocates this many cubes.
  void reshape(std::size_t cubes) {
    clear();
    (void)checked_cast<Index>(cubes);
    counts_.ensure_size(cubes);
    starts_.ensure_size(cubes);
  }

  /// Removes all balls and reserves memory for `count` balls with indices from `first`, each with
  /// at most `max_cubes` cubes; growing would need twice the memory.
  void begin(Index first, std::size_t count, std::size_t max_cubes) {
    clear();
    first_ = first;
    max_occupancy_ = 0;
    rows_.reserve(count + 1);
    cubes_.reserve(count * max_cubes);
    particles_.reserve(count * max_cubes);
  }

  /// Algorithm 2: records that ball and cube overlap. Balls come in ascending order.
  void add(Index ball, std::size_t cube, unsigned lower) {
    while (rows_.size() <= ball - first_) rows_.push_back(checked_cast<Index>(cubes_.size()));
    Index& count = counts_[cube];
    cubes_.push_back({static_cast<Index>(cube), count, static_cast<std::uint16_t>(lower)});
    max_occupancy_ = std::max(max_occupancy_, ++count);
  }

  /// After the last ball: lays out the rows of B, in the order in which balls were added.
  void end() {
    rows_.push_back(checked_cast<Index>(cubes_.size()));
    particles_.resize(cubes_.size());
    Index used = 0;
    Index ball = first_;
    for (std::size_t at = 0; at < cubes_.size(); ++at) {
      while (at == rows_[ball + 1 - first_]) ++ball;
      const Membership& member = cubes_[at];
      if (member.slot == 0) {
        starts_[member.cube] = used;
        used += counts_[member.cube];
      }
      particles_[starts_[member.cube] + member.slot] = {ball, member.lower_cubes};
    }
  }

  [[nodiscard]] std::span<const Membership> cubes_of(Index ball) const {
    const Membership* all = cubes_.data();
    return {all + rows_[ball - first_], all + rows_[ball + 1 - first_]};
  }
  [[nodiscard]] std::span<const CubeMember> particles_in(std::size_t cube) const {
    return {particles_.data() + starts_[cube], counts_[cube]};
  }
  /// The balls of a cube that were added before this member.
  [[nodiscard]] std::span<const CubeMember> before(const Membership& member) const {
    return {particles_.data() + starts_[member.cube], member.slot};
  }
  [[nodiscard]] Index max_occupancy() const { return max_occupancy_; }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (counts_.size() + starts_.size() + rows_.capacity()) +
           sizeof(Membership) * cubes_.capacity() + sizeof(CubeMember) * particles_.capacity();
  }

 private:
  void clear() {
    for (const Membership& member : cubes_) counts_[member.cube] = starts_[member.cube] = 0;
    rows_.clear();
    cubes_.clear();
    particles_.clear();
  }

  Index first_ = 0;
  Index max_occupancy_ = 0;
  ZeroedArray<Index> counts_;          // b
  ZeroedArray<Index> starts_;          // offsets of the rows of B
  std::vector<Index> rows_;            // offsets of the rows of A, whose lengths are a
  std::vector<Membership> cubes_;      // A
  std::vector<CubeMember> particles_;  // B
};

/// Corrections of the paper. Tests replace them by the published rules and show which pairs are
/// lost.
template <std::size_t D>
struct CorrectedRules {
  /// The radius in tests (12)–(14): inflated by margin and rounding; the paper uses the bare one.
  static double radius(const InflatedRadii<D>& inflated, double bare) {
    return inflated.radius(bare);
  }

  /// Whether the pair is tested in this cube: the lowest-numbered one that both balls overlap. The
  /// cube of the midpoint (23) may be one that the smaller ball does not overlap.
  static bool owns_pair(const SearchInput<D>& /*input*/, const Grid<D>& /*grid*/, Index /*i*/,
                        Index /*m*/, const Membership& of_i, unsigned lower_of_m) {
    return (of_i.lower_cubes & lower_of_m) == 0;
  }
};

/// Fixed cubes: a ball is sorted into every cube it overlaps, the central one and up to 2^D − 1
/// neighbors, which a decision tree finds by 6 to 10 examinations. Balls that share a cube are
/// candidates.
///
/// D. Lazarević, J. Dvornik, K. Fresl, KoG 6 (2002) 29–40.
/// a → cube size, k₁ → central cube, δ → face_distance, tests (12)–(14) → `find_overlaps`, tables
/// a, b, A, B → `CubeTable`, n_w → `SearchInput::fixed_count`, s → order of the balls in a row of
/// B. Time O(N) for balls of similar size that fill the domain; memory 8 bytes per cube and 20 per
/// ball and cube it overlaps.
///
/// Differs from the paper: the tables grow, without the limit b_k ≤ 20; a border of ghost cubes
/// keeps k₁ + 1 from wrapping into the next row; cube coordinates are rounded down, as the paper's
/// rounding up puts x = 0 outside; `CorrectedRules` inflate radii and test each pair once; squares
/// are compared instead of roots. In 2D the tree has 4 or 5 examinations. Fixed balls (the paper's
/// walls) are sorted once (section 4).
template <std::size_t D, template <std::size_t> class Rules = CorrectedRules>
class FixedCubes {
 public:
  static constexpr MethodInfo info{
      .method = Method::fixed_cubes,
      .name = "fixed_cubes",
      .demcda_number = 0,
      .paper = "Lazarević, Dvornik, Fresl 2002",
      .time = "N",
      .memory = "8 per cube + 20 N * cubes per particle",
      .best_for = "similar sizes in a full silo with walls of fixed spheres",
  };

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    double cubes = 1;
    for (std::size_t k = 0; k < D; ++k)
      cubes *= PersistentGrid<D>::padded_cell_count(input.grid.cell_count_real(k)) + 2;
    if (cubes > static_cast<double>(std::numeric_limits<Index>::max()))
      return std::numeric_limits<double>::infinity();  // cube numbers are of type Index
    const double tables = input.fixed_count > 0 ? 2 : 1;
    return tables * CubeTable::bytes_per_cube * cubes +
           (CubeTable::bytes_per_membership * (1U << D) + sizeof(Index)) *
               (static_cast<double>(input.particles.size()) + 2) +
           2.0 * sizeof(double) * (D + 1) * input.fixed_count;
  }

  [[nodiscard]] std::size_t bytes() const {
    return walls_.bytes() + movable_.bytes() + sizeof(double) * wall_values_.size();
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = false;

  /// Algorithm 4: sorts the movable balls, and the walls if they are not sorted yet.
  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& /*pool*/, Counter& counter) {
    const bool new_cubes = update_grid(input);
    if (store_walls(input) || new_cubes) sort(input, 0, input.fixed_count, walls_, counter);
    sort(input, input.fixed_count, static_cast<Index>(input.particles.size()), movable_, counter);
  }

  /// Algorithm 5.
  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    driver.for_each_particle(
        input.particles.size() - input.fixed_count,
        [&](Index i, unsigned, auto& filter) { check(input, input.fixed_count + i, filter); });
  }

  /// The cubes that one ball overlaps and the number of examinations that found them. Bit S stands
  /// for the neighbor across the faces S of its octant, bit 0 for the central cube.
  struct CubeOverlap {
    unsigned cubes;
    unsigned examinations;
  };

  /// Algorithm 3 for a ball at these distances δ from the faces of its octant, in cube sizes: tests
  /// (12)–(14) in the order faces, edges, corner.
  static CubeOverlap find_overlaps(const std::array<double, D>& face_distance, double radius) {
    CubeOverlap overlap{.cubes = 1, .examinations = D};  // D of them have found the octant
    const auto reaches = [&](unsigned faces) {
      double squared = 0;
      for (std::size_t k = 0; k < D; ++k)
        if ((faces >> k & 1U) != 0) squared += face_distance[k] * face_distance[k];
      const bool inside = squared <= radius * radius;
      ++overlap.examinations;
      overlap.cubes |= static_cast<unsigned>(inside) << faces;
      return inside;
    };
    run_decision_tree(reaches);
    return overlap;
  }

  /// Largest number of balls in a cube, max b_k.
  [[nodiscard]] Index max_occupancy() const {
    return std::max(walls_.max_occupancy(), movable_.max_occupancy());
  }

 private:
  static constexpr unsigned octants = 1U << D;
  static constexpr unsigned x = 1;  // faces of the octant, as bits
  static constexpr unsigned y = 2;
  static constexpr unsigned z = 4;

  // Figure 4. An edge is tested only if the ball reaches both its faces, the corner only if it
  // reaches all three edges.
  template <class Reaches>
  static void run_decision_tree(const Reaches& reaches) {
    if constexpr (D == 3)
      reaches(x) ? test_after_face_x(reaches) : test_two_faces(reaches, y, z);
    else
      test_two_faces(reaches, x, y);
  }

  // Tests two faces and the edge between them.
  template <class Reaches>
  static void test_two_faces(const Reaches& reaches, unsigned one, unsigned other) {
    if (!reaches(one))
      reaches(other);
    else if (reaches(other))
      reaches(one | other);
  }

  template <class Reaches>
  static void test_after_face_x(const Reaches& reaches) {
    if (!reaches(y)) {
      if (reaches(z)) reaches(x | z);
      return;
    }
    const bool edge_xy = reaches(x | y);
    if (!reaches(z)) return;
    const bool edge_xz = reaches(x | z);
    const bool edge_yz = reaches(y | z);
    if (edge_xy && edge_xz && edge_yz) reaches(x | y | z);
  }

  // Cubes of at least the largest diameter, (6). Returns whether the grid has changed.
  bool update_grid(const SearchInput<D>& input) {
    const InflatedRadii<D> inflated(input.summary, input.predicate);
    if (!persistent_grid_.update(input.summary.center_box, 2 * inflated.max_radius(),
                                 input.max_cells_per_axis))
      return false;
    inflated_ = inflated;
    std::size_t cubes = 1;
    for (std::size_t k = 0; k < D; ++k) {
      stride_[k] = static_cast<std::ptrdiff_t>(cubes);
      cubes *= static_cast<std::size_t>(persistent_grid_.grid().cell_count(k)) + 2;
    }
    walls_.reshape(input.fixed_count > 0 ? cubes : 0);
    movable_.reshape(cubes);
    return true;
  }

  // Copies the fixed balls; returns whether any differs from the last update, so that they must be
  // sorted again.
  bool store_walls(const SearchInput<D>& input) {
    std::vector<double> values;
    const auto add = [&](std::span<const double> all) {
      values.insert(values.end(), all.begin(), all.begin() + input.fixed_count);
    };
    for (std::size_t k = 0; k < D; ++k) add(input.particles.coordinates(k));
    add(input.particles.radii());
    if (values == wall_values_) return false;
    wall_values_ = std::move(values);
    return true;
  }

  template <class Counter>
  void sort(const SearchInput<D>& input, Index first, Index last, CubeTable& table,
            Counter& counter) {
    table.begin(first, static_cast<std::size_t>(last - first), 1U << D);
    for (Index i = first; i < last; ++i) counter.add_examinations(insert(input, i, table));
    table.end();
  }

  // Section 3: finds central cube, octant and overlapped cubes. Returns the examinations.
  unsigned insert(const SearchInput<D>& input, Index i, CubeTable& table) const {
    const Grid<D>& grid = persistent_grid_.grid();
    const double inverse = 1 / grid.cell_size();
    std::ptrdiff_t central = 0;
    unsigned octant = 0;
    std::array<double, D> face_distance;
    for (std::size_t k = 0; k < D; ++k) {
      const double center = input.particles.coordinates(k)[i];
      const std::int32_t cube = grid.cell_coordinate(k, center);
      const double local = (center - grid.origin(k)) * inverse - (cube + 0.5);  // (10), in cubes
      octant |= static_cast<unsigned>(local >= 0) << k;                         // (9)
      face_distance[k] = 0.5 - std::abs(local);                                 // (11)
      central += (cube + 1) * stride_[k];
    }
    const double radius = Rules<D>::radius(inflated_, input.particles.radii()[i]) * inverse;
    const CubeOverlap overlap = find_overlaps(face_distance, radius);
    for (unsigned left = overlap.cubes; left != 0; left &= left - 1) {
      const auto faces = static_cast<unsigned>(std::countr_zero(left));
      table.add(i, static_cast<std::size_t>(central + offset_across(octant, faces)),
                lower_cubes(octant, faces, overlap.cubes));
    }
    return overlap.examinations;
  }

  // Number of the cube across these faces of the octant, minus that of the central cube.
  [[nodiscard]] std::ptrdiff_t offset_across(unsigned octant, unsigned faces) const {
    std::ptrdiff_t offset = 0;
    for (std::size_t k = 0; k < D; ++k)
      if ((faces >> k & 1U) != 0) offset += (octant >> k & 1U) != 0 ? stride_[k] : -stride_[k];
    return offset;
  }

  // Of the overlapped cubes, those numbered lower than the one across these faces, as bits for
  // their position relative to it. Two balls share a lower cube if they have a bit in common.
  static unsigned lower_cubes(unsigned octant, unsigned faces, unsigned overlapped) {
    unsigned lower = 0;
    for (; overlapped != 0; overlapped &= overlapped - 1)
      lower |= lower_cube_bit[octant][faces][static_cast<unsigned>(std::countr_zero(overlapped))];
    return lower;
  }

  using BitTable = std::array<std::array<std::array<std::uint16_t, octants>, octants>, octants>;
  static constexpr BitTable lower_cube_bit = [] {
    BitTable bits{};
    for (unsigned octant = 0; octant < octants; ++octant)
      for (unsigned from = 0; from < octants; ++from)
        for (unsigned to = 0; to < octants; ++to) {
          int position = 0;  // of `to` in the block of 3^D cubes with `from` in the middle
          int middle = 0;
          for (std::size_t k = D; k-- > 0;) {
            const int step = (octant >> k & 1U) != 0 ? 1 : -1;
            const int difference =
                static_cast<int>(to >> k & 1U) - static_cast<int>(from >> k & 1U);
            position = 3 * position + 1 + step * difference;
            middle = 3 * middle + 1;
          }
          bits[octant][from][to] =
              static_cast<std::uint16_t>(position < middle ? 1 << position : 0);
        }
    return bits;
  }();

  // Tests a movable ball against fixed balls and earlier movable balls in its cubes.
  template <class Filter>
  void check(const SearchInput<D>& input, Index i, Filter& filter) const {
    for (const Membership& own : movable_.cubes_of(i)) {
      const auto test = [&](const CubeMember& other) {
        if (Rules<D>::owns_pair(input, persistent_grid_.grid(), i, other.particle, own,
                                other.lower_cubes))
          filter(i, other.particle);
      };
      for (const CubeMember& other : movable_.before(own)) test(other);
      if (input.fixed_count > 0)
        for (const CubeMember& wall : walls_.particles_in(own.cube)) test(wall);
    }
  }

  PersistentGrid<D> persistent_grid_;
  InflatedRadii<D> inflated_;
  std::array<std::ptrdiff_t, D> stride_{};
  CubeTable walls_;
  CubeTable movable_;
  std::vector<double> wall_values_;

  friend struct FixedCubesTestAccess;  // lets tests compare the tables with the paper
};

}  // namespace abut
