// The program without other libraries: see ABUT_PEERS.
#include "bench/peer.hpp"
#include "bench/polygon_peer.hpp"
#include "bench/polyhedron_peer.hpp"
#include "bench/wall_peer.hpp"

namespace abut {

template <std::size_t D>
std::span<const PeerInfo<D>> peers() {
  return {};
}

template std::span<const PeerInfo<2>> peers();
template std::span<const PeerInfo<3>> peers();

std::unique_ptr<WallPeer> make_cgal_aabb(bool /*ask_first*/) { return nullptr; }

std::unique_ptr<PolygonPeer> make_box2d() { return nullptr; }
std::vector<std::unique_ptr<PolyhedronPeer>> polyhedron_peers() { return {}; }

}  // namespace abut
