#include <abut/abut.hpp>
#include <vector>

// Two of three spheres touch.
int main() {
  const std::vector<double> x{0, 1, 5};
  const std::vector<double> y{0, 0, 0};
  const std::vector<double> z{0, 0, 0};
  const std::vector<double> radius{0.5, 0.5, 0.5};
  const auto contacts = abut::find_contacts(abut::Spheres3(x, y, z, radius), {.threads = 2});
  return contacts == std::vector<abut::Pair>{{0, 1}} ? 0 : 1;
}
