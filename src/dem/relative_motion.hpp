#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dem/kernels.hpp"
#include "dem/vec4.hpp"

namespace abut {

/// Determines whether a neighbor list is still complete, from bounds of the displacements of blocks
/// of consecutive particles since it was built.
///
/// The list has all pairs with a gap of at most range + skin, where range is the largest gap across
/// which a force acts. Two particles of near blocks B and C have approached each other by at most
/// the norm of max(high_B − low_C, high_C − low_B), by component; the list is complete while this
/// is at most the skin for all pairs of near blocks. Particles of other blocks had a gap of more
/// than range + margin when the list was built, and cannot interact while no particle has moved by
/// more than margin/2. Where too many blocks are near each other, because particles are not sorted,
/// the list counts as complete until a particle has moved by more than skin/2.
class RelativeMotion {
 public:
  /// What does not depend on the positions.
  struct Parameters {
    std::size_t fixed_count;        ///< the first particles, which never move
    std::array<double, 3> periods;  ///< of the domain, m; 0 along axes that are not periodic
    double range;                   ///< m
    double skin;                    ///< m
    double margin;                  ///< m; of near blocks
  };

  /// Starts again, with the positions and radii for which the list has been built.
  /// O(b log b + k), b blocks of which k pairs overlap along one axis.
  void reset(std::span<const Vec4> positions, const Parameters& parameters);

  /// For the integration, which adds displacements. Valid until `reset` or `resize`.
  [[nodiscard]] DisplacementBounds* bounds() { return bounds_.data(); }

  /// Adds blocks for particles that have been added since `reset`.
  void resize(std::size_t particle_count);

  /// Whether the list may be incomplete. Mostly O(blocks), sometimes O(pairs of near blocks).
  [[nodiscard]] bool exceeds_skin();

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

  void find_boxes(std::span<const Vec4> positions);
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
