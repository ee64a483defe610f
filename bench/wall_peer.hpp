#pragma once

#include <abut/mesh.hpp>
#include <abut/spheres.hpp>
#include <memory>
#include <vector>

namespace abut {

/// The point of a wall that is nearest to a particle which touches it.
struct WallTouch {
  Index particle;
  Index piece;
  double distance;  ///< from the centre
};

/// Another library's tree over a mesh, used as its authors would use it.
class WallPeer {
 public:
  WallPeer() = default;
  virtual ~WallPeer() = default;
  WallPeer(const WallPeer&) = delete;
  WallPeer& operator=(const WallPeer&) = delete;

  virtual void build(const Mesh<3>& mesh) = 0;

  /// For each particle that touches the wall, its nearest point, in place of what `touches` held.
  virtual void find(const Spheres<3>& particles, std::vector<WallTouch>& touches) const = 0;
};

/// CGAL's AABB tree, asked for the nearest triangle of each particle, or only of those that it was
/// asked of first whether they meet any; none without ABUT_PEERS.
std::unique_ptr<WallPeer> make_cgal_aabb(bool ask_first);

}  // namespace abut
