#pragma once

#include <malloc.h>

#include <abut/detector.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bench/peer.hpp"
#include "core/pair_sink.hpp"

namespace abut {

/// Whoever is measured: a method of ours or another library. From the caller's arrays to each pair
/// once, in memory, in whatever order they are found.
template <std::size_t D>
class Entrant {
 public:
  Entrant() = default;
  virtual ~Entrant() = default;
  Entrant(const Entrant&) = delete;
  Entrant& operator=(const Entrant&) = delete;

  virtual void find(const Spheres<D>& particles, std::vector<Pair>& pairs) = 0;
  /// What the last search did, where that is known; the counts only if they are asked for.
  [[nodiscard]] virtual std::optional<Statistics> statistics() const { return {}; }
  /// How many pairs it found: those in memory, or more if they were only counted.
  [[nodiscard]] virtual std::size_t found(const std::vector<Pair>& pairs) const {
    return pairs.size();
  }
  virtual void count(bool /*on*/) {}
  /// After a search, outside of its time: what the next one must not profit from goes.
  virtual void rest() {}
};

template <std::size_t D>
class OwnMethod : public Entrant<D> {
 public:
  /// For a search after a small motion, all keep what they know of the order of before. At rest the
  /// engine may not; published methods that live on it may, as in their papers.
  /// `stream` counts the pairs as they come instead of storing them.
  OwnMethod(Options<D> options, bool moving, bool stream = false)
      : options_(std::move(options)),
        keep_(moving || options_.method != Method::engine),
        stream_(stream) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    if (!detector_) detector_.emplace(options_);
    pairs.clear();
    detector_->update(particles);
    counted_ = 0;
    if (stream_)
      detector_->stream(count_pairs, &counted_);
    else
      detector_->stream(append_pairs, &pairs);
  }
  [[nodiscard]] std::size_t found(const std::vector<Pair>& pairs) const override {
    return stream_ ? counted_ : pairs.size();
  }
  [[nodiscard]] std::optional<Statistics> statistics() const override {
    return detector_->statistics();
  }
  void count(bool on) override {
    options_.count = on;
    detector_.reset();
  }
  void rest() override {
    if (!keep_ && detector_) detector_->forget();
  }

 private:
  static void count_pairs(void* counted, std::span<const Pair> pairs) {
    *static_cast<std::size_t*>(counted) += pairs.size();
  }

  Options<D> options_;
  bool keep_;
  bool stream_;
  std::size_t counted_ = 0;
  std::optional<Detector<D>> detector_;
};

template <std::size_t D>
class OtherLibrary : public Entrant<D> {
 public:
  /// `keep` leaves the structure where it is, for a search after a small motion.
  OtherLibrary(std::unique_ptr<Peer<D>> peer, bool keep) : peer_(std::move(peer)), keep_(keep) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    peer_->find(particles, pairs);
  }
  void rest() override {
    if (!keep_) peer_->forget();
#ifdef __GLIBC__
    malloc_trim(0);  // else whoever allocates next spends milliseconds on the pieces left behind
#endif
  }

 private:
  std::unique_ptr<Peer<D>> peer_;
  bool keep_;
};

}  // namespace abut
