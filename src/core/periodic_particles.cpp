#include "core/periodic_particles.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/runs.hpp"
#include "core/survey.hpp"

namespace abut {
namespace {

template <std::size_t D>
std::int32_t periods_back(const Period<D>& period, std::size_t k, double x, std::size_t i) {
  const std::int32_t back = period.back(k, x);
  if (std::abs(back) >= Period<D>::too_far)
    throw Error(message(axis_names[k], "[", i, "] = ", x,
                        ": more than 1e9 periods away from the domain, ", period.origin[k], " to ",
                        period.origin[k] + period.length[k]));
  return back;
}

}  // namespace

template <std::size_t D>
void PeriodicParticles<D>::bring_back(const Spheres<D>& particles, const Period<D>& period,
                                      ThreadPool& pool) {
  period_ = period;
  count_ = particles.size();
  images_.clear();
  moved_by_.clear();
  radius_.assign(particles.radius().begin(), particles.radius().end());
  for (auto& axis : axes_) axis.resize(count_);
  const Runs runs(count_);
  std::atomic<bool> any_outside = false;
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    const std::size_t first = runs.first(run);
    const std::size_t length = runs.last(run) - first;
    bool outside = false;
    for (std::size_t k = 0; k < D; ++k) {
      const std::span from = particles.axis(k).subspan(first, length);
      std::ranges::copy(from, axes_[k].begin() + static_cast<std::ptrdiff_t>(first));
      if (!period.along[k]) continue;
      const double low = period.origin[k];
      const double high = low + period.length[k];
      for (const double x : from) outside |= static_cast<bool>(int(x < low) | int(x >= high));
    }
    if (outside) any_outside = true;
  });
  if (!any_outside) return;
  moved_by_.resize(count_);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i)
      for (std::size_t k = 0; k < D; ++k) {
        if (!period.along[k]) continue;
        double& x = axes_[k][i];
        moved_by_[i][k] = periods_back(period, k, x, i);
        x = period.moved(k, x, moved_by_[i][k]);
      }
  });
}

template <std::size_t D>
void PeriodicParticles<D>::add_images(const Options<D>& options, std::size_t most_bytes,
                                      ThreadPool& pool) {
  const Reach<D> reach(particles(), options);
  constexpr double bytes_each = sizeof(Image) + (D + 1) * sizeof(double);
  const Runs runs(count_);
  found_.resize(runs.size());
  wanted_.assign(runs.size(), 0);
  pool.run(runs.size(), [&](std::size_t run, unsigned) {
    found_[run].clear();
    for (std::size_t i = runs.first(run); i < runs.last(run); ++i) {
      const auto of = static_cast<Index>(i);
      double here = 1;
      std::array<std::array<double, 2>, D> places;
      for (std::size_t k = 0; k < D; ++k) {
        places[k] = period_.places(k, axes_[k][i], reach.of(radius_[i], radius_[i]));
        here *= places[k][1] - places[k][0] + 1;
      }
      wanted_[run] += here - 1;
      if (here == 1 || wanted_[run] * bytes_each > static_cast<double>(most_bytes)) continue;
      for_each_shift<D>(places, [&](const Shift<D>& at) {
        if (at != Shift<D>{}) found_[run].push_back({of, at});
      });
    }
  });
  double all = 0;
  for (const double some : wanted_) all += some;
  if (all * bytes_each > static_cast<double>(most_bytes) ||
      all + static_cast<double>(count_) > INT32_MAX)
    throw MemoryRefused(message("images across periodic faces: ", static_cast<float>(all),
                                " of them would take ", human_bytes(all * bytes_each),
                                "; the domain is too small for particles of this size"));
  for (const auto& some : found_) images_.insert(images_.end(), some.begin(), some.end());
  for (std::size_t k = 0; k < D; ++k) {
    axes_[k].resize(count_ + images_.size());
    for (std::size_t n = 0; n < images_.size(); ++n)
      axes_[k][count_ + n] = period_.moved(k, axes_[k][images_[n].of], images_[n].at[k]);
  }
  radius_.resize(count_ + images_.size());
  for (std::size_t n = 0; n < images_.size(); ++n) radius_[count_ + n] = radius_[images_[n].of];
}

template <std::size_t D>
std::optional<PeriodicPair<D>> PeriodicParticles<D>::across(Pair pair, Index fixed) const {
  if (is_image(pair.a)) return {};  // both are
  const auto [of, at] = image(pair.b);
  if (!is_moved<D>(pair.a, of, at, radius_) || std::max(pair.a, of) < fixed) return {};
  Shift<D> by = moved_by(of);
  for (std::size_t k = 0; k < D; ++k) by[k] += at[k];
  return pair_of<D>(pair.a, moved_by(pair.a), of, by);
}

template class PeriodicParticles<2>;
template class PeriodicParticles<3>;

}  // namespace abut
