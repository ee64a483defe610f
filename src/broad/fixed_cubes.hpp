#pragma once

#include <abut/method.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "broad/cube_table.hpp"
#include "broad/task.hpp"
#include "core/body.hpp"
#include "core/kept_grid.hpp"
#include "core/sweep.hpp"

namespace abut {

/// What the paper's letter loses is mended here, in one place, so that tests can put the letter
/// back and show what it loses.
template <std::size_t D>
struct MendedRules {
  /// In tests (12)–(14): enlarged by the margin and the rounding, where the paper has the bare one.
  static double radius(const Body<D>& body, double bare) { return body.radius(bare); }

  /// Whether the pair is dealt with in this cube: in the lowest-numbered one both balls meet. The
  /// midpoint (23) may lie in a cube that the smaller ball does not meet.
  static bool deals_with(const Task<D>& /*task*/, const Grid<D>& /*grid*/, Index /*i*/, Index /*m*/,
                         const Membership& of_i, unsigned lower_of_m) {
    return (of_i.lower & lower_of_m) == 0;
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
/// puts x = 0 outside; radii are enlarged and pairs dealt with once by `MendedRules`; squares are
/// compared, not roots. In 2D the tree has 4 or 5 examinations. Walls are sorted once (section 4).
template <std::size_t D, template <std::size_t> class Rules = MendedRules>
class FixedCubes {
 public:
  static constexpr MethodInfo info{
      .method = Method::fixed_cubes,
      .name = "fixed_cubes",
      .number = 0,
      .paper = "Lazarević, Dvornik, Fresl 2002",
      .time = "N",
      .memory = "8 bytes a cube + 20 N for each cube met",
      .use = "balls of like size in a full silo with a wall of fixed balls",
  };

  static double bytes_needed(const Task<D>& task, unsigned /*threads*/) {
    double cubes = 1;
    for (std::size_t k = 0; k < D; ++k)
      cubes *= KeptGrid<D>::cells_along(task.grid.real_cells(k)) + 2;
    if (cubes > static_cast<double>(std::numeric_limits<Index>::max()))
      return std::numeric_limits<double>::infinity();  // they are numbered
    const double tables = task.fixed > 0 ? 2 : 1;
    return tables * CubeTable::bytes_per_cube * cubes +
           (CubeTable::bytes_per_membership * (1U << D) + sizeof(Index)) *
               (static_cast<double>(task.particles.size()) + 2) +
           2.0 * sizeof(double) * (D + 1) * task.fixed;
  }

  [[nodiscard]] std::size_t bytes() const {
    return walls_.bytes() + movable_.bytes() + sizeof(double) * wall_values_.size();
  }

  static constexpr bool lasting = true;
  static constexpr bool any_extent = false;

  /// Algorithm 4: sorts the movable balls, and the walls if they are not sorted yet.
  template <class Counter>
  void prepare(const Task<D>& task, ThreadPool& /*pool*/, Counter& counter) {
    const bool new_cubes = lay_out(task);
    if (keep_values_of_walls(task) || new_cubes) sort(task, 0, task.fixed, walls_, counter);
    sort(task, task.fixed, static_cast<Index>(task.particles.size()), movable_, counter);
  }

  /// Algorithm 5.
  template <class Sweep>
  void search(const Task<D>& task, Sweep& sweep) {
    sweep.each(task.particles.size() - task.fixed,
               [&](Index i, unsigned, auto& judge) { check(task, task.fixed + i, judge); });
  }

  /// The cubes one ball meets, bit S for the neighbour across the faces S of its octant (bit 0 is
  /// the central cube), and the number of examinations that found them.
  struct Met {
    unsigned cubes;
    unsigned examinations;
  };

  /// Algorithm 3 for a ball with these distances δ to the faces of its octant: tests (12)–(14) in
  /// the order faces → edges → corner.
  static Met cubes_met(const std::array<double, D>& gap, double radius) {
    Met met{.cubes = 1, .examinations = D};  // D of them have found the octant
    const auto reaches = [&](unsigned faces) {
      double squared = 0;
      for (std::size_t k = 0; k < D; ++k)
        if ((faces >> k & 1U) != 0) squared += gap[k] * gap[k];
      const bool in = squared <= radius * radius;
      ++met.examinations;
      met.cubes |= static_cast<unsigned>(in) << faces;
      return in;
    };
    search_tree(reaches);
    return met;
  }

  /// The number of balls in the fullest cube, max b_k.
  [[nodiscard]] Index fullest() const { return std::max(walls_.fullest(), movable_.fullest()); }

 private:
  static constexpr unsigned octants = 1U << D;
  static constexpr unsigned x = 1;  // faces of the octant, as bits
  static constexpr unsigned y = 2;
  static constexpr unsigned z = 4;

  // Figure 4. An edge is only worth a test if the ball reaches both its faces, the corner if it
  // reaches all three edges.
  template <class Reaches>
  static void search_tree(const Reaches& reaches) {
    if constexpr (D == 3)
      reaches(x) ? after_face_x(reaches) : search_side(reaches, y, z);
    else
      search_side(reaches, x, y);
  }

  // Two faces and the edge between them.
  template <class Reaches>
  static void search_side(const Reaches& reaches, unsigned one, unsigned other) {
    if (!reaches(one))
      reaches(other);
    else if (reaches(other))
      reaches(one | other);
  }

  template <class Reaches>
  static void after_face_x(const Reaches& reaches) {
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
  bool lay_out(const Task<D>& task) {
    const Body<D> body(task.survey, task.reach);
    if (!kept_.cover(task.survey.box, 2 * body.largest())) return false;
    body_ = body;
    std::size_t cubes = 1;
    for (std::size_t k = 0; k < D; ++k) {
      stride_[k] = static_cast<std::ptrdiff_t>(cubes);
      cubes *= static_cast<std::size_t>(kept_.grid().cells(k)) + 2;
    }
    walls_.reshape(task.fixed > 0 ? cubes : 0);
    movable_.reshape(cubes);
    return true;
  }

  // Walls that have moved after all, or are others, are sorted again. Returns whether they must be.
  bool keep_values_of_walls(const Task<D>& task) {
    std::vector<double> values;
    const auto add = [&](std::span<const double> all) {
      values.insert(values.end(), all.begin(), all.begin() + task.fixed);
    };
    for (std::size_t k = 0; k < D; ++k) add(task.particles.axis(k));
    add(task.particles.radius());
    if (values == wall_values_) return false;
    wall_values_ = std::move(values);
    return true;
  }

  template <class Counter>
  void sort(const Task<D>& task, Index first, Index last, CubeTable& table, Counter& counter) {
    table.begin(first, static_cast<std::size_t>(last - first), 1U << D);
    for (Index i = first; i < last; ++i) counter.examinations(place(task, i, table));
    table.end();
  }

  // Section 3: the central cube, the octant, the cubes that are met. Returns the examinations.
  unsigned place(const Task<D>& task, Index i, CubeTable& table) const {
    const Grid<D>& grid = kept_.grid();
    const double inverse = 1 / grid.cell_size();
    std::ptrdiff_t centre = 0;
    unsigned octant = 0;
    std::array<double, D> gap;
    for (std::size_t k = 0; k < D; ++k) {
      const double at = task.particles.axis(k)[i];
      const std::int32_t cube = grid.along(k, at);
      const double local = (at - grid.origin(k)) * inverse - (cube + 0.5);  // (10), in cubes
      octant |= static_cast<unsigned>(local >= 0) << k;                     // (9)
      gap[k] = 0.5 - std::abs(local);                                       // (11)
      centre += (cube + 1) * stride_[k];
    }
    const double radius = Rules<D>::radius(body_, task.particles.radius()[i]) * inverse;
    const Met met = cubes_met(gap, radius);
    for (unsigned left = met.cubes; left != 0; left &= left - 1) {
      const auto faces = static_cast<unsigned>(std::countr_zero(left));
      table.add(i, static_cast<std::size_t>(centre + across(octant, faces)),
                lower_cubes(octant, faces, met.cubes));
    }
    return met.examinations;
  }

  // From the central cube across these faces of the octant, in cube numbers.
  [[nodiscard]] std::ptrdiff_t across(unsigned octant, unsigned faces) const {
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
      lower |= bit_of_lower[octant][faces][static_cast<unsigned>(std::countr_zero(met))];
    return lower;
  }

  using BitTable = std::array<std::array<std::array<std::uint16_t, octants>, octants>, octants>;
  static constexpr BitTable bit_of_lower = [] {
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
  void check(const Task<D>& task, Index i, Judge& judge) const {
    for (const Membership& own : movable_.cubes_of(i)) {
      const auto with = [&](const CubeMember& other) {
        if (Rules<D>::deals_with(task, kept_.grid(), i, other.ball, own, other.lower))
          judge(i, other.ball);
      };
      for (const CubeMember& other : movable_.before(own)) with(other);
      if (task.fixed > 0)
        for (const CubeMember& wall : walls_.balls_in(own.cube)) with(wall);
    }
  }

  KeptGrid<D> kept_;
  Body<D> body_;
  std::array<std::ptrdiff_t, D> stride_{};
  CubeTable walls_;
  CubeTable movable_;
  std::vector<double> wall_values_;

  friend struct CubesInside;  // lets the tests lay the tables beside the paper
};

}  // namespace abut
