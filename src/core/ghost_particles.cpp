#include "core/ghost_particles.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/system_info.hpp"
#include "core/thread_pool.hpp"

namespace abut {
namespace {

template <std::size_t D>
std::int32_t checked_wrap_offset(const PeriodicDomain<D>& period, std::size_t k, double x,
                                 std::size_t i) {
  const std::int32_t back = period.wrap_offset(k, x);
  if (std::abs(back) >= PeriodicDomain<D>::offset_limit)
    throw Error(message(axis_names[k], "[", i, "] = ", x,
                        ": more than 1e9 periods away from the domain, ", period.origin[k], " to ",
                        period.origin[k] + period.length[k]));
  return back;
}

}  // namespace

template <std::size_t D>
void GhostParticles<D>::wrap(const Spheres<D>& particles, const PeriodicDomain<D>& period,
                             ThreadPool& pool) {
  domain_ = period;
  particle_count_ = particles.size();
  ghosts_.clear();
  wrap_offsets_.clear();
  radii_.assign(particles.radii().begin(), particles.radii().end());
  for (auto& axis : coordinates_) axis.resize(particle_count_);
  const Chunks runs(particle_count_);
  std::atomic<bool> any_outside = false;
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    const std::size_t first = runs.first(run);
    const std::size_t length = runs.last(run) - first;
    bool outside = false;
    for (std::size_t k = 0; k < D; ++k) {
      const std::span from = particles.coordinates(k).subspan(first, length);
      std::ranges::copy(from, coordinates_[k].begin() + static_cast<std::ptrdiff_t>(first));
      if (!period.is_periodic[k]) continue;
      const double low = period.origin[k];
      const double high = low + period.length[k];
      for (const double x : from) outside |= static_cast<bool>(int(x < low) | int(x >= high));
    }
    if (outside) any_outside = true;
  });
  if (!any_outside) return;
  wrap_offsets_.resize(particle_count_);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i)
      for (std::size_t k = 0; k < D; ++k) {
        if (!period.is_periodic[k]) continue;
        double& x = coordinates_[k][i];
        wrap_offsets_[i][k] = checked_wrap_offset(period, k, x, i);
        x = period.shifted(k, x, wrap_offsets_[i][k]);
      }
  });
}

template <std::size_t D>
void GhostParticles<D>::add_ghosts(const DetectorOptions<D>& options, std::size_t most_bytes,
                                   ThreadPool& pool) {
  const ContactPredicate<D> reach(particles(), options);
  constexpr double bytes_each = sizeof(Ghost) + (D + 1) * sizeof(double);
  const Chunks runs(particle_count_);
  chunk_ghosts_.resize(runs.size());
  chunk_ghost_counts_.assign(runs.size(), 0);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    chunk_ghosts_[run].clear();
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i) {
      const auto of = static_cast<Index>(i);
      double here = 1;
      std::array<std::array<double, 2>, D> places;
      for (std::size_t k = 0; k < D; ++k) {
        places[k] = domain_.image_range(k, coordinates_[k][i], reach.cutoff(radii_[i], radii_[i]));
        here *= places[k][1] - places[k][0] + 1;
      }
      chunk_ghost_counts_[run] += here - 1;
      if (here == 1 || chunk_ghost_counts_[run] * bytes_each > static_cast<double>(most_bytes))
        continue;
      for_each_image_offset<D>(places, [&](const ImageOffset<D>& at) {
        if (at != ImageOffset<D>{}) chunk_ghosts_[run].push_back({of, at});
      });
    }
  });
  double all = 0;
  for (const double some : chunk_ghost_counts_) all += some;
  if (all * bytes_each > static_cast<double>(most_bytes) ||
      all + static_cast<double>(particle_count_) > INT32_MAX)
    throw MemoryLimitError(message("images across periodic faces: ", static_cast<float>(all),
                                   " of them would take ", format_bytes(all * bytes_each),
                                   "; the domain is too small for particles of this size"));
  for (const auto& some : chunk_ghosts_) ghosts_.insert(ghosts_.end(), some.begin(), some.end());
  for (std::size_t k = 0; k < D; ++k) {
    coordinates_[k].resize(particle_count_ + ghosts_.size());
    for (std::size_t n = 0; n < ghosts_.size(); ++n)
      coordinates_[k][particle_count_ + n] =
          domain_.shifted(k, coordinates_[k][ghosts_[n].source], ghosts_[n].offset[k]);
  }
  radii_.resize(particle_count_ + ghosts_.size());
  for (std::size_t n = 0; n < ghosts_.size(); ++n)
    radii_[particle_count_ + n] = radii_[ghosts_[n].source];
}

template <std::size_t D>
std::optional<PeriodicPair<D>> GhostParticles<D>::boundary_pair(Pair pair, Index fixed) const {
  if (is_ghost(pair.a)) return {};  // both are
  const auto [source, offset] = ghost(pair.b);
  if (!is_canonical_image<D>(pair.a, source, offset, radii_) || std::max(pair.a, source) < fixed)
    return {};
  ImageOffset<D> by = wrap_offset(source);
  for (std::size_t k = 0; k < D; ++k) by[k] += offset[k];
  return make_periodic_pair<D>(pair.a, wrap_offset(pair.a), source, by);
}

template class GhostParticles<2>;
template class GhostParticles<3>;

}  // namespace abut
