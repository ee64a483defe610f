#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/ghost_particles.hpp"
#include "core/pair_buffer.hpp"

namespace abut {

/// Stands between a method and who receives its pairs: numbers of particles and images come in,
/// pairs of the caller's particles go out, each once.
template <std::size_t D>
class PeriodicPairStream {
 public:
  PeriodicPairStream(const GhostParticles<D>& particles, Index fixed, PeriodicPairCallback<D> drain,
                     void* to)
      : particles_(particles), fixed_count_(fixed), callback_(drain), context_(to) {}

  static void receive(void* stream, std::span<const Pair> pairs) {
    static_cast<PeriodicPairStream*>(stream)->append(pairs);
  }

 private:
  void append(std::span<const Pair> pairs) {
    batch_.clear();
    for (const Pair pair : pairs) {
      if (!particles_.is_ghost(pair.b))
        batch_.push_back(particles_.interior_pair(pair));
      else if (const auto across = particles_.boundary_pair(pair, fixed_count_))
        batch_.push_back(*across);
    }
    if (!batch_.empty()) callback_(context_, batch_);
  }

  const GhostParticles<D>& particles_;
  Index fixed_count_;
  PeriodicPairCallback<D> callback_;
  void* context_;
  std::vector<PeriodicPair<D>> batch_;
};

/// All pairs of a search, to be sorted: those of particles that both are inside are known by their
/// numbers and sorted in linear time; only the others, few if the domain is large, are compared.
template <std::size_t D>
class PeriodicPairList {
 public:
  void clear() {
    interior_.clear();
    cross_boundary_.clear();
  }

  /// Takes pairs from a method.
  struct Receiver {
    PeriodicPairList& list;
    const GhostParticles<D>& particles;
    Index fixed_count;
    static void receive(void* receiver, std::span<const Pair> pairs) {
      auto& own = *static_cast<Receiver*>(receiver);
      own.list.append(pairs, own.particles, own.fixed_count);
    }
  };

  void sort(const GhostParticles<D>& particles, std::size_t count,
            std::vector<PeriodicPair<D>>& sorted) {
    sorter_.sort(interior_, count, sorted_interior_);
    std::ranges::sort(cross_boundary_);
    sorted.clear();
    sorted.reserve(sorted_interior_.size() + cross_boundary_.size());
    auto next = cross_boundary_.begin();
    for (const Pair pair : sorted_interior_) {
      const PeriodicPair<D> inner = particles.interior_pair(pair);
      while (next != cross_boundary_.end() && *next < inner) sorted.push_back(*next++);
      sorted.push_back(inner);
    }
    sorted.insert(sorted.end(), next, cross_boundary_.end());
  }

 private:
  void append(std::span<const Pair> pairs, const GhostParticles<D>& particles, Index fixed) {
    batch_.clear();
    for (const Pair pair : pairs) {
      if (!particles.is_ghost(pair.b))
        batch_.push_back(pair);
      else if (const auto across = particles.boundary_pair(pair, fixed))
        cross_boundary_.push_back(*across);
    }
    interior_.append(batch_);
  }

  PairBuffer interior_;
  std::vector<PeriodicPair<D>> cross_boundary_;
  std::vector<Pair> batch_;
  std::vector<Pair> sorted_interior_;
  PairSorter sorter_;
};

/// The same stream where only the particles matter, not the images.
class DropImages {
 public:
  DropImages(PairCallback drain, void* to) : callback_(drain), context_(to) {}

  template <std::size_t D>
  static void receive(void* without, std::span<const PeriodicPair<D>> pairs) {
    auto& own = *static_cast<DropImages*>(without);
    own.batch_.clear();
    for (const auto& pair : pairs) own.batch_.push_back({pair.a, pair.b});
    own.callback_(own.context_, own.batch_);
  }

 private:
  PairCallback callback_;
  void* context_;
  std::vector<Pair> batch_;
};

/// And where nothing is periodic, so that every image is the particle itself.
template <std::size_t D>
class AddZeroImages {
 public:
  AddZeroImages(PeriodicPairCallback<D> drain, void* to) : callback_(drain), context_(to) {}

  static void receive(void* with, std::span<const Pair> pairs) {
    auto& own = *static_cast<AddZeroImages*>(with);
    own.batch_.clear();
    for (const Pair pair : pairs) own.batch_.push_back({pair.a, pair.b, {}});
    own.callback_(own.context_, own.batch_);
  }

 private:
  PeriodicPairCallback<D> callback_;
  void* context_;
  std::vector<PeriodicPair<D>> batch_;
};

}  // namespace abut
