#include "narrow/common_plane_2d.hpp"

namespace abut {

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b) {
  NoWatch watch;
  return cold_plane(a, b, watch);
}

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b,
                            const CommonPlane<2>& previous) {
  NoWatch watch;
  return warm_plane(a, b, previous, watch);
}

}  // namespace abut
