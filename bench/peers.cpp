#include <array>

#include "bench/libraries.hpp"
#include "bench/peer.hpp"

namespace abut {

template <std::size_t D>
std::span<const PeerInfo<D>> peers() {
  static constexpr std::array all{
      PeerInfo<D>{"nanoflann", true, false, make_nanoflann<D>},
      PeerInfo<D>{"embree", true, false, make_embree<D>},
      PeerInfo<D>{"boost_rtree", true, false, make_boost_rtree<D>},
      PeerInfo<D>{"cgal", true, false, make_cgal<D>},
      PeerInfo<D>{"bullet", false, true, make_bullet<D>},
  };
  return all;
}

// All else in this room is hidden from the program.
template __attribute__((visibility("default"))) std::span<const PeerInfo<2>> peers();
template __attribute__((visibility("default"))) std::span<const PeerInfo<3>> peers();

}  // namespace abut
