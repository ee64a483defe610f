#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "walls/mesh_body.hpp"
#include "walls/mesh_check.hpp"
#include "walls/shape_bodies.hpp"
#include "walls/wall_search.hpp"

namespace abut {
namespace {

template <std::size_t D>
std::vector<bool> omitted_facets(const Mesh<D>& mesh) {
  std::vector<bool> out = find_duplicates<D>(welded_facets(mesh));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (is_degenerate<D>(MeshBody<D>::facet_vertices(mesh, i))) out[i] = true;
  return out;
}

template <std::size_t D>
void check(const Plane<D>& plane) {
  check_point(plane.point, "the point of a plane");
  check_point(plane.normal, "the normal of a plane");
  if (max_abs(plane.normal) == 0) throw Error("the normal of a plane has length 0");
}

void check_radius(double radius, const char* what) {
  if (!(radius >= 0 && radius <= max_length))
    throw Error(message(what, " = ", radius, "; it must be a number from 0 to 1e150"));
}

void check(const Frustum& shell) {
  check_point(shell.from, "the axis of a shell, at its first end,");
  check_point(shell.to, "the axis of a shell, at its second end,");
  check_radius(shell.from_radius, "the first radius of a shell");
  check_radius(shell.to_radius, "the second radius of a shell");
  if (max_abs(difference(shell.to, shell.from)) < min_length)
    throw Error("the axis of a shell has length 0; a flat one is a ring");
  if (shell.from_radius == 0 && shell.to_radius == 0)
    throw Error("both radii of a shell are 0; it has no surface");
}

void check(const Annulus& ring) {
  check_point(ring.center, "the center of a ring");
  check_point(ring.normal, "the normal of a ring");
  check_radius(ring.outer_radius, "the outer radius of a ring");
  check_radius(ring.inner_radius, "the inner radius of a ring");
  if (max_abs(ring.normal) == 0) throw Error("the normal of a ring has length 0");
  if (!(ring.outer_radius - ring.inner_radius >= min_length))
    throw Error(message("a ring has inner radius ", ring.inner_radius, " and outer radius ",
                        ring.outer_radius, "; the outer one must be larger"));
}

template <std::size_t D>
void check(const WallOptions<D>& options) {
  check_options(DetectorOptions<D>{.margin = options.margin,
                                   .tolerance = options.tolerance,
                                   .domain = options.domain,
                                   .threads = options.threads});
}

template <std::size_t D>
bool is_near(const Box<D>& box, const Point<D>& point, double distance) {
  for (std::size_t k = 0; k < D; ++k)
    if (point[k] < box.min[k] - distance || point[k] > box.max[k] + distance) return false;
  return true;
}

template <std::size_t D>
void check(const RigidTransform<D>& where) {
  check_point(where.translation, "the shift of a body");
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double product = dot(where.rotation[i], where.rotation[j]);
      if (!(std::abs(product - (i == j ? 1 : 0)) <= 1e-9))
        throw Error(message("the rows ", j, " and ", i, " of a rotation have the product ", product,
                            "; it must be ", i == j ? 1 : 0));
    }
  double volume = 0;
  if constexpr (D == 3)
    volume = dot(where.rotation[0], cross(where.rotation[1], where.rotation[2]));
  else
    volume = dot(perpendicular(where.rotation[0]), where.rotation[1]);
  if (volume < 0) throw Error("a rotation has the determinant -1; it must not mirror");
}

}  // namespace

template <std::size_t D>
class Walls<D>::State {
 public:
  static constexpr std::size_t dimension = D;

  template <class Body>
  std::size_t add(std::unique_ptr<Body> body, std::size_t numbers) {
    constexpr std::size_t most = 1U << 31U;
    if (numbers + element_count_ >= most)
      throw Error(
          message(numbers + element_count_, " facets of wall: at most 2147483647 have a number"));
    bodies_.push_back(PlacedBody<D>{std::move(body), {}, false});
    element_count_ += static_cast<Index>(numbers);
    return bodies_.size() - 1;
  }

  void set_transform(std::size_t body, const RigidTransform<D>& where) {
    if (body >= bodies_.size())
      throw Error(message("body ", body, ": there are ", bodies_.size(), ", numbered from 0"));
    check(where);
    bodies_[body].transform = where;
    const RigidTransform<D> given;
    bodies_[body].is_moved =
        where.rotation != given.rotation || where.translation != given.translation;
  }

  void contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                WallSearchDriver<D>& sweep, std::vector<WallContact<D>>& found) const {
    found.clear();
    check(options);
    const WallSearch<D> search(bodies_, particles, options);
    sweep.run(search, particles.size(), options.threads, found);
  }

  /// The memory of a search, for the next.
  WallSearchDriver<D>& driver() { return driver_; }

  [[nodiscard]] double overlap(const Point<D>& center, double radius) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const PlacedBody<D>& body : bodies_)
      nearest = std::min(
          nearest,
          body.body->distance(body.is_moved ? to_body_frame(body.transform, center) : center));
    return radius - nearest;
  }

  [[nodiscard]] double overlap(const Point<D>& center, double radius,
                               const WallOptions<D>& options) const {
    const PeriodicShifts<D> images(options);
    Point<D> home;
    for (std::size_t k = 0; k < D; ++k) home[k] = images.wrap(k, center[k]);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const PlacedBody<D>& body = bodies_[i];
      if (body.body->facet_count() == 0) continue;
      const Box<D> box = body.body->bounding_box(body.transform);
      for (const Point<D>& shift : images.shifts(body, radius, i)) {
        const Point<D> from = sum(home, shift);
        if (!is_near(box, from, radius)) continue;  // of many images few are
        nearest = std::min(
            nearest,
            body.body->distance(body.is_moved ? to_body_frame(body.transform, from) : from));
      }
    }
    return radius - nearest;
  }

  [[nodiscard]] Index element_count() const { return element_count_; }

 private:
  std::vector<PlacedBody<D>> bodies_;
  Index element_count_ = 0;
  WallSearchDriver<D> driver_;
};

template <std::size_t D>
Walls<D>::Walls() : state_(std::make_unique<State>()) {}
template <std::size_t D>
Walls<D>::~Walls() = default;
template <std::size_t D>
Walls<D>::Walls(Walls&&) noexcept = default;
template <std::size_t D>
Walls<D>& Walls<D>::operator=(Walls&&) noexcept = default;

template <std::size_t D>
std::size_t Walls<D>::add(const Mesh<D>& mesh) {
  check(mesh);
  return state_->add(std::make_unique<MeshBody<D>>(mesh, element_count(), omitted_facets(mesh)),
                     mesh.facets.size());
}

template <std::size_t D>
std::size_t Walls<D>::add(const Plane<D>& plane) {
  check(plane);
  return state_->add(std::make_unique<PlaneBody<D>>(plane, element_count()), 1);
}

namespace {

// Clang 14 instantiates what `requires` excludes, so there must be something to instantiate.
template <class State, class Shape>
std::size_t add_shape_3d(State& state, const Shape& shape) {
  check(shape);
  if constexpr (State::dimension == 3)
    return state.add(std::make_unique<FrustumBody>(shape, state.element_count()), 1);
  else
    throw Error("surfaces of revolution are walls of space");
}

}  // namespace

template <std::size_t D>
std::size_t Walls<D>::add(const Frustum& shell) requires(D == 3) {
  return add_shape_3d(*state_, shell);
}

template <std::size_t D>
std::size_t Walls<D>::add(const Annulus& ring) requires(D == 3) {
  return add_shape_3d(*state_, ring);
}

template <std::size_t D>
void Walls<D>::set_transform(std::size_t body, const RigidTransform<D>& where) {
  state_->set_transform(body, where);
}

template <std::size_t D>
std::vector<WallContact<D>> Walls<D>::contacts(const Spheres<D>& particles,
                                               const WallOptions<D>& options) const {
  std::vector<WallContact<D>> found;
  WallSearchDriver<D> sweep;
  std::as_const(*state_).contacts(particles, options, sweep, found);
  return found;
}

template <std::size_t D>
void Walls<D>::contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                        std::vector<WallContact<D>>& found) {
  state_->contacts(particles, options, state_->driver(), found);
}

template <std::size_t D>
double Walls<D>::overlap(const Point<D>& center, double radius) const {
  check_point(center, "the center of a sphere");
  return state_->overlap(center, radius);
}

template <std::size_t D>
double Walls<D>::overlap(const Point<D>& center, double radius,
                         const WallOptions<D>& options) const {
  check_point(center, "the center of a sphere");
  check(options);
  return state_->overlap(center, radius, options);
}

template <std::size_t D>
Index Walls<D>::element_count() const {
  return state_->element_count();
}

template class Walls<2>;
template class Walls<3>;

}  // namespace abut
