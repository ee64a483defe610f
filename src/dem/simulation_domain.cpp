#include "dem/simulation_domain.hpp"

#include <abut/error.hpp>
#include <cmath>
#include <string>
#include <utility>

#include "core/message.hpp"

namespace abut {
namespace {

bool is_finite(const Vec4& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

template <std::size_t D>
bool is_inside(const Box<D>& box, const Vec4& v) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(v.*vec4_axes[k] >= box.min[k] && v.*vec4_axes[k] <= box.max[k])) return false;
  return true;
}

}  // namespace

template <std::size_t D>
SimulationDomain<D>::SimulationDomain(const std::optional<Box<D>>& domain,
                                      const std::array<bool, D>& periodic, bool allow_outflow)
    : periodic_(domain, periodic), allow_outflow_(allow_outflow) {
  constexpr double max_coordinate = 1e149;
  constexpr double max_periods = 1e8;
  for (std::size_t k = 0; k < D; ++k) {
    const double half = periodic[k] ? max_periods * periodic_.length[k] : max_coordinate;
    searchable_.min[k] = periodic_.origin[k] - half;
    searchable_.max[k] = periodic_.origin[k] + half;
  }
  bounds_ = searchable_;
  for (std::size_t k = 0; k < D; ++k) {
    if (!domain || periodic[k]) continue;
    bounds_.min[k] = domain->min[k];
    bounds_.max[k] = domain->max[k];
  }
}

template <std::size_t D>
std::size_t SimulationDomain<D>::add(Sink<D> sink) {
  sinks_.push_back(std::move(sink));
  return sinks_.size() - 1;
}

template <std::size_t D>
void SimulationDomain<D>::check_positions(const Particles& particles, std::uint64_t step,
                                          double time_step) const {
  const Box<D>& required = allow_outflow_ ? searchable_ : bounds_;
  for (std::size_t i = particles.fixed_count(); i < particles.size(); ++i)
    if (!is_inside(required, particles.position()[i])) throw_lost(particles, i, step, time_step);
}

template <std::size_t D>
void SimulationDomain<D>::throw_lost(const Particles& particles, std::size_t particle,
                                     std::uint64_t step, double time_step) const {
  const Vec4& position = particles.position()[particle];
  const Vec4& velocity = particles.velocity()[particle];
  const auto vector = [](const Vec4& r) {
    return D == 2 ? message("(", r.x, ", ", r.y, ")")
                  : message("(", r.x, ", ", r.y, ", ", r.z, ")");
  };
  const double travel =
      std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z) *
      time_step;
  const char* event =
      is_inside(searchable_, position) ? "left the domain" : "left the searchable range";
  std::string cause = "gap in the walls? outflow = \"allowed\" lets particles leave";
  if (!is_finite(position))
    cause = "position is not finite; coincident particles or time step too large?";
  else if (travel > 0.1 * position.w)
    cause = message("it moves ", travel / position.w,
                    " radii per step; inserted with overlap, or time step too large?");
  throw Error(message("particle ", particles.id()[particle], " at ", vector(position),
                      " with velocity ", vector(velocity), " ", event, " in step ", step, ", time ",
                      static_cast<double>(step) * time_step, "; ", cause),
              ErrorCode::simulation);
}

template <std::size_t D>
std::vector<std::size_t> SimulationDomain<D>::count_departed(const Particles& particles) {
  std::vector<std::size_t> departed;
  if (!may_remove()) return departed;
  for (std::size_t i = particles.fixed_count(); i < particles.size(); ++i) {
    const double mass = 1 / particles.velocity()[i].w;
    if (!should_remove(particles.position()[i], mass)) continue;
    departed.push_back(i);
    removed_mass_ += mass;
  }
  removed_ += departed.size();
  return departed;
}

// Whether a particle is outside the domain or in a sink, which then counts it.
template <std::size_t D>
bool SimulationDomain<D>::should_remove(const Vec4& position, double mass) {
  if (allow_outflow_ && !is_inside(bounds_, position)) return true;
  auto wrapped = to_point<D>(position);
  periodic_.wrap(wrapped);
  for (Sink<D>& sink : sinks_)
    if (is_inside(sink.box, to_vec4<D>(wrapped))) {
      ++sink.count;
      sink.mass += mass;
      return true;
    }
  return false;
}

template <std::size_t D>
void SimulationDomain<D>::save(SavedState& saved) const {
  saved.removed = removed_;
  for (const Sink<D>& sink : sinks_) {
    saved.sink_count.push_back(sink.count);
    saved.sink_mass.push_back(sink.mass);
  }
}

template <std::size_t D>
void SimulationDomain<D>::restore(const SavedState& saved) {
  removed_ = saved.removed;
  removed_mass_ = saved.energy_totals[3];
  for (std::size_t k = 0; k < sinks_.size(); ++k) {
    sinks_[k].count = saved.sink_count[k];
    sinks_[k].mass = saved.sink_mass[k];
  }
}

template class SimulationDomain<2>;
template class SimulationDomain<3>;

}  // namespace abut
