#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "walls/complementarity.hpp"
#include "walls/touch.hpp"

namespace abut {

/// Which of the pieces of wall a particle reaches are its contacts, and how deep each is.
///
/// Let piece i be nearest at the point p_i, at distance s_i along the unit normal n_i, and let
/// d_i = R − s_i be how far it comes into the sphere of radius R. Moving the sphere by u takes it
/// out of piece i when n_i·u ≥ d_i. The shortest u that does this for all pieces is the projection
/// of the centre on a convex set; its conditions (Karush, Kuhn, Tucker) are
///
///     u = Σ λ_i n_i,   λ_i ≥ 0,   w_i = n_i·u − d_i ≥ 0,   λ_i w_i = 0.
///
/// Pieces with λ_i > 0 are the contacts, λ_i is the overlap each is given. Two consequences make
/// this the right share: a projection on a convex set is continuous in the centre, and u is the
/// gradient of ½|u|². So a force k·u has no jumps and does no work on a round trip, however a wall
/// is cut into pieces. On a flat sheet the face below the centre does it alone; at right angles
/// each wall gets its own overlap; where faces meet at a blunt angle they share.
///
/// Walls that face each other (n_i·n_j < 0: slots, sharp grooves) would need a long way out, or
/// have none. They are taken as independent instead. With G_ij = max(0, n_i·n_j) the problem is
///
///     w = G λ − d,   λ ≥ 0,   w ≥ 0,   λ·w = 0,
///
/// and each of two walls of a slot gets its own overlap.
///
/// An edge or corner is a point, and n·u ≥ d asks more of a point than to be outside the sphere.
/// So one that lies on or behind the plane through p_i across n_i, for some face i or some contact
/// i, is hidden by it: whatever takes the sphere out of i takes it beyond that plane by R. Without
/// this rule a sphere whose centre is nearly on a sheet would touch all edges around. Below half a
/// radius of overlap the rule changes hardly anything, but not nothing: where a face is touched and
/// does not push, an edge it shares is hidden all the same, and u is not exactly the shortest (6 of
/// 399 random spheres in soups of triangles; the shallowest, 6 % of R, was off by 5e-4 of 0.076).
/// Beyond that the share between faces that meet at a blunt angle may jump.
///
/// A margin adds contacts but changes none: the overlaps are those of the sphere itself, and a
/// piece that does not touch has the gap that is left when the others have pushed. Pieces within
/// the margin are chosen as if the radius were larger by it.
template <std::size_t D>
class Resolution {
 public:
  struct Sphere {
    double radius;
    double touching;  ///< the radius with its tolerance
    double reach;     ///< with the margin
    double rounding;  ///< how exact distances are
  };
  struct Found {
    Touch<D> touch;
    double gap;
  };

  /// The contacts, ordered by wall. `touches` are put in order; it does not matter in which they
  /// come. The result lives until the next call.
  const std::vector<Found>& of(std::vector<Touch<D>>& touches, const Sphere& sphere);

 private:
  struct Push {
    std::uint32_t touch;
    double overlap;  // λ
  };

  static double facing(const Touch<D>& a, const Touch<D>& b);

  [[nodiscard]] bool nearest_alone(std::span<const Touch<D>> touches, const Sphere& sphere);

  // The way out of touches in order, in pushes_.
  void way_out(std::span<const Touch<D>> touches, double radius, double rounding);
  [[nodiscard]] std::uint32_t most_violated(std::span<const Touch<D>> touches, double radius,
                                            double slack) const;
  [[nodiscard]] bool hidden(std::span<const Touch<D>> touches, std::uint32_t i, double slack) const;
  [[nodiscard]] bool share(std::span<const Touch<D>> touches, double radius);
  void drop_idle();
  [[nodiscard]] bool solve(std::span<const Touch<D>> touches, double radius);
  void share_among_opposed(std::span<const Touch<D>> touches, double radius);
  void relax();
  void report(std::span<const Touch<D>> touches, const Sphere& sphere);
  void name_lowest(std::span<const Touch<D>> touches, Touch<D>& touch, double slack) const;

  std::vector<Push> pushes_;
  std::vector<Push> touching_;
  std::vector<std::uint8_t> done_;  // hidden, or among the pushes
  std::vector<double> trial_;
  std::vector<double> matrix_;
  std::vector<double> depth_;
  Complementarity complementarity_;
  std::vector<Found> found_;
};

extern template class Resolution<2>;
extern template class Resolution<3>;

}  // namespace abut
