#pragma once

#include <abut/polygon.hpp>
#include <array>
#include <memory>
#include <span>

namespace abut {

/// Another library's ways to tell how near two polygons are, used as its authors would use them.
class PolygonPeer {
 public:
  PolygonPeer() = default;
  virtual ~PolygonPeer() = default;
  PolygonPeer(const PolygonPeer&) = delete;
  PolygonPeer& operator=(const PolygonPeer&) = delete;

  /// Copies the polygons, of at most eight corners. Of those as they were before, it keeps what
  /// makes the next search faster.
  virtual void take(std::span<const std::array<PolygonView, 2>> before,
                    std::span<const std::array<PolygonView, 2>> now) = 0;

  /// One for each pair, 0 where they overlap.
  virtual void distances(std::span<float> into) = 0;
  /// The same with what was kept.
  virtual void cached_distances(std::span<float> into) = 0;
  /// How many points each pair touches in; polygons have a skin.
  virtual void touches(std::span<int> into) = 0;
  /// Twice its thickness: what is nearer than that touches.
  [[nodiscard]] virtual double skin() const = 0;
};

/// Box2D; none without ABUT_PEERS.
std::unique_ptr<PolygonPeer> make_box2d();

}  // namespace abut
