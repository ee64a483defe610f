#include "dem/neighbor_list.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/buffers.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"

namespace abut {

namespace {

/// Calls reset() at the end of its scope, also after an exception.
template <class T>
class ResetAtEnd {
 public:
  explicit ResetAtEnd(T& object) : object_(object) {}
  ~ResetAtEnd() { object_.reset(); }
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;

 private:
  T& object_;
};

}  // namespace

bool PairRows::contains(const Pair& pair) const {
  if (pair.a + std::size_t{1} >= row_begin.size()) return false;
  return std::binary_search(neighbors.begin() + row_begin[pair.a],
                            neighbors.begin() + row_begin[pair.a + 1], pair.b);
}

template <std::size_t D>
FoundPairs<D>::FoundPairs(ScratchArena& arena, std::size_t particle_count, std::size_t expected)
    : row_lengths_(arena.allocate<Index>(particle_count + 1)),
      expected_(arena.allocate<Pair>(expected)) {
  std::ranges::fill(row_lengths_, 0);
}

template <std::size_t D>
void FoundPairs<D>::add(std::span<const Pair> pairs) {
  for (const Pair& pair : pairs) ++row_lengths_[pair.a];
  inside_count_ += pairs.size();
  const std::size_t room = expected_.size() - expected_count_;
  const std::span<const Pair> first = pairs.first(std::min(pairs.size(), room));
  std::ranges::copy(first, expected_.begin() + static_cast<std::ptrdiff_t>(expected_count_));
  expected_count_ += first.size();
  pairs = pairs.subspan(first.size());
  if (pairs.empty()) return;
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < pairs.size())
    blocks_.emplace_back().reserve(inside_count_ / 4 + 4096);
  blocks_.back().insert(blocks_.back().end(), pairs.begin(), pairs.end());
}

template <std::size_t D>
void FoundPairs<D>::add(std::span<const PeriodicPair<D>> pairs) {
  across_boundary_.insert(across_boundary_.end(), pairs.begin(), pairs.end());
  for (const PeriodicPair<D>& pair : pairs) ++row_lengths_[pair.a];
}

template <std::size_t D>
NeighborList<D>::NeighborList(const Options& options) : options_(options), pool_(options.threads) {}

template <std::size_t D>
bool NeighborList<D>::is_periodic() const {
  return std::ranges::any_of(options_.periodic, [](bool axis) { return axis; });
}

template <std::size_t D>
void NeighborList<D>::invalidate() {
  if (is_valid_) used_skin_ = motion_.approach();
  is_valid_ = false;
}

template <std::size_t D>
void NeighborList<D>::reset() {
  exists_ = false;
  is_valid_ = false;
  steps_since_rebuild_ = 0;
  row_begin_.assign(1, 0);
  detector_.reset();
}

// With the rate u at which the skin s is used up, a rebuild costs R every s/u steps, and every step
// tests f p s pairs that do not touch, where p is the number of pairs per length of gap:
//
//     cost per step = R u/s + f p s,   least for s = √(R u / (f p)).
//
// R/f was measured to be about 40 per particle: rebuilds of 0.2 µs, tests of 5 ns. In dense
// packings p is about 8 per particle and diameter; in dilute flows it is proportional to the number
// of pairs.
template <std::size_t D>
void NeighborList<D>::choose_skin(const Particles& particles) {
  const double radius = particles.mean_radius();
  if (skin_ == 0 || particles.size() == 0 || steps_since_rebuild_ == 0) {
    if (skin_ == 0) skin_ = 0.1 * radius;
    return;
  }
  constexpr double tests_per_rebuild = 40;
  const double used_per_step = used_skin_ / static_cast<double>(steps_since_rebuild_);
  const double listed =
      static_cast<double>(row_begin_.back()) / static_cast<double>(particles.size());
  const double pairs_per_length = 4 / radius * std::clamp(listed / 3, 0.1, 1.0);
  const double best = std::sqrt(tests_per_rebuild * used_per_step / pairs_per_length);
  const double chosen = std::clamp(std::clamp(best, skin_ / 2, 2 * skin_), 0.02 * radius, radius);
  if (std::abs(chosen - skin_) < 0.25 * skin_) return;  // a new skin costs a new detector
  skin_ = chosen;
  detector_.reset();
}

template <std::size_t D>
DetectorOptions<D> NeighborList<D>::search_options(const Spheres<D>& spheres,
                                                   std::size_t fixed_count, double margin) const {
  DetectorOptions<D> options;
  options.method = options_.method;
  options.margin = margin;
  options.fixed_count = fixed_count;
  options.threads = options_.threads;
  options.track_motion = false;
  options.periodic = options_.periodic;
  if (!is_periodic()) return options;
  // Three times the size along axes that are not periodic, so that particles that leave the domain
  // stay within until they are removed.
  options.domain = enclosing_domain(*options_.domain, options_.periodic, spheres);
  for (std::size_t k = 0; k < D; ++k) {
    const double size = options.domain->max[k] - options.domain->min[k];
    if (options_.periodic[k]) continue;
    options.domain->min[k] -= size;
    options.domain->max[k] += size;
  }
  return options;
}

template <std::size_t D>
void NeighborList<D>::search(const Spheres<D>& spheres, std::size_t fixed_count,
                             FoundPairs<D>& found, ScratchArena& arena) {
  if (search_domain_ &&
      enclosing_domain(*search_domain_, options_.periodic, spheres) != *search_domain_)
    detector_.reset();  // a particle is outside the search domain
  if (!detector_) {
    const auto options = search_options(spheres, fixed_count, options_.range + skin_);
    search_domain_ = options.domain;
    detector_ = Detector<D>(options);
  }
  const ScratchArena::Mark mark = arena.mark();
  // There is too much motion until the next search to reuse the detector's data.
  const ResetAtEnd<Detector<D>> reset_at_end(*detector_);
  detector_->lend_memory(arena.allocate_rest());
  detector_->update(spheres);
  detector_->for_each_batch(
      [](void* to, std::span<const Pair> pairs) { static_cast<FoundPairs<D>*>(to)->add(pairs); },
      [](void* to, std::span<const PeriodicPair<D>> pairs) {
        static_cast<FoundPairs<D>*>(to)->add(pairs);
      },
      &found);
  arena.release(mark);
}

template <std::size_t D>
void NeighborList<D>::replace(FoundPairs<D>& found, const Particles& particles) {
  set_rows(found);
  shifts_.assign(images_.size(), Vec4{});
  RelativeMotion::Parameters parameters{
      particles.fixed_count(), {}, options_.range, 2 * particles.mean_radius()};
  for (std::size_t k = 0; k < D; ++k) {
    if (!options_.periodic[k]) continue;
    parameters.periods[k] = options_.domain->max[k] - options_.domain->min[k];
    for (std::size_t image = 0; image < images_.size(); ++image)
      shifts_[image].*vec4_axes[k] = images_[image][k] * parameters.periods[k];
  }
  motion_.reset(
      particles.size(), [&](std::size_t i) { return particles.position()[i]; }, parameters);
  is_valid_ = true;
  exists_ = true;
  listed_id_end_ = particles.next_id();
  steps_since_rebuild_ = 0;
}

// Counting sort by a; then each row is sorted by b and image.
template <std::size_t D>
void NeighborList<D>::set_rows(FoundPairs<D>& found) {
  const std::span<Index> next = found.row_lengths();  // becomes the next free entry of each row
  const std::size_t count = next.size() - 1;
  reserve_with_slack(row_begin_, count + 1);
  row_begin_.resize(count + 1);
  Index begin = 0;
  for (std::size_t a = 0; a <= count; ++a) {
    row_begin_[a] = begin;
    begin += std::exchange(next[a], begin);
  }
  reserve_with_slack(neighbors_, found.size() + 3);
  neighbors_.resize(found.size() + 3);
  std::fill(neighbors_.end() - 3, neighbors_.end(), 0);
  found.for_each_inside([&](const Pair& pair) { neighbors_[next[pair.a]++] = pair.b; });
  images_.assign(1, PeriodCounts{});
  index_by_image_ = {{PeriodCounts{}, ImageIndex{0}}};
  image_index_.assign(is_periodic() ? found.size() + 3 : 0, 0);
  for (const PeriodicPair<D>& pair : found.across_boundary()) {
    PeriodCounts image{};
    for (std::size_t k = 0; k < D; ++k) image[k] = pair.image[k];
    const Index k = next[pair.a]++;
    neighbors_[k] = pair.b;
    image_index_[k] = index_of(image);
  }
  const Chunks chunks(count, 4096);
  pool_.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t a = chunks.first(chunk); a < chunks.last(chunk); ++a) sort_row(a);
  });
}

template <std::size_t D>
void NeighborList<D>::sort_row(std::size_t a) {
  const Index begin = row_begin_[a];
  const Index end = row_begin_[a + 1];
  const auto has_image = [&] {
    return std::any_of(image_index_.begin() + begin, image_index_.begin() + end,
                       [](ImageIndex image) { return image != 0; });
  };
  if (image_index_.empty() || !has_image())
    return sort_neighbors(std::span(neighbors_).subspan(begin, end - begin));
  for (Index k = begin + 1; k < end; ++k) {
    const Index b = neighbors_[k];
    const ImageIndex image = image_index_[k];
    const auto is_after = [&](Index other) {
      return neighbors_[other] > b ||
             (neighbors_[other] == b && images_[image_index_[other]] > images_[image]);
    };
    Index hole = k;
    for (; hole > begin && is_after(hole - 1); --hole) {
      neighbors_[hole] = neighbors_[hole - 1];
      image_index_[hole] = image_index_[hole - 1];
    }
    neighbors_[hole] = b;
    image_index_[hole] = image;
  }
}

template <std::size_t D>
ImageIndex NeighborList<D>::index_of(const PeriodCounts& image) {
  const auto [found, is_new] =
      index_by_image_.try_emplace(image, static_cast<ImageIndex>(images_.size()));
  if (!is_new) return found->second;
  if (images_.size() > std::numeric_limits<ImageIndex>::max())
    throw Error(
        message("pairs have more than ", images_.size(),
                " different periodic images; particles cross too many periods between two sorts"));
  images_.push_back(image);
  return found->second;
}

template <std::size_t D>
void NeighborList<D>::remove(std::span<const std::uint32_t> new_index, std::size_t remaining) {
  invalidate();
  std::size_t count = 0;  // of pairs that are left
  for (std::size_t a = 0; a + 1 < row_begin_.size(); ++a) {
    const Index begin = row_begin_[a];
    const Index end = row_begin_[a + 1];
    if (new_index[a] == removed_particle) continue;
    row_begin_[new_index[a]] = static_cast<Index>(count);
    for (Index k = begin; k < end; ++k) {
      if (new_index[neighbors_[k]] == removed_particle) continue;
      if (!image_index_.empty()) image_index_[count] = image_index_[k];
      neighbors_[count++] = new_index[neighbors_[k]];
    }
  }
  // Particles that were added after the last search, which come last, have no rows.
  std::size_t rows = row_begin_.size() - 1;
  rows -= static_cast<std::size_t>(std::count(
      new_index.begin(), new_index.begin() + static_cast<std::ptrdiff_t>(rows), removed_particle));
  row_begin_.resize(std::min(rows, remaining) + 1);
  row_begin_.back() = static_cast<Index>(count);
  neighbors_.resize(count + 3);
  if (!image_index_.empty()) image_index_.resize(count + 3);
}

template <std::size_t D>
Spheres<D> sphere_arrays(const Particles& particles, ScratchArena& arena, const ThreadPool& pool) {
  const std::size_t count = particles.size();
  const std::span<double> values = arena.allocate<double>((D + 1) * count);
  const Chunks chunks(count, 4096);
  pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i) {
      const Vec4& center = particles.position()[i];
      for (std::size_t k = 0; k < D; ++k) values[k * count + i] = center.*vec4_axes[k];
      values[D * count + i] = center.w;
    }
  });
  std::array<std::span<const double>, D> views;
  for (std::size_t k = 0; k < D; ++k) views[k] = values.subspan(k * count, count);
  return {views, values.subspan(D * count, count)};
}

template class FoundPairs<2>;
template class FoundPairs<3>;
template class NeighborList<2>;
template class NeighborList<3>;
template Spheres<2> sphere_arrays(const Particles&, ScratchArena&, const ThreadPool&);
template Spheres<3> sphere_arrays(const Particles&, ScratchArena&, const ThreadPool&);

}  // namespace abut
