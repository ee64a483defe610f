#include "narrow/common_plane_2d.hpp"

namespace abut {

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b) {
  return cold_plane(a, b, NoWatch{});
}

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b,
                            const CommonPlane<2>& previous) {
  return warm_plane(a, b, previous, NoWatch{});
}

}  // namespace abut
