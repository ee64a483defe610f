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

#include "broad/search_input.hpp"
#include "core/arrays.hpp"
#include "core/grid.hpp"
#include "core/inflated_radii.hpp"
#include "core/input_checks.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// One element of A: a cube that a ball meets.
struct Membership {
  Index cube;
  Index slot;                 ///< of the ball among those in the cube
  std::uint16_t lower_cubes;  ///< where from this cube the ball's lower-numbered cubes lie, as bits
};

/// One element of B: a ball that meets a cube.
struct CubeMember {
  Index particle;
  std::uint16_t lower_cubes;
};

/// Which balls meet which cubes, both ways: the vectors a and b and the matrices A and B of fixed
/// cubes. Rows are packed and grow with what they hold; cubes without balls are never visited.
class CubeTable {
 public:
  static constexpr std::size_t bytes_per_cube = 2 * sizeof(Index);
  static constexpr std::size_t bytes_per_membership = sizeof(Membership) + sizeof(CubeMember);

  /// Makes room for this many cubes and forgets all balls.
  void reshape(std::size_t cubes) {
    clear();
    (void)checked_cast<Index>(cubes);
    counts_.ensure_size(cubes);
    starts_.ensure_size(cubes);
  }

  /// Forgets all balls; `count` are to come, numbered from `first` without gaps, each with at most
  /// so many cubes. Room for all is set aside at once: growing would take twice as much.
  void begin(Index first, std::size_t count, std::size_t most_cubes) {
    clear();
    first_ = first;
    max_occupancy_ = 0;
    rows_.reserve(count + 1);
    cubes_.reserve(count * most_cubes);
    particles_.reserve(count * most_cubes);
  }

  /// Algorithm 2: ball and cube meet.
  void add(Index ball, std::size_t cube, unsigned lower) {
    while (rows_.size() <= ball - first_) rows_.push_back(checked_cast<Index>(cubes_.size()));
    Index& count = counts_[cube];
    cubes_.push_back({static_cast<Index>(cube), count, static_cast<std::uint16_t>(lower)});
    max_occupancy_ = std::max(max_occupancy_, ++count);
  }

  /// All balls are known: the rows of B can be laid out, in the order in which balls met them.
  void end() {
    rows_.push_back(checked_cast<Index>(cubes_.size()));
    particles_.resize(cubes_.size());
    Index used = 0;
    Index ball = first_;
    for (std::size_t at = 0; at < cubes_.size(); ++at) {
      while (at == rows_[ball + 1 - first_]) ++ball;
      const Membership& met = cubes_[at];
      if (met.slot == 0) {
        starts_[met.cube] = used;
        used += counts_[met.cube];
      }
      particles_[starts_[met.cube] + met.slot] = {ball, met.lower_cubes};
    }
  }

  [[nodiscard]] std::span<const Membership> cubes_of(Index ball) const {
    const Membership* all = cubes_.data();
    return {all + rows_[ball - first_], all + rows_[ball + 1 - first_]};
  }
  [[nodiscard]] std::span<const CubeMember> particles_in(std::size_t cube) const {
    return {particles_.data() + starts_[cube], counts_[cube]};
  }
  /// The balls of a cube that came before this member.
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
    for (const Membership& met : cubes_) counts_[met.cube] = starts_[met.cube] = 0;
    rows_.clear();
    cubes_.clear();
    particles_.clear();
  }

  Index first_ = 0;
  Index max_occupancy_ = 0;
  ZeroedArray<Index> counts_;          // b
  ZeroedArray<Index> starts_;          // of the rows of B
  std::vector<Index> rows_;            // of A: the row of a ball has a elements
  std::vector<Membership> cubes_;      // A
  std::vector<CubeMember> particles_;  // B
};

/// What the paper's letter loses is mended here, in one place, so that tests can put the letter
/// back and show what it loses.
template <std::size_t D>
struct CorrectedRules {
  /// In tests (12)–(14): enlarged by the margin and the rounding, where the paper has the bare one.
  static double radius(const InflatedRadii<D>& body, double bare) { return body.radius(bare); }

  /// Whether the pair is dealt with in this cube: in the lowest-numbered one both balls meet. The
  /// midpoint (23) may lie in a cube that the smaller ball does not meet.
  static bool owns_pair(const SearchInput<D>& /*task*/, const Grid<D>& /*grid*/, Index /*i*/,
                        Index /*m*/, const Membership& of_i, unsigned lower_of_m) {
    return (of_i.lower_cubes & lower_of_m) == 0;
  }
};

/// Fixed cubes: a ball is sorted into every cube it meets, the central one and up to 2^D − 1 of its
/// neighbours, found by a tree of 6 to 10 examinations; only balls that share a cube are compared.
///
/// D. Lazarević, J. Dvornik, K. Fresl, KoG 6 (2002) 29–40.
/// a → cube size, k₁ → the central cube, δ → gap_, Δ tests (12)–(14) → `cubes_met`, tables a, b, A,
/// B → CubeTable, n_w → Task::fixed, s → the order of the balls in a row of B. Time N for balls of
/// like size that fill the domain; memory 8 bytes a cube and 20 for each cube a ball meets.
///
/// Different from the paper: the tables grow, b_k ≤ 20 is no bound; a border of ghost cubes keeps
/// k₁ + 1 from wrapping into the next row; cubes are numbered from the floor, the paper's ceiling
/// puts x = 0 outside; radii are enlarged and pairs dealt with once by `CorrectedRules`; squares
/// are compared, not roots. In 2D the tree has 4 or 5 examinations. Walls are sorted once (section
/// 4).
template <std::size_t D, template <std::size_t> class Rules = CorrectedRules>
class FixedCubes {
 public:
  static constexpr MethodInfo info{
      .method = Method::fixed_cubes,
      .name = "fixed_cubes",
      .demcda_number = 0,
      .paper = "Lazarević, Dvornik, Fresl 2002",
      .time = "N",
      .memory = "8 bytes a cube + 20 N for each cube met",
      .best_for = "balls of like size in a full silo with a wall of fixed balls",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    double cubes = 1;
    for (std::size_t k = 0; k < D; ++k)
      cubes *= PersistentGrid<D>::padded_cell_count(task.grid.cell_count_real(k)) + 2;
    if (cubes > static_cast<double>(std::numeric_limits<Index>::max()))
      return std::numeric_limits<double>::infinity();  // they are numbered
    const double tables = task.fixed_count > 0 ? 2 : 1;
    return tables * CubeTable::bytes_per_cube * cubes +
           (CubeTable::bytes_per_membership * (1U << D) + sizeof(Index)) *
               (static_cast<double>(task.particles.size()) + 2) +
           2.0 * sizeof(double) * (D + 1) * task.fixed_count;
  }

  [[nodiscard]] std::size_t bytes() const {
    return walls_.bytes() + movable_.bytes() + sizeof(double) * wall_values_.size();
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = false;

  /// Algorithm 4: sorts the movable balls, and the walls if they are not sorted yet.
  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& /*pool*/, Counter& counter) {
    const bool new_cubes = update_grid(task);
    if (store_walls(task) || new_cubes) sort(task, 0, task.fixed_count, walls_, counter);
    sort(task, task.fixed_count, static_cast<Index>(task.particles.size()), movable_, counter);
  }

  /// Algorithm 5.
  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    sweep.for_each_particle(
        task.particles.size() - task.fixed_count,
        [&](Index i, unsigned, auto& judge) { check(task, task.fixed_count + i, judge); });
  }

  /// The cubes one ball meets, bit S for the neighbour across the faces S of its octant (bit 0 is
  /// the central cube), and the number of examinations that found them.
  struct CubeOverlap {
    unsigned cubes;
    unsigned examinations;
  };

  /// Algorithm 3 for a ball with these distances δ to the faces of its octant: tests (12)–(14) in
  /// the order faces → edges → corner.
  static CubeOverlap find_overlaps(const std::array<double, D>& gap, double radius) {
    CubeOverlap met{.cubes = 1, .examinations = D};  // D of them have found the octant
    const auto reaches = [&](unsigned faces) {
      double squared = 0;
      for (std::size_t k = 0; k < D; ++k)
        if ((faces >> k & 1U) != 0) squared += gap[k] * gap[k];
      const bool in = squared <= radius * radius;
      ++met.examinations;
      met.cubes |= static_cast<unsigned>(in) << faces;
      return in;
    };
    run_decision_tree(reaches);
    return met;
  }

  /// The number of balls in the fullest cube, max b_k.
  [[nodiscard]] Index max_occupancy() const {
    return std::max(walls_.max_occupancy(), movable_.max_occupancy());
  }

 private:
  static constexpr unsigned octants = 1U << D;
  static constexpr unsigned x = 1;  // faces of the octant, as bits
  static constexpr unsigned y = 2;
  static constexpr unsigned z = 4;

  // Figure 4. An edge is only worth a test if the ball reaches both its faces, the corner if it
  // reaches all three edges.
  template <class Reaches>
  static void run_decision_tree(const Reaches& reaches) {
    if constexpr (D == 3)
      reaches(x) ? test_after_face_x(reaches) : test_two_faces(reaches, y, z);
    else
      test_two_faces(reaches, x, y);
  }

  // Two faces and the edge between them.
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

  // Cubes of at least the largest diameter, (6). Returns whether they are new.
  bool update_grid(const SearchInput<D>& task) {
    const InflatedRadii<D> body(task.summary, task.predicate);
    if (!persistent_grid_.update(task.summary.center_box, 2 * body.max_radius())) return false;
    inflated_ = body;
    std::size_t cubes = 1;
    for (std::size_t k = 0; k < D; ++k) {
      stride_[k] = static_cast<std::ptrdiff_t>(cubes);
      cubes *= static_cast<std::size_t>(persistent_grid_.grid().cell_count(k)) + 2;
    }
    walls_.reshape(task.fixed_count > 0 ? cubes : 0);
    movable_.reshape(cubes);
    return true;
  }

  // Walls that have moved after all, or are others, are sorted again. Returns whether they must be.
  bool store_walls(const SearchInput<D>& task) {
    std::vector<double> values;
    const auto add = [&](std::span<const double> all) {
      values.insert(values.end(), all.begin(), all.begin() + task.fixed_count);
    };
    for (std::size_t k = 0; k < D; ++k) add(task.particles.coordinates(k));
    add(task.particles.radii());
    if (values == wall_values_) return false;
    wall_values_ = std::move(values);
    return true;
  }

  template <class Counter>
  void sort(const SearchInput<D>& task, Index first, Index last, CubeTable& table,
            Counter& counter) {
    table.begin(first, static_cast<std::size_t>(last - first), 1U << D);
    for (Index i = first; i < last; ++i) counter.add_examinations(insert(task, i, table));
    table.end();
  }

  // Section 3: the central cube, the octant, the cubes that are met. Returns the examinations.
  unsigned insert(const SearchInput<D>& task, Index i, CubeTable& table) const {
    const Grid<D>& grid = persistent_grid_.grid();
    const double inverse = 1 / grid.cell_size();
    std::ptrdiff_t centre = 0;
    unsigned octant = 0;
    std::array<double, D> gap;
    for (std::size_t k = 0; k < D; ++k) {
      const double at = task.particles.coordinates(k)[i];
      const std::int32_t cube = grid.cell_coordinate(k, at);
      const double local = (at - grid.origin(k)) * inverse - (cube + 0.5);  // (10), in cubes
      octant |= static_cast<unsigned>(local >= 0) << k;                     // (9)
      gap[k] = 0.5 - std::abs(local);                                       // (11)
      centre += (cube + 1) * stride_[k];
    }
    const double radius = Rules<D>::radius(inflated_, task.particles.radii()[i]) * inverse;
    const CubeOverlap met = find_overlaps(gap, radius);
    for (unsigned left = met.cubes; left != 0; left &= left - 1) {
      const auto faces = static_cast<unsigned>(std::countr_zero(left));
      table.add(i, static_cast<std::size_t>(centre + offset_across(octant, faces)),
                lower_cubes(octant, faces, met.cubes));
    }
    return met.examinations;
  }

  // From the central cube across these faces of the octant, in cube numbers.
  [[nodiscard]] std::ptrdiff_t offset_across(unsigned octant, unsigned faces) const {
    std::ptrdiff_t by = 0;
    for (std::size_t k = 0; k < D; ++k)
      if ((faces >> k & 1U) != 0) by += (octant >> k & 1U) != 0 ? stride_[k] : -stride_[k];
    return by;
  }

  // Of the cubes a ball meets, those numbered below the one across these faces, as bits that say
  // where they lie from there. Two balls share a lower cube if they have a bit in common.
  static unsigned lower_cubes(unsigned octant, unsigned faces, unsigned met) {
    unsigned lower = 0;
    for (; met != 0; met &= met - 1)
      lower |= lower_cube_bit[octant][faces][static_cast<unsigned>(std::countr_zero(met))];
    return lower;
  }

  using BitTable = std::array<std::array<std::array<std::uint16_t, octants>, octants>, octants>;
  static constexpr BitTable lower_cube_bit = [] {
    BitTable bits{};
    for (unsigned octant = 0; octant < octants; ++octant)
      for (unsigned from = 0; from < octants; ++from)
        for (unsigned to = 0; to < octants; ++to) {
          int place = 0;  // in the block of 3^D cubes around `from`, which is in its middle
          int middle = 0;
          for (std::size_t k = D; k-- > 0;) {
            const int step = (octant >> k & 1U) != 0 ? 1 : -1;
            const int apart = static_cast<int>(to >> k & 1U) - static_cast<int>(from >> k & 1U);
            place = 3 * place + 1 + step * apart;
            middle = 3 * middle + 1;
          }
          bits[octant][from][to] = static_cast<std::uint16_t>(place < middle ? 1 << place : 0);
        }
    return bits;
  }();

  // A movable ball against the walls, and the movable ones before it, in its cubes.
  template <class Judge>
  void check(const SearchInput<D>& task, Index i, Judge& judge) const {
    for (const Membership& own : movable_.cubes_of(i)) {
      const auto with = [&](const CubeMember& other) {
        if (Rules<D>::owns_pair(task, persistent_grid_.grid(), i, other.particle, own,
                                other.lower_cubes))
          judge(i, other.particle);
      };
      for (const CubeMember& other : movable_.before(own)) with(other);
      if (task.fixed_count > 0)
        for (const CubeMember& wall : walls_.particles_in(own.cube)) with(wall);
    }
  }

  PersistentGrid<D> persistent_grid_;
  InflatedRadii<D> inflated_;
  std::array<std::ptrdiff_t, D> stride_{};
  CubeTable walls_;
  CubeTable movable_;
  std::vector<double> wall_values_;

  friend struct FixedCubesTestAccess;  // lets the tests lay the tables beside the paper
};

}  // namespace abut
