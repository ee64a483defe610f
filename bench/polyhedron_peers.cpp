// The libraries that abut bench-polyhedra --peers measures.
#include "bench/polyhedron_peer.hpp"

namespace abut {

__attribute__((visibility("default"))) std::vector<std::unique_ptr<PolyhedronPeer>>
polyhedron_peers() {
  std::vector<std::unique_ptr<PolyhedronPeer>> all;
  all.push_back(make_libccd(true));
  all.push_back(make_libccd(false));
  all.push_back(make_fcl());
  all.push_back(make_bullet_gjk());
  return all;
}

}  // namespace abut
