#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/vec4.hpp"

namespace abut {

/// Bounds of the displacements, by component, of a block of consecutive particles since the
/// neighbor list was built. Particles of a block move alike, so that their motion relative to the
/// particles of a nearby block is much smaller than their displacement.
struct DisplacementBounds {
  static constexpr std::size_t block_size = 64;
  Vec4 low;   ///< m
  Vec4 high;  ///< m
};

/// Determines whether a neighbor list is still complete, from bounds of the displacements of blocks
/// of consecutive particles since it was built.
///
/// The list has all pairs with a gap of at most range + skin, where range is the largest gap across
/// which a force acts. Two particles of near blocks B and C have approached each other by at most
/// the norm of max(high_B − low_C, high_C − low_B), by component; the list is complete while this
/// is at most the skin for all pairs of near blocks. Particles of other blocks had a gap of more
/// than range + margin when the list was built, and cannot interact while no particle has moved by
/// more than margin/2. A radius that has grown counts like a displacement. Where too many blocks
/// are near each other, because particles are not sorted, the list counts as complete until a
/// particle has moved by more than skin/2.
class RelativeMotion {
 public:
  /// What does not depend on the positions.
  struct Parameters {
    std::size_t fixed_count;        ///< the first particles, which never move
    std::array<double, 3> periods;  ///< of the domain, m; 0 along axes that are not periodic
    double range;                   ///< m
    double margin;                  ///< m; of near blocks, at least the skin
  };

  /// Starts again, with the positions and radii (w) for which the list has been built: sphere(i)
  /// for i < count. O(b log b + k), b blocks of which k pairs overlap along one axis.
  template <class Sphere>
  void reset(std::size_t count, const Sphere& sphere, const Parameters& parameters) {
    resize_blocks(count);
    parameters_ = parameters;
    for (std::size_t block = 0; block < boxes_.size(); ++block) {
      const std::size_t first = block * DisplacementBounds::block_size;
      const std::size_t last = std::min(count, first + DisplacementBounds::block_size);
      BoxBounds bounds;
      for (std::size_t i = first; i < last; ++i) bounds.include(sphere(i));
      set_box(block, bounds, last);
    }
    find_near_blocks();
  }

  /// Of each block; the caller adds displacements, or replaces them. Valid until `reset` or
  /// `resize`.
  [[nodiscard]] DisplacementBounds* bounds() { return bounds_.data(); }
  [[nodiscard]] std::size_t block_count() const { return bounds_.size(); }

  /// Adds blocks for particles that have been added since `reset`.
  void resize(std::size_t particle_count);

  /// Whether the list may be incomplete, if it has been built with this skin (m), and no radius has
  /// grown by more than `growth` (m). Mostly O(blocks), sometimes O(pairs of near blocks).
  [[nodiscard]] bool exceeds(double skin, double growth = 0);

  /// Upper bound (m) of the distance by which two particles of near blocks have approached each
  /// other since `reset`. O(pairs of near blocks).
  [[nodiscard]] double approach() const {
    return has_near_blocks_ ? std::min(2 * max_travel(), largest_approach()) : 2 * max_travel();
  }

  /// Upper bound (m) of the displacement of any particle since `reset`.
  [[nodiscard]] double max_travel() const;

  /// Likewise since the last call of `reset` or `mark`.
  [[nodiscard]] double travel_since_mark() const { return travel_since(marked_); }
  void mark() { marked_ = bounds_; }

 private:
  struct BlockPair {
    std::uint32_t a, b;
  };
  struct BlockBox {
    std::array<double, 3> center, half_size;
    bool is_fixed;
  };
  struct Interval {
    double begin, end;
    std::uint32_t block;
  };

  /// The smallest and largest coordinates of spheres.
  struct BoxBounds {
    std::array<double, 3> low, high;

    BoxBounds() {
      low.fill(std::numeric_limits<double>::infinity());
      high.fill(-std::numeric_limits<double>::infinity());
    }
    void include(const Vec4& sphere) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], sphere.*vec4_axes[k] - sphere.w);
        high[k] = std::max(high[k], sphere.*vec4_axes[k] + sphere.w);
      }
    }
  };

  void resize_blocks(std::size_t particle_count);
  void set_box(std::size_t block, const BoxBounds& bounds, std::size_t last_particle);
  void list_intervals();
  void find_near_blocks();
  [[nodiscard]] bool is_near(const BlockBox& a, const BlockBox& b) const;
  [[nodiscard]] double largest_approach() const;
  [[nodiscard]] double travel_since(const std::vector<DisplacementBounds>& earlier) const;

  Parameters parameters_{};
  double near_distance_ = 0;  ///< m; of the boxes of near blocks
  std::vector<DisplacementBounds> bounds_;
  std::vector<BlockPair> near_;   ///< includes each block with itself
  bool has_near_blocks_ = false;  ///< false: too many, only the largest displacement counts
  std::vector<BlockBox> boxes_;
  std::vector<Interval> intervals_;          ///< of the boxes along one axis
  double checked_approach_ = 0;              ///< upper bound at the last check of all near blocks
  std::vector<DisplacementBounds> checked_;  ///< the bounds then
  std::vector<DisplacementBounds> marked_;   ///< the bounds when `mark` was called
};

}  // namespace abut
