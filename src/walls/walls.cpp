#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>

#include "core/check_point.hpp"
#include "core/message.hpp"
#include "core/survey.hpp"
#include "walls/mesh_body.hpp"
#include "walls/mesh_check.hpp"
#include "walls/plane_body.hpp"
#include "walls/shell_body.hpp"
#include "walls/wall_search.hpp"
#include "walls/wall_sweep.hpp"

namespace abut {
namespace {

template <std::size_t D>
std::vector<bool> left_out(const Mesh<D>& mesh) {
  std::vector<bool> out = repeated<D>(pieces_by_place(mesh));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (without_area<D>(MeshBody<D>::corners_of(mesh, i))) out[i] = true;
  return out;
}

template <std::size_t D>
void check(const Plane<D>& plane) {
  check_point(plane.point, "the point of a plane");
  check_point(plane.normal, "the normal of a plane");
  if (largest_part(plane.normal) == 0) throw Error("the normal of a plane has length 0");
}

void check_radius(double radius, const char* what) {
  if (!(radius >= 0 && radius <= largest_length))
    throw Error(message(what, " = ", radius, "; it must be a number from 0 to 1e150"));
}

void check(const Revolved& shell) {
  check_point(shell.from, "the axis of a shell, at its first end,");
  check_point(shell.to, "the axis of a shell, at its second end,");
  check_radius(shell.from_radius, "the first radius of a shell");
  check_radius(shell.to_radius, "the second radius of a shell");
  if (largest_part(difference(shell.to, shell.from)) < smallest_length)
    throw Error("the axis of a shell has length 0; a flat one is a ring");
  if (shell.from_radius == 0 && shell.to_radius == 0)
    throw Error("both radii of a shell are 0; it has no surface");
}

void check(const Ring& ring) {
  check_point(ring.centre, "the centre of a ring");
  check_point(ring.normal, "the normal of a ring");
  check_radius(ring.outer, "the outer radius of a ring");
  check_radius(ring.inner, "the inner radius of a ring");
  if (largest_part(ring.normal) == 0) throw Error("the normal of a ring has length 0");
  if (!(ring.outer - ring.inner >= smallest_length))
    throw Error(message("a ring has inner radius ", ring.inner, " and outer radius ", ring.outer,
                        "; the outer one must be larger"));
}

template <std::size_t D>
void check(const WallOptions<D>& options) {
  check(Options<D>{.margin = options.margin,
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
void check(const Placement<D>& where) {
  check_point(where.shift, "the shift of a body");
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
    volume = dot(across(where.rotation[0]), where.rotation[1]);
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
    if (numbers + numbers_ >= most)
      throw Error(message(numbers + numbers_, " pieces of wall: at most 2147483647 have a number"));
    bodies_.push_back(PlacedBody<D>{std::move(body), {}, false});
    numbers_ += static_cast<Index>(numbers);
    return bodies_.size() - 1;
  }

  void place(std::size_t body, const Placement<D>& where) {
    if (body >= bodies_.size())
      throw Error(message("body ", body, ": there are ", bodies_.size(), ", numbered from 0"));
    check(where);
    bodies_[body].where = where;
    const Placement<D> given;
    bodies_[body].moved = where.rotation != given.rotation || where.shift != given.shift;
  }

  void contacts(const Spheres<D>& particles, const WallOptions<D>& options, WallSweep<D>& sweep,
                std::vector<WallContact<D>>& found) const {
    found.clear();
    check(options);
    const WallSearch<D> search(bodies_, particles, options);
    sweep.run(search, particles.size(), options.threads, found);
  }

  /// The memory of a search, for the next.
  WallSweep<D>& kept() { return sweep_; }

  [[nodiscard]] double overlap(const Point<D>& centre, double radius) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const PlacedBody<D>& body : bodies_)
      nearest = std::min(nearest,
                         body.body->distance(body.moved ? into_body(body.where, centre) : centre));
    return radius - nearest;
  }

  [[nodiscard]] double overlap(const Point<D>& centre, double radius,
                               const WallOptions<D>& options) const {
    const Images<D> images(options);
    Point<D> home;
    for (std::size_t k = 0; k < D; ++k) home[k] = images.wrapped(k, centre[k]);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const PlacedBody<D>& body = bodies_[i];
      if (body.body->pieces() == 0) continue;
      const Box<D> box = body.body->box(body.where);
      for (const Point<D>& shift : images.shifts(body, radius, i)) {
        const Point<D> from = sum(home, shift);
        if (!is_near(box, from, radius)) continue;  // of many images few are
        nearest =
            std::min(nearest, body.body->distance(body.moved ? into_body(body.where, from) : from));
      }
    }
    return radius - nearest;
  }

  [[nodiscard]] Index size() const { return numbers_; }

 private:
  std::vector<PlacedBody<D>> bodies_;
  Index numbers_ = 0;
  WallSweep<D> sweep_;
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
  return state_->add(std::make_unique<MeshBody<D>>(mesh, size(), left_out(mesh)),
                     mesh.pieces.size());
}

template <std::size_t D>
std::size_t Walls<D>::add(const Plane<D>& plane) {
  check(plane);
  return state_->add(std::make_unique<PlaneBody<D>>(plane, size()), 1);
}

namespace {

// Clang 14 instantiates what `requires` excludes, so there must be something to instantiate.
template <class State, class Shape>
std::size_t add_shell(State& state, const Shape& shape) {
  check(shape);
  if constexpr (State::dimension == 3)
    return state.add(std::make_unique<ShellBody>(shape, state.size()), 1);
  else
    throw Error("surfaces of revolution are walls of space");
}

}  // namespace

template <std::size_t D>
std::size_t Walls<D>::add(const Revolved& shell) requires(D == 3) {
  return add_shell(*state_, shell);
}

template <std::size_t D>
std::size_t Walls<D>::add(const Ring& ring) requires(D == 3) {
  return add_shell(*state_, ring);
}

template <std::size_t D>
void Walls<D>::place(std::size_t body, const Placement<D>& where) {
  state_->place(body, where);
}

template <std::size_t D>
std::vector<WallContact<D>> Walls<D>::contacts(const Spheres<D>& particles,
                                               const WallOptions<D>& options) const {
  std::vector<WallContact<D>> found;
  WallSweep<D> sweep;
  std::as_const(*state_).contacts(particles, options, sweep, found);
  return found;
}

template <std::size_t D>
void Walls<D>::contacts(const Spheres<D>& particles, const WallOptions<D>& options,
                        std::vector<WallContact<D>>& found) {
  state_->contacts(particles, options, state_->kept(), found);
}

template <std::size_t D>
double Walls<D>::overlap(const Point<D>& centre, double radius) const {
  check_point(centre, "the centre of a sphere");
  return state_->overlap(centre, radius);
}

template <std::size_t D>
double Walls<D>::overlap(const Point<D>& centre, double radius,
                         const WallOptions<D>& options) const {
  check_point(centre, "the centre of a sphere");
  check(options);
  return state_->overlap(centre, radius, options);
}

template <std::size_t D>
Index Walls<D>::size() const {
  return state_->size();
}

template class Walls<2>;
template class Walls<3>;

}  // namespace abut
