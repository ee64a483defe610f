#include <abut/abut.hpp>
#include <abut/version.hpp>
#include <vector>

namespace {

// Two of three spheres touch.
bool finds_contacts() {
  const std::vector<double> x{0, 1, 5};
  const std::vector<double> y{0, 0, 0};
  const std::vector<double> z{0, 0, 0};
  const std::vector<double> radius{0.5, 0.5, 0.5};
  const abut::Spheres3 spheres(x, y, z, radius);
  return abut::find_contacts(spheres, {.threads = 2}) == std::vector<abut::Pair>{{0, 1}};
}

// Two cubes of side 1 with a gap of half a side.
bool measures_gap() {
  const abut::Polyhedron cube{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                              {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  std::vector<abut::Point<3>> buffer(cube.vertices().size());
  const auto other = cube.transformed({.translation = {0.25, 0.25, 1.5}}, buffer);
  const double gap = abut::common_plane(cube.view(), other).gap;
  return gap > 0.499 && gap < 0.501;
}

// The exception is thrown in the library and caught here, also if the library is shared.
bool catches_error() {
  const std::vector<double> x{0};
  const std::vector<double> bad_radius{-1};
  try {
    const abut::Spheres2 spheres(x, x, bad_radius);
    (void)abut::find_contacts(spheres, {});
  } catch (const abut::Error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  const bool same_version = abut::version() == ABUT_VERSION;
  return same_version && finds_contacts() && measures_gap() && catches_error() ? 0 : 1;
}
