// Replaces all other files of this folder if ABUT_BENCH_LIBRARIES is off.
#include "libraries/body_library.hpp"
#include "libraries/library.hpp"

namespace abut {

template <std::size_t D>
std::span<const LibraryInfo<D>> libraries() {
  return {};
}

template std::span<const LibraryInfo<2>> libraries();
template std::span<const LibraryInfo<3>> libraries();

std::unique_ptr<WallLibrary> make_cgal_aabb(bool /*test_first*/) { return nullptr; }

std::unique_ptr<PolygonLibrary> make_box2d() { return nullptr; }
std::vector<std::unique_ptr<PolyhedronLibrary>> polyhedron_libraries() { return {}; }

}  // namespace abut
