#pragma once

#include <abut/pair.hpp>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/thread_pool.hpp"
#include "dem/forces.hpp"
#include "dem/record.hpp"

namespace abut {

/// Pairs that may touch until the next search, sorted, with the springs of friction between them;
/// and how they are shared out: a run of particles does the pairs of which they are the smaller.
///
/// What a run pushes on particles of others is put aside in slots and handed to them when all runs
/// are done, in the order of the slots. Runs depend on the number of particles alone, so every sum
/// is the same for any number of threads.
class ContactList {
 public:
  /// Periods between b and the image that touches a.
  using Image = std::array<std::int32_t, 3>;

  struct Handed {
    Index particle;
    Index slot;
    friend auto operator<=>(const Handed&, const Handed&) = default;
  };

  /// Takes a new list, sorted by a, b and image, and finds the springs of those that were there.
  /// What `scratch` holds is lost.
  struct NewPairs {
    std::span<const Pair> pairs;
    std::span<const Image> images;  ///< empty if nothing is periodic
    std::size_t particles;
    std::size_t spring_axes;  ///< 0, or 3 of friction, or 6 with rolling resistance
  };
  void renew(const NewPairs& found, ThreadPool& pool, std::vector<Record>& scratch);

  /// Particle i has become to[i], or is gone. Only for `renew` and to look at: no runs.
  void relabel(std::span<const std::uint32_t> to);

  /// A spring of a pair, as a checkpoint knows it; before `renew`.
  struct Kept {
    Pair pair;
    Image image;
    Spring spring;
  };
  [[nodiscard]] std::vector<Kept> kept() const;
  void restore(std::span<const Kept> kept);

  [[nodiscard]] std::size_t runs() const {
    return first_pair_.empty() ? 0 : first_pair_.size() - 1;
  }
  [[nodiscard]] std::size_t slots() const { return first_slot_.empty() ? 0 : first_slot_.back(); }
  [[nodiscard]] std::size_t first_particle(std::size_t run) const;
  [[nodiscard]] std::size_t last_particle(std::size_t run) const;

  /// Slots begin behind the particles. `shifts` is where image numbers point to.
  [[nodiscard]] PairRun run(std::size_t run, const Record* shifts);

  /// For each run, the earlier ones with pairs of its particles.
  [[nodiscard]] std::span<const std::vector<std::uint32_t>> after() const { return after_; }

  /// What is handed to the particles of a run, ordered by particle and slot.
  [[nodiscard]] std::span<const Handed> handed(std::size_t run) const;

  [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
  [[nodiscard]] const std::vector<Image>& images() const { return images_.all(); }
  [[nodiscard]] Image image(std::size_t pair) const;
  [[nodiscard]] Spring spring(std::size_t pair) const;

 private:
  /// The images that pairs have, by number. Particles are never brought back into a periodic
  /// domain, so every list has others.
  class Images {
   public:
    [[nodiscard]] ImageNumber number_of(const Image& image);
    [[nodiscard]] const std::vector<Image>& all() const { return all_; }

   private:
    std::vector<Image> all_{{0, 0, 0}};
    std::map<Image, ImageNumber> numbers_{{{0, 0, 0}, 0}};
  };

  /// Pairs and their images, in order.
  struct Keys {
    std::span<const Pair> pairs;
    std::span<const ImageNumber> numbers;  ///< empty if nothing is periodic
    std::span<const Image> images;

    [[nodiscard]] const Image& image(std::size_t k) const {
      return images[numbers.empty() ? 0 : numbers[k]];
    }
  };

  [[nodiscard]] std::size_t run_of(Index particle) const;
  [[nodiscard]] Keys keys() const { return {pairs_, image_, images_.all()}; }
  [[nodiscard]] static std::weak_ordering compare(const Keys& x, std::size_t i, const Keys& y,
                                                  std::size_t k);
  void carry_springs(const Keys& before, const Keys& now, std::size_t axes, ThreadPool& pool,
                     std::vector<Record>& scratch);
  void share_out(std::size_t particles, ThreadPool& pool);
  void hand_out(ThreadPool& pool);

  std::vector<Pair> pairs_;
  std::vector<ImageNumber> image_;  ///< of each pair
  Images images_;
  std::array<std::vector<float>, 6> spring_;  ///< the axes that nobody needs are empty
  std::vector<ImageNumber> new_image_;        // kept for its memory

  std::size_t particles_ = 0;
  std::vector<std::size_t> first_particle_{0};  ///< of each run, and the end
  std::vector<std::size_t> first_pair_;         ///< of each run, and the end
  std::vector<Index> first_slot_;
  std::vector<std::vector<std::uint32_t>> after_;
  std::vector<Handed> handed_;  ///< by particle
  std::vector<std::size_t> first_handed_;
};

}  // namespace abut
