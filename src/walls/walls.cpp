#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>

#include "core/buffers.hpp"
#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "walls/mesh_body.hpp"
#include "walls/mesh_check.hpp"
#include "walls/shape_bodies.hpp"
#include "walls/wall_search.hpp"

namespace abut {
namespace {

// Degenerate and duplicate facets.
template <std::size_t D>
std::vector<bool> omitted_facets(const Mesh<D>& mesh) {
  std::vector<bool> omitted = find_duplicates<D>(welded(mesh, 0).facets);
  for (std::size_t i = 0; i < omitted.size(); ++i)
    if (is_degenerate<D>(MeshBody<D>::facet_vertices(mesh, i))) omitted[i] = true;
  return omitted;
}

template <std::size_t D>
void check(const Plane<D>& plane) {
  check_point(plane.point, "plane: point");
  check_point(plane.normal, "plane: normal");
  if (max_abs(plane.normal) == 0) throw Error("plane: normal has zero length");
}

void check_radius(double radius, const char* name) {
  if (!(radius >= 0 && radius <= max_length))
    throw Error(ErrorCode::invalid_argument, {.key = name, .value = message(radius)},
                "must be a number from 0 to 1e150");
}

void check(const Frustum& frustum) {
  check_point(frustum.from, "frustum: from");
  check_point(frustum.to, "frustum: to");
  check_radius(frustum.from_radius, "frustum: from_radius");
  check_radius(frustum.to_radius, "frustum: to_radius");
  if (max_abs(difference(frustum.to, frustum.from)) < min_length)
    throw Error("frustum: axis has zero length; use an annulus for a flat ring");
  if (frustum.from_radius == 0 && frustum.to_radius == 0)
    throw Error("frustum: from_radius and to_radius are 0: one must be positive");
}

void check(const Annulus& annulus) {
  check_point(annulus.center, "annulus: center");
  check_point(annulus.normal, "annulus: normal");
  check_radius(annulus.outer_radius, "annulus: outer_radius");
  check_radius(annulus.inner_radius, "annulus: inner_radius");
  if (max_abs(annulus.normal) == 0) throw Error("annulus: normal has zero length");
  if (!(annulus.outer_radius - annulus.inner_radius >= min_length))
    throw Error(ErrorCode::invalid_argument,
                {.key = "annulus: outer_radius", .value = message(annulus.outer_radius)},
                message("must be larger than inner_radius = ", annulus.inner_radius));
}

template <std::size_t D>
void check(const WallOptions<D>& options) {
  check_options(DetectorOptions<D>{.margin = options.margin,
                                   .tolerance = options.tolerance,
                                   .domain = options.domain,
                                   .threads = options.threads});
}

template <std::size_t D>
void check(const RigidTransform<D>& transform) {
  check_point(transform.translation, "transform: translation");
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double product = dot(transform.rotation[i], transform.rotation[j]);
      if (!(std::abs(product - (i == j ? 1 : 0)) <= 1e-9))
        throw Error(message("transform: rotation is not orthogonal: the product of rows ", j,
                            " and ", i, " is ", product, ": must be ", i == j ? 1 : 0));
    }
  double determinant = 0;
  if constexpr (D == 3)
    determinant = dot(transform.rotation[0], cross(transform.rotation[1], transform.rotation[2]));
  else
    determinant = dot(perpendicular(transform.rotation[0]), transform.rotation[1]);
  if (determinant < 0) throw Error("transform: rotation has determinant -1: must not be a mirror");
}

template <std::size_t D>
bool is_near(const Box<D>& box, const Point<D>& point, double distance) {
  for (std::size_t k = 0; k < D; ++k)
    if (point[k] < box.min[k] - distance || point[k] > box.max[k] + distance) return false;
  return true;
}

}  // namespace

template <std::size_t D>
class Walls<D>::State {
 public:
  static constexpr std::size_t dimension = D;

  template <class Body>
  WallId add(std::unique_ptr<Body> body, std::size_t elements) {
    constexpr std::size_t limit = 1U << 31U;
    if (elements + element_count_ >= limit)
      throw Error(message(elements + element_count_, " wall elements: must be at most 2147483647"));
    bodies_.push_back(PlacedBody<D>{std::move(body), {}, false});
    element_count_ += static_cast<Index>(elements);
    element_ends_.push_back(element_count_);
    return WallId(bodies_.size() - 1);
  }

  void set_transform(WallId wall, const RigidTransform<D>& transform) {
    if (wall.value() >= bodies_.size())
      throw Error(message("wall ", wall.value(), " does not exist; there are ", bodies_.size(),
                          " walls, numbered from 0"),
                  ErrorCode::out_of_range);
    check(transform);
    PlacedBody<D>& body = bodies_[wall.value()];
    body.transform = transform;
    const RigidTransform<D> identity;
    body.is_moved =
        transform.rotation != identity.rotation || transform.translation != identity.translation;
  }

  void contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                WallSearchDriver<D>& driver, std::vector<WallContact<D>>& found) const {
    found.clear();
    check(options);
    ContiguousSpheres<D> gathered;
    const Spheres<D> contiguous = gathered.view(particles);
    const WallSearch<D> search(bodies_, contiguous, options);
    driver.run(search, particles.size(), options.threads, found);
  }

  /// Keeps memory and threads for repeated searches.
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
    const PeriodicShifts<D> periodic_shifts(options);
    Point<D> wrapped;
    for (std::size_t k = 0; k < D; ++k) wrapped[k] = periodic_shifts.wrap(k, center[k]);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const PlacedBody<D>& body = bodies_[i];
      if (body.body->facet_count() == 0) continue;
      const Box<D> box = body.body->bounding_box(body.transform);
      for (const Point<D>& shift : periodic_shifts.shifts(body, radius, i)) {
        const Point<D> image = sum(wrapped, shift);
        if (!is_near(box, image, radius)) continue;  // most images are not
        nearest = std::min(
            nearest,
            body.body->distance(body.is_moved ? to_body_frame(body.transform, image) : image));
      }
    }
    return radius - nearest;
  }

  [[nodiscard]] std::size_t wall_count() const { return bodies_.size(); }
  [[nodiscard]] Index element_count() const { return element_count_; }

  [[nodiscard]] WallId wall_of(WallElementId element) const {
    if (element.value() >= element_count_)
      throw Error(message("wall element ", element.value(), " does not exist; there are ",
                          element_count_, " elements, numbered from 0"),
                  ErrorCode::out_of_range);
    const auto end = std::ranges::upper_bound(element_ends_, element.value());
    return WallId(static_cast<std::size_t>(end - element_ends_.begin()));
  }

 private:
  std::vector<PlacedBody<D>> bodies_;
  std::vector<std::size_t> element_ends_;  // by wall: one past its last element
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
auto Walls<D>::state() -> State& {
  if (state_ == nullptr) throw Error("the walls have been moved from", ErrorCode::moved_from);
  return *state_;
}

template <std::size_t D>
auto Walls<D>::state() const -> const State& {
  if (state_ == nullptr) throw Error("the walls have been moved from", ErrorCode::moved_from);
  return *state_;
}

template <std::size_t D>
WallId Walls<D>::add(const Mesh<D>& mesh) {
  return state().add(
      std::make_unique<MeshBody<D>>(mesh, state().element_count(), omitted_facets(mesh)),
      mesh.facets.size());
}

template <std::size_t D>
WallId Walls<D>::add(const Plane<D>& plane) {
  check(plane);
  return state().add(std::make_unique<PlaneBody<D>>(plane, state().element_count()), 1);
}

namespace {

// Clang 14 instantiates functions that `requires` excludes, so they must compile in 2D too.
template <class State, class Shape>
WallId add_shape_3d(State& state, const Shape& shape) {
  check(shape);
  if constexpr (State::dimension == 3)
    return state.add(std::make_unique<FrustumBody>(shape, state.element_count()), 1);
  else
    throw Error("surfaces of revolution must be added to 3D walls");
}

}  // namespace

template <std::size_t D>
WallId Walls<D>::add(const Frustum& frustum) requires(D == 3) {
  return add_shape_3d(state(), frustum);
}

template <std::size_t D>
WallId Walls<D>::add(const Annulus& annulus) requires(D == 3) {
  return add_shape_3d(state(), annulus);
}

template <std::size_t D>
void Walls<D>::set_transform(WallId wall, const RigidTransform<D>& transform) {
  state().set_transform(wall, transform);
}

template <std::size_t D>
std::vector<WallContact<D>> Walls<D>::contacts(const Spheres<D>& particles,
                                               const WallOptions<D>& options) const {
  std::vector<WallContact<D>> found;
  WallSearchDriver<D> driver;
  state().contacts(particles, options, driver, found);
  return found;
}

template <std::size_t D>
void Walls<D>::contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                        std::vector<WallContact<D>>& found) {
  state().contacts(particles, options, state().driver(), found);
}

template <std::size_t D>
double Walls<D>::overlap(const Point<D>& center, double radius) const {
  check_point(center, "sphere: center");
  return state().overlap(center, radius);
}

template <std::size_t D>
double Walls<D>::overlap(const Point<D>& center, double radius,
                         const WallOptions<D>& options) const {
  check_point(center, "sphere: center");
  check(options);
  return state().overlap(center, radius, options);
}

template <std::size_t D>
std::size_t Walls<D>::wall_count() const {
  return state().wall_count();
}

template <std::size_t D>
std::size_t Walls<D>::element_count() const {
  return state().element_count();
}

template <std::size_t D>
WallId Walls<D>::wall_of(WallElementId element) const {
  return state().wall_of(element);
}

template class Walls<2>;
template class Walls<3>;

}  // namespace abut
