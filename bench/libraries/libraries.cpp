// The lists of libraries. Only functions with default visibility can be called by the program.
#include <array>

#include "libraries/body_library.hpp"
#include "libraries/library.hpp"

namespace abut {

template <std::size_t D>
std::span<const LibraryInfo<D>> libraries() {
  static constexpr std::array all{
      LibraryInfo<D>{"nanoflann", true, false, make_nanoflann<D>},
      LibraryInfo<D>{"embree", true, false, make_embree<D>},
      LibraryInfo<D>{"boost_rtree", true, false, make_boost_rtree<D>},
      LibraryInfo<D>{"cgal", true, false, make_cgal<D>},
      LibraryInfo<D>{"bullet", false, true, make_bullet<D>},
  };
  return all;
}

template __attribute__((visibility("default"))) std::span<const LibraryInfo<2>> libraries();
template __attribute__((visibility("default"))) std::span<const LibraryInfo<3>> libraries();

__attribute__((visibility("default"))) std::vector<std::unique_ptr<PolyhedronLibrary>>
polyhedron_libraries() {
  std::vector<std::unique_ptr<PolyhedronLibrary>> all;
  all.push_back(make_libccd(true));
  all.push_back(make_libccd(false));
  all.push_back(make_fcl());
  all.push_back(make_bullet_gjk());
  return all;
}

}  // namespace abut
