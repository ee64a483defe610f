#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffers.hpp"
#include "core/ghost_particles.hpp"
#include "core/machine.hpp"
#include "core/periodic_domain.hpp"

// Adapters between a method, which streams pairs of indices, and the form of pairs the caller asks
// for. Each is passed to the method as callback `receive` with itself as context, and passes its
// own batches on to the next callback.

namespace abut {

/// Converts pairs of particles and ghosts to periodic pairs of the caller's particles, each once.
template <std::size_t D>
class PeriodicPairStream {
 public:
  PeriodicPairStream(const GhostParticles<D>& particles, Index fixed_count,
                     PeriodicPairCallback<D> callback, void* context)
      : particles_(particles), fixed_count_(fixed_count), callback_(callback), context_(context) {}

  static void receive(void* stream, std::span<const Pair> pairs) {
    static_cast<PeriodicPairStream*>(stream)->append(pairs);
  }

 private:
  void append(std::span<const Pair> pairs) {
    batch_.clear();
    for (const Pair pair : pairs) {
      if (!particles_.is_ghost(pair.b))
        batch_.push_back(particles_.interior_pair(pair));
      else if (const auto boundary_pair = particles_.boundary_pair(pair, fixed_count_))
        batch_.push_back(*boundary_pair);
    }
    if (!batch_.empty()) callback_(context_, batch_);
  }

  const GhostParticles<D>& particles_;
  Index fixed_count_;
  PeriodicPairCallback<D> callback_;
  void* context_;
  std::vector<PeriodicPair<D>> batch_;
};

/// Separates pairs with image 0, which are most pairs of a large domain, from the others.
template <std::size_t D>
class SplitPairStream {
 public:
  SplitPairStream(const GhostParticles<D>& particles, Index fixed_count, PairCallback inside,
                  PeriodicPairCallback<D> across, void* context)
      : particles_(particles),
        fixed_count_(fixed_count),
        inside_(inside),
        across_(across),
        context_(context) {}

  static void receive(void* stream, std::span<const Pair> pairs) {
    static_cast<SplitPairStream*>(stream)->append(pairs);
  }

 private:
  void append(std::span<const Pair> pairs) {
    inside_batch_.clear();
    across_batch_.clear();
    for (const Pair pair : pairs) {
      if (particles_.is_ghost(pair.b)) {
        if (const auto found = particles_.boundary_pair(pair, fixed_count_)) add(*found);
      } else if (particles_.are_wrapped_alike(pair)) {
        inside_batch_.push_back(pair);
      } else {
        add(particles_.interior_pair(pair));
      }
    }
    if (!inside_batch_.empty()) inside_(context_, inside_batch_);
    if (!across_batch_.empty()) across_(context_, across_batch_);
  }

  void add(const PeriodicPair<D>& pair) {
    if (pair.image == decltype(pair.image){})
      inside_batch_.push_back({pair.a, pair.b});
    else
      across_batch_.push_back(pair);
  }

  const GhostParticles<D>& particles_;
  Index fixed_count_;
  PairCallback inside_;
  PeriodicPairCallback<D> across_;
  void* context_;
  std::vector<Pair> inside_batch_;
  std::vector<PeriodicPair<D>> across_batch_;
};

/// Collects the pairs of a search and sorts them. Pairs of two particles inside the domain are
/// sorted by index in linear time; only pairs across a periodic boundary, few in a large domain,
/// are sorted by comparison.
template <std::size_t D>
class PeriodicPairList {
 public:
  void clear() {
    interior_.clear();
    cross_boundary_.clear();
  }

  /// The context for `receive`.
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
      const PeriodicPair<D> interior = particles.interior_pair(pair);
      while (next != cross_boundary_.end() && *next < interior) sorted.push_back(*next++);
      sorted.push_back(interior);
    }
    sorted.insert(sorted.end(), next, cross_boundary_.end());
  }

 private:
  void append(std::span<const Pair> pairs, const GhostParticles<D>& particles, Index fixed_count) {
    batch_.clear();
    for (const Pair pair : pairs) {
      if (!particles.is_ghost(pair.b))
        batch_.push_back(pair);
      else if (const auto boundary_pair = particles.boundary_pair(pair, fixed_count))
        cross_boundary_.push_back(*boundary_pair);
    }
    interior_.append(batch_);
  }

  PairBuffer interior_;
  std::vector<PeriodicPair<D>> cross_boundary_;
  std::vector<Pair> batch_;
  std::vector<Pair> sorted_interior_;
  PairSorter sorter_;
};

/// Converts periodic pairs to pairs without images.
class DropImages {
 public:
  DropImages(PairCallback callback, void* context) : callback_(callback), context_(context) {}

  template <std::size_t D>
  static void receive(void* stream, std::span<const PeriodicPair<D>> pairs) {
    auto& own = *static_cast<DropImages*>(stream);
    own.batch_.clear();
    for (const auto& pair : pairs) own.batch_.push_back({pair.a, pair.b});
    own.callback_(own.context_, own.batch_);
  }

 private:
  PairCallback callback_;
  void* context_;
  std::vector<Pair> batch_;
};

/// Adds image 0 to the pairs of a domain that is not periodic.
template <std::size_t D>
class AddZeroImages {
 public:
  AddZeroImages(PeriodicPairCallback<D> callback, void* context)
      : callback_(callback), context_(context) {}

  static void receive(void* stream, std::span<const Pair> pairs) {
    auto& own = *static_cast<AddZeroImages*>(stream);
    own.batch_.clear();
    for (const Pair pair : pairs) own.batch_.push_back({pair.a, pair.b, {}});
    own.callback_(own.context_, own.batch_);
  }

 private:
  PeriodicPairCallback<D> callback_;
  void* context_;
  std::vector<PeriodicPair<D>> batch_;
};

/// Computes gap and normal of pairs from the positions that the search compared: the caller's, or
/// in a periodic domain those wrapped into it.
template <std::size_t D>
class PairGeometry {
 public:
  explicit PairGeometry(const Spheres<D>& particles) : spheres_(particles) {}
  PairGeometry(const GhostParticles<D>& particles, const PeriodicDomain<D>& domain)
      : spheres_(particles.particles()), ghosts_(&particles), domain_(domain) {}

  [[nodiscard]] Contact<D> operator()(Pair pair) const {
    return between(pair.a, position(pair.a), pair.b, position(pair.b), {});
  }

  [[nodiscard]] Contact<D> operator()(const PeriodicPair<D>& pair) const {
    if (ghosts_ == nullptr) return (*this)(Pair{pair.a, pair.b});
    // From caller's coordinates to wrapped ones: x_b + image·L − x_a is the same vector there.
    const ImageOffset<D> wrap_a = ghosts_->wrap_offset(pair.a);
    const ImageOffset<D> wrap_b = ghosts_->wrap_offset(pair.b);
    ImageOffset<D> offset;
    for (std::size_t k = 0; k < D; ++k) offset[k] = pair.image[k] + wrap_a[k] - wrap_b[k];
    std::array<double, D> a = position(pair.a);
    std::array<double, D> b = position(pair.b);
    // The predicate shifts one particle of a pair; shifting the same one gives the same distance.
    if (is_canonical_image<D>(pair.a, pair.b, offset, spheres_.radii()))
      b = domain_.shifted(b, offset);
    else
      a = domain_.shifted(a, negated<D>(offset));
    return between(pair.a, a, pair.b, b, pair.image);
  }

 private:
  [[nodiscard]] std::array<double, D> position(Index i) const {
    std::array<double, D> x;
    for (std::size_t k = 0; k < D; ++k) x[k] = spheres_.coordinates(k)[i];
    return x;
  }

  [[nodiscard]] Contact<D> between(Index a, const std::array<double, D>& x_a, Index b,
                                   const std::array<double, D>& x_b,
                                   const std::array<std::int32_t, D>& image) const {
    Contact<D> contact{.a = a, .b = b, .gap = 0, .normal = {}, .image = image};
    double squared = 0;
    double largest = 0;
    for (std::size_t k = 0; k < D; ++k) {
      contact.normal[k] = x_b[k] - x_a[k];
      squared += contact.normal[k] * contact.normal[k];
      largest = std::max(largest, std::abs(contact.normal[k]));
    }
    contact.gap = std::sqrt(squared) - (spheres_.radii()[a] + spheres_.radii()[b]);
    normalize(contact.normal, squared, largest);
    return contact;
  }

  static void normalize(std::array<double, D>& d, double squared, double largest) {
    if (largest == 0) {
      d = {1};
      return;
    }
    constexpr double accurate = 0x1p-960;  // smaller squares have lost digits
    if (squared < accurate) {
      squared = 0;
      for (double& component : d) {
        component /= largest;
        squared += component * component;
      }
    }
    const double length = std::sqrt(squared);
    for (double& component : d) component /= length;
  }

  Spheres<D> spheres_;
  const GhostParticles<D>* ghosts_ = nullptr;  // null where the domain is not periodic
  PeriodicDomain<D> domain_{};
};

/// Converts pairs to contacts.
template <std::size_t D>
class ContactStream {
 public:
  ContactStream(const PairGeometry<D>& geometry, ContactCallback<D> callback, void* context)
      : geometry_(geometry), callback_(callback), context_(context) {}

  template <class AnyPair>
  static void receive(void* stream, std::span<const AnyPair> pairs) {
    auto& own = *static_cast<ContactStream*>(stream);
    own.batch_.clear();
    for (const AnyPair& pair : pairs) own.batch_.push_back(own.geometry_(pair));
    own.callback_(own.context_, own.batch_);
  }

 private:
  const PairGeometry<D>& geometry_;
  ContactCallback<D> callback_;
  void* context_;
  std::vector<Contact<D>> batch_;
};

/// The memory behind `ContactArrays`.
template <std::size_t D>
class ContactColumns {
 public:
  template <class AnyPair>
  void assign(std::span<const AnyPair> pairs, const PairGeometry<D>& geometry, ThreadPool& pool) {
    a_.resize(pairs.size());
    b_.resize(pairs.size());
    gap_.resize(pairs.size());
    for (auto& column : normal_) column.resize(pairs.size());
    for (auto& column : image_) column.resize(pairs.size());
    const Chunks chunks(pairs.size());
    pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
      for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
        set(i, geometry(pairs[i]));
    });
  }

  [[nodiscard]] ContactArrays<D> view() const {
    ContactArrays<D> arrays{.a = a_, .b = b_, .gap = gap_, .normal = {}, .image = {}};
    for (std::size_t k = 0; k < D; ++k) {
      arrays.normal[k] = normal_[k];
      arrays.image[k] = image_[k];
    }
    return arrays;
  }

 private:
  void set(std::size_t i, const Contact<D>& contact) {
    a_[i] = contact.a;
    b_[i] = contact.b;
    gap_[i] = contact.gap;
    for (std::size_t k = 0; k < D; ++k) {
      normal_[k][i] = contact.normal[k];
      image_[k][i] = contact.image[k];
    }
  }

  std::vector<Index> a_;
  std::vector<Index> b_;
  std::vector<double> gap_;
  std::array<std::vector<double>, D> normal_;
  std::array<std::vector<std::int32_t>, D> image_;
};

}  // namespace abut
