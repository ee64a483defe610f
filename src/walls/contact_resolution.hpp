#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "walls/wall_body.hpp"

namespace abut {

/// Linear complementarity problem: finds λ ≥ 0 with w = G λ − d ≥ 0 and λ·w = 0, for a square
/// matrix G ≥ 0 with unit diagonal. A solution always exists, and Lemke's method finds one:
/// starting from the relaxed problem w = G λ − d + z with a scalar z large enough for λ = 0, it
/// pivots until z = 0.
///
/// C. E. Lemke, Management Science 11 (1965) 681–689.
class LcpSolver {
 public:
  /// G by rows; `overlaps` is λ. False if rounding errors prevented convergence; λ is then zero.
  bool solve(std::span<const double> matrix, std::span<const double> depth,
             std::vector<double>& overlaps);

 private:
  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return tableau_[row * width_ + column];
  }
  [[nodiscard]] std::size_t leaving_row(std::size_t column);
  void pivot(std::size_t row, std::size_t column);

  std::size_t size_ = 0;
  std::size_t width_ = 0;  // columns: w, λ, z, right-hand side
  std::vector<double> tableau_;
  std::vector<std::size_t> basis_;  // the basic variable of each row
};

/// Determines which of the wall elements near a particle are its contacts, and their overlaps.
///
/// Let p_i be the closest point of facet i, at distance s_i along the unit normal n_i, and let
/// d_i = R − s_i be its penetration into the sphere of radius R. A displacement u of the sphere
/// separates it from facet i if n_i·u ≥ d_i. The minimum translation, that is the shortest u that
/// separates the sphere from all facets, is the projection of the center onto a convex set. Its
/// Karush–Kuhn–Tucker conditions are
///
///     u = Σ λ_i n_i,   λ_i ≥ 0,   w_i = n_i·u − d_i ≥ 0,   λ_i w_i = 0.
///
/// Facets with λ_i > 0 are the contacts, and λ_i is the overlap assigned to each. The projection
/// onto a convex set is continuous in the center, and u is the gradient of ½|u|². Hence a force k·u
/// is continuous and does no work on a closed path, regardless of the tessellation of the wall. On
/// a flat surface only the face below the center is a contact; at right angles each wall gets its
/// own overlap; faces that meet at an obtuse angle share it.
///
/// For opposing walls (n_i·n_j < 0: slots, sharp grooves) the minimum translation is long or does
/// not exist. They are treated as independent instead: with G_ij = max(0, n_i·n_j) the problem is
///
///     w = G λ − d,   λ ≥ 0,   w ≥ 0,   λ·w = 0,
///
/// and each wall of a slot gets its own overlap.
///
/// For an edge or vertex the condition n·u ≥ d is stricter than necessary: its closest point only
/// has to be outside the sphere. Therefore an edge or vertex that lies on or behind the plane
/// through p_i normal to n_i, for a face i or a contact i, is occluded: any displacement that
/// separates the sphere from i moves it beyond that plane. Without this rule, a sphere whose center
/// is almost on a flat surface would touch all edges around it.
///
/// Limitations: for overlaps below R/2 occlusion rarely changes u. It does where a face is touched
/// without being a contact and occludes an edge that it shares with another face. Then u is not
/// exactly the minimum translation (6 of 399 random spheres in triangle soups; the shallowest, with
/// an overlap of 6 % of R, was off by 5e-4 of 0.076). For larger overlaps the share between faces
/// that meet at an obtuse angle may be discontinuous.
///
/// A margin adds contacts but does not change the others: the overlaps are those of the sphere
/// itself, and a facet that is not touched gets the gap that remains after the minimum translation.
/// Facets within the margin are selected as if the radius were larger by the margin.
template <std::size_t D>
class ContactResolution {
 public:
  struct Sphere {
    double radius;
    double contact_radius;  ///< radius · (1 + tolerance)
    double cutoff;          ///< contact_radius + margin
    double rounding_error;  ///< absolute error of distances
  };
  struct ResolvedContact {
    ClosestPoint<D> closest;
    double gap;  ///< negative for overlap
  };

  /// The contacts, ordered by element. `points` are the closest points of all facets within the
  /// cutoff, in any order; they may be reordered. The result is valid until the next call.
  const std::vector<ResolvedContact>& resolve(std::vector<ClosestPoint<D>>& points,
                                              const Sphere& sphere);

 private:
  struct ActiveContact {
    std::uint32_t index;  // in the list of closest points
    double overlap;       // λ
  };

  // G_ij = max(0, n_i·n_j)
  static double coupling(const ClosestPoint<D>& a, const ClosestPoint<D>& b);

  [[nodiscard]] bool resolve_nearest_alone(std::span<const ClosestPoint<D>> points,
                                           const Sphere& sphere);

  // Solves for the overlaps of `points`, which are sorted by distance; the result is in active_.
  void minimum_translation(std::span<const ClosestPoint<D>> points, double radius, double rounding);
  [[nodiscard]] std::uint32_t most_violated(std::span<const ClosestPoint<D>> points, double radius,
                                            double slack) const;
  [[nodiscard]] bool is_occluded(std::span<const ClosestPoint<D>> points, std::uint32_t i,
                                 double slack) const;
  [[nodiscard]] bool update_overlaps(std::span<const ClosestPoint<D>> points, double radius);
  void remove_inactive();
  [[nodiscard]] bool solve_active(std::span<const ClosestPoint<D>> points, double radius);
  void solve_complementarity(std::span<const ClosestPoint<D>> points, double radius);
  void relax_gauss_seidel();
  void collect_contacts(std::span<const ClosestPoint<D>> points, const Sphere& sphere);
  void use_lowest_element(std::span<const ClosestPoint<D>> points, ClosestPoint<D>& closest,
                          double slack) const;

  std::vector<ActiveContact> active_;
  std::vector<ActiveContact> overlapping_;  // the solution without the margin
  std::vector<std::uint8_t> processed_;     // by point: occluded, or in active_
  std::vector<double> trial_;
  std::vector<double> matrix_;
  std::vector<double> depth_;
  LcpSolver lcp_solver_;
  std::vector<ResolvedContact> contacts_;
};

extern template class ContactResolution<2>;
extern template class ContactResolution<3>;

}  // namespace abut
