#pragma once

#include <abut/polyhedron.hpp>
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace abut {

/// What another library says of a pair: whether they overlap, and how far they are apart, or how
/// deep in each other, below 0. Some do not say how far.
struct PeerGap {
  bool overlap = false;
  double gap = 0;
};

/// Another library's contact of two convex bodies, used as its authors would use it.
class PolyhedronPeer {
 public:
  PolyhedronPeer() = default;
  virtual ~PolyhedronPeer() = default;
  PolyhedronPeer(const PolyhedronPeer&) = delete;
  PolyhedronPeer& operator=(const PolyhedronPeer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Whether it knows the gap of bodies that are apart.
  [[nodiscard]] virtual bool measures_distance() const = 0;
  /// Makes what the library keeps of each body.
  virtual void load(std::span<const std::array<PolyhedronView, 2>> pairs) = 0;
  /// One pair after the other, in place of what `gaps` held.
  virtual void find(std::vector<PeerGap>& gaps) = 0;
};

/// libccd (MPR; GJK and EPA), FCL, Bullet; none without ABUT_PEERS.
std::vector<std::unique_ptr<PolyhedronPeer>> polyhedron_peers();

std::unique_ptr<PolyhedronPeer> make_libccd(bool portal_refinement);
std::unique_ptr<PolyhedronPeer> make_fcl();
std::unique_ptr<PolyhedronPeer> make_bullet_gjk();

}  // namespace abut
