#include <abut/common_plane.hpp>

namespace abut {

Standing standing(double gap, double tolerance) {
  if (gap < 0) return Standing::real;
  return gap <= tolerance ? Standing::potential : Standing::apart;
}

}  // namespace abut
