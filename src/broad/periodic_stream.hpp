#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/pair_blocks.hpp"
#include "core/periodic_particles.hpp"
#include "core/sort_pairs.hpp"

namespace abut {

/// Stands between a method and who receives its pairs: numbers of particles and images come in,
/// pairs of the caller's particles go out, each once.
template <std::size_t D>
class PeriodicStream {
 public:
  PeriodicStream(const PeriodicParticles<D>& particles, Index fixed, PeriodicDrain<D> drain,
                 void* to)
      : particles_(particles), fixed_(fixed), drain_(drain), to_(to) {}

  static void receive(void* stream, std::span<const Pair> pairs) {
    static_cast<PeriodicStream*>(stream)->take(pairs);
  }

 private:
  void take(std::span<const Pair> pairs) {
    batch_.clear();
    for (const Pair pair : pairs) {
      if (!particles_.is_image(pair.b))
        batch_.push_back(particles_.inner(pair));
      else if (const auto across = particles_.across(pair, fixed_))
        batch_.push_back(*across);
    }
    if (!batch_.empty()) drain_(to_, batch_);
  }

  const PeriodicParticles<D>& particles_;
  Index fixed_;
  PeriodicDrain<D> drain_;
  void* to_;
  std::vector<PeriodicPair<D>> batch_;
};

/// All pairs of a search, to be sorted: those of particles that both are inside are known by their
/// numbers and sorted in linear time; only the others, few if the domain is large, are compared.
template <std::size_t D>
class PeriodicList {
 public:
  void clear() {
    inner_.clear();
    across_.clear();
  }

  /// Takes pairs from a method.
  struct Receiver {
    PeriodicList& list;
    const PeriodicParticles<D>& particles;
    Index fixed;
    static void receive(void* receiver, std::span<const Pair> pairs) {
      auto& own = *static_cast<Receiver*>(receiver);
      own.list.take(pairs, own.particles, own.fixed);
    }
  };

  void sort(const PeriodicParticles<D>& particles, std::size_t count,
            std::vector<PeriodicPair<D>>& sorted) {
    sorter_.sort(inner_, count, sorted_inner_);
    std::ranges::sort(across_);
    sorted.clear();
    sorted.reserve(sorted_inner_.size() + across_.size());
    auto next = across_.begin();
    for (const Pair pair : sorted_inner_) {
      const PeriodicPair<D> inner = particles.inner(pair);
      while (next != across_.end() && *next < inner) sorted.push_back(*next++);
      sorted.push_back(inner);
    }
    sorted.insert(sorted.end(), next, across_.end());
  }

 private:
  void take(std::span<const Pair> pairs, const PeriodicParticles<D>& particles, Index fixed) {
    batch_.clear();
    for (const Pair pair : pairs) {
      if (!particles.is_image(pair.b))
        batch_.push_back(pair);
      else if (const auto across = particles.across(pair, fixed))
        across_.push_back(*across);
    }
    inner_.append(batch_);
  }

  PairBlocks inner_;
  std::vector<PeriodicPair<D>> across_;
  std::vector<Pair> batch_;
  std::vector<Pair> sorted_inner_;
  PairSorter sorter_;
};

/// The same stream where only the particles matter, not the images.
class WithoutImages {
 public:
  WithoutImages(PairDrain drain, void* to) : drain_(drain), to_(to) {}

  template <std::size_t D>
  static void receive(void* without, std::span<const PeriodicPair<D>> pairs) {
    auto& own = *static_cast<WithoutImages*>(without);
    own.batch_.clear();
    for (const auto& pair : pairs) own.batch_.push_back({pair.a, pair.b});
    own.drain_(own.to_, own.batch_);
  }

 private:
  PairDrain drain_;
  void* to_;
  std::vector<Pair> batch_;
};

/// And where nothing is periodic, so that every image is the particle itself.
template <std::size_t D>
class WithZeroImages {
 public:
  WithZeroImages(PeriodicDrain<D> drain, void* to) : drain_(drain), to_(to) {}

  static void receive(void* with, std::span<const Pair> pairs) {
    auto& own = *static_cast<WithZeroImages*>(with);
    own.batch_.clear();
    for (const Pair pair : pairs) own.batch_.push_back({pair.a, pair.b, {}});
    own.drain_(own.to_, own.batch_);
  }

 private:
  PeriodicDrain<D> drain_;
  void* to_;
  std::vector<PeriodicPair<D>> batch_;
};

}  // namespace abut
