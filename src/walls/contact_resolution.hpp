#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "walls/wall_body.hpp"

namespace abut {

/// Finds λ ≥ 0 with w = G λ − d ≥ 0 and λ·w = 0, for a square G of numbers that are not below 0,
/// with ones on the diagonal. There is always a solution, and Lemke's method finds one: it pivots
/// from the solution of an easier problem, in which everything is pushed by the same amount too
/// much, until that amount is 0.
///
/// C. E. Lemke, Management Science 11 (1965) 681–689.
class LcpSolver {
 public:
  /// G by rows. False if rounding kept it from arriving; the result is then all zeros.
  bool solve(std::span<const double> matrix, std::span<const double> depth,
             std::vector<double>& overlaps);

 private:
  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return tableau_[row * width_ + column];
  }
  [[nodiscard]] std::size_t leaving_row(std::size_t column);
  void pivot(std::size_t row, std::size_t column);

  std::size_t size_ = 0;
  std::size_t width_ = 0;  // w, then λ, then what is too much, then the right side
  std::vector<double> tableau_;
  std::vector<std::size_t> basis_;  // the variable of each row
};

/// Which of the facets of wall a particle reaches are its contacts, and how deep each is.
///
/// Let facet i be nearest at the point p_i, at distance s_i along the unit normal n_i, and let
/// d_i = R − s_i be how far it comes into the sphere of radius R. Moving the sphere by u takes it
/// out of facet i when n_i·u ≥ d_i. The shortest u that does this for all facets is the projection
/// of the center on a convex set; its conditions (Karush, Kuhn, Tucker) are
///
///     u = Σ λ_i n_i,   λ_i ≥ 0,   w_i = n_i·u − d_i ≥ 0,   λ_i w_i = 0.
///
/// Facets with λ_i > 0 are the contacts, λ_i is the overlap each is given. Two consequences make
/// this the right share: a projection on a convex set is continuous in the center, and u is the
/// gradient of ½|u|². So a force k·u has no jumps and does no work on a round trip, however a wall
/// is cut into facets. On a flat sheet the face below the center does it alone; at right angles
/// each wall gets its own overlap; where faces meet at a blunt angle they share.
///
/// Walls that face each other (n_i·n_j < 0: slots, sharp grooves) would need a long way out, or
/// have none. They are taken as independent instead. With G_ij = max(0, n_i·n_j) the problem is
///
///     w = G λ − d,   λ ≥ 0,   w ≥ 0,   λ·w = 0,
///
/// and each of two walls of a slot gets its own overlap.
///
/// An edge or vertex is a point, and n·u ≥ d asks more of a point than to be outside the sphere.
/// So one that lies on or behind the plane through p_i across n_i, for some face i or some contact
/// i, is hidden by it: whatever takes the sphere out of i takes it beyond that plane by R. Without
/// this rule a sphere whose center is nearly on a sheet would touch all edges around. Below half a
/// radius of overlap the rule changes hardly anything, but not nothing: where a face is touched and
/// does not push, an edge it shares is hidden all the same, and u is not exactly the shortest (6 of
/// 399 random spheres in soups of triangles; the shallowest, 6 % of R, was off by 5e-4 of 0.076).
/// Beyond that the share between faces that meet at a blunt angle may jump.
///
/// A margin adds contacts but changes none: the overlaps are those of the sphere itself, and a
/// facet that does not touch has the gap that is left when the others have pushed. Facets within
/// the margin are chosen as if the radius were larger by it.
template <std::size_t D>
class ContactResolution {
 public:
  struct Sphere {
    double radius;
    double contact_radius;  ///< the radius with its tolerance
    double cutoff;          ///< with the margin
    double rounding_error;  ///< how exact distances are
  };
  struct ResolvedContact {
    ClosestPoint<D> closest;
    double gap;
  };

  /// The contacts, ordered by wall. `touches` are put in order; it does not matter in which they
  /// come. The result lives until the next call.
  const std::vector<ResolvedContact>& resolve(std::vector<ClosestPoint<D>>& touches,
                                              const Sphere& sphere);

 private:
  struct ActiveContact {
    std::uint32_t index;
    double overlap;  // λ
  };

  static double coupling(const ClosestPoint<D>& a, const ClosestPoint<D>& b);

  [[nodiscard]] bool resolve_nearest_alone(std::span<const ClosestPoint<D>> touches,
                                           const Sphere& sphere);

  // The way out of touches in order, in pushes_.
  void minimum_translation(std::span<const ClosestPoint<D>> touches, double radius,
                           double rounding);
  [[nodiscard]] std::uint32_t most_violated(std::span<const ClosestPoint<D>> touches, double radius,
                                            double slack) const;
  [[nodiscard]] bool is_occluded(std::span<const ClosestPoint<D>> touches, std::uint32_t i,
                                 double slack) const;
  [[nodiscard]] bool update_overlaps(std::span<const ClosestPoint<D>> touches, double radius);
  void remove_inactive();
  [[nodiscard]] bool solve_active(std::span<const ClosestPoint<D>> touches, double radius);
  void solve_complementarity(std::span<const ClosestPoint<D>> touches, double radius);
  void relax_gauss_seidel();
  void collect_contacts(std::span<const ClosestPoint<D>> touches, const Sphere& sphere);
  void use_lowest_element(std::span<const ClosestPoint<D>> touches, ClosestPoint<D>& touch,
                          double slack) const;

  std::vector<ActiveContact> active_;
  std::vector<ActiveContact> overlapping_;
  std::vector<std::uint8_t> processed_;  // hidden, or among the pushes
  std::vector<double> trial_;
  std::vector<double> matrix_;
  std::vector<double> depth_;
  LcpSolver lcp_solver_;
  std::vector<ResolvedContact> contacts_;
};

extern template class ContactResolution<2>;
extern template class ContactResolution<3>;

}  // namespace abut
