#include <abut/abut.hpp>
#include <vector>

// Two of three spheres touch; two cubes are half a side apart.
int main() {
  const std::vector<double> x{0, 1, 5};
  const std::vector<double> y{0, 0, 0};
  const std::vector<double> z{0, 0, 0};
  const std::vector<double> radius{0.5, 0.5, 0.5};
  const auto contacts = abut::find_contacts(abut::Spheres3(x, y, z, radius), {.threads = 2});
  const abut::Polyhedron cube{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                              {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  std::vector<abut::Point<3>> room(cube.corners().size());
  const auto other = cube.placed({.shift = {0.25, 0.25, 1.5}}, room);
  const double gap = abut::common_plane(cube.view(), other).gap;
  const bool apart = gap > 0.499 && gap < 0.501;
  return apart && contacts == std::vector<abut::Pair>{{0, 1}} ? 0 : 1;
}
