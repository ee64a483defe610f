#include "core/ghost_particles.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/input_checks.hpp"
#include "core/machine.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

template <std::size_t D>
std::int32_t checked_wrap_offset(const PeriodicDomain<D>& domain, std::size_t k, double x,
                                 std::size_t i) {
  const std::int32_t offset = domain.wrap_offset(k, x);
  if (std::abs(offset) >= PeriodicDomain<D>::offset_limit)
    throw Error(ErrorCode::invalid_argument,
                {.key = message(axis_names[k], "[", i, "]"), .value = message(x)},
                message("more than 1e9 periods away from the domain, ", domain.origin[k], " to ",
                        domain.origin[k] + domain.length[k]));
  return offset;
}

// Whether a particle in the domain may have an image within `cutoff` of the domain.
template <std::size_t D>
bool is_near_face(const PeriodicDomain<D>& domain, const Point<D>& center, double cutoff) {
  bool is_near = false;
  for (std::size_t k = 0; k < D; ++k)
    is_near = is_near || domain.is_near_face(k, center[k], cutoff);
  return is_near;
}

}  // namespace

template <std::size_t D>
void GhostParticles<D>::wrap(const Spheres<D>& particles, const PeriodicDomain<D>& domain,
                             ThreadPool& pool) {
  domain_ = domain;
  particle_count_ = particles.size();
  ghosts_.clear();
  wrap_offsets_.clear();
  spheres_.resize(particle_count_);
  std::ranges::copy(particles.radii(), spheres_.radii.begin());
  const Chunks chunks(particle_count_);
  std::atomic<bool> any_outside = false;
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    const std::size_t first = chunks.first(chunk);
    const std::size_t length = chunks.last(chunk) - first;
    bool outside = false;
    for (std::size_t k = 0; k < D; ++k) {
      const std::span source = particles.coordinates(k).subspan(first, length);
      std::ranges::copy(source,
                        spheres_.coordinates[k].begin() + static_cast<std::ptrdiff_t>(first));
      if (!domain.is_periodic[k]) continue;
      const double low = domain.origin[k];
      const double high = low + domain.length[k];
      for (const double x : source) outside |= static_cast<bool>(int(x < low) | int(x >= high));
    }
    if (outside) any_outside = true;
  });
  if (!any_outside) return;
  wrap_offsets_.resize(particle_count_);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
      for (std::size_t k = 0; k < D; ++k) {
        if (!domain.is_periodic[k]) continue;
        double& x = spheres_.coordinates[k][i];
        if (x >= domain.origin[k] && x < domain.origin[k] + domain.length[k]) continue;
        wrap_offsets_[i][k] = checked_wrap_offset(domain, k, x, i);
        x = domain.shifted(k, x, wrap_offsets_[i][k]);
      }
  });
}

template <std::size_t D>
void GhostParticles<D>::add_ghosts(const DetectorOptions<D>& options, std::size_t max_bytes,
                                   ThreadPool& pool) {
  const ContactPredicate<D> predicate(particles(), options);
  constexpr double bytes_per_ghost = sizeof(Ghost) + (D + 1) * sizeof(double);
  const Chunks chunks(particle_count_);
  chunk_ghosts_.resize(chunks.size());
  chunk_ghost_counts_.assign(chunks.size(), 0);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    chunk_ghosts_[chunk].clear();
    for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i) {
      const auto source = static_cast<Index>(i);
      const double cutoff = predicate.cutoff(spheres_.radii[i], spheres_.radii[i]);
      if (!is_near_face(domain_, spheres_.center(i), cutoff)) continue;
      double image_count = 1;
      std::array<std::array<double, 2>, D> ranges;
      for (std::size_t k = 0; k < D; ++k) {
        ranges[k] = domain_.image_range(k, spheres_.coordinates[k][i], cutoff);
        image_count *= ranges[k][1] - ranges[k][0] + 1;
      }
      chunk_ghost_counts_[chunk] += image_count - 1;
      if (image_count == 1 ||
          chunk_ghost_counts_[chunk] * bytes_per_ghost > static_cast<double>(max_bytes))
        continue;
      for_each_image_offset<D>(ranges, [&](const ImageOffset<D>& offset) {
        if (offset != ImageOffset<D>{}) chunk_ghosts_[chunk].push_back({source, offset});
      });
    }
  });
  double ghost_count = 0;
  for (const double count : chunk_ghost_counts_) ghost_count += count;
  if (ghost_count * bytes_per_ghost > static_cast<double>(max_bytes) ||
      ghost_count + static_cast<double>(particle_count_) > INT32_MAX)
    throw MemoryLimitError(
        message("images across periodic faces: ", static_cast<float>(ghost_count),
                " images would need ", format_bytes(ghost_count * bytes_per_ghost),
                "; the domain is too small for particles of this size"));
  for (const auto& ghosts : chunk_ghosts_)
    ghosts_.insert(ghosts_.end(), ghosts.begin(), ghosts.end());
  spheres_.resize(particle_count_ + ghosts_.size());
  for (std::size_t k = 0; k < D; ++k) {
    std::vector<double>& axis = spheres_.coordinates[k];
    for (std::size_t n = 0; n < ghosts_.size(); ++n)
      axis[particle_count_ + n] = domain_.shifted(k, axis[ghosts_[n].source], ghosts_[n].offset[k]);
  }
  for (std::size_t n = 0; n < ghosts_.size(); ++n)
    spheres_.radii[particle_count_ + n] = spheres_.radii[ghosts_[n].source];
}

template <std::size_t D>
std::optional<PeriodicPair<D>> GhostParticles<D>::boundary_pair(Pair pair,
                                                                Index fixed_count) const {
  if (is_ghost(pair.a)) return {};  // both are ghosts
  const auto [source, offset] = ghost(pair.b);
  if (!is_canonical_image<D>(pair.a, source, offset, spheres_.radii) ||
      std::max(pair.a, source) < fixed_count)
    return {};
  ImageOffset<D> total = wrap_offset(source);
  for (std::size_t k = 0; k < D; ++k) total[k] += offset[k];
  return make_periodic_pair<D>(pair.a, wrap_offset(pair.a), source, total);
}

template class GhostParticles<2>;
template class GhostParticles<3>;

}  // namespace abut
