#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace abut {

/// These particles are beyond a library; `what()` says why.
class UnsupportedInput : public Error {
 public:
  using Error::Error;
};

/// Another library, used as its authors would use it, that finds the pairs of brute force.
template <std::size_t D>
class Library {
 public:
  Library() = default;
  virtual ~Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// From the caller's arrays to all touching pairs, each once, in any order, in place of what
  /// `pairs` held. Throws `UnsupportedInput` where the library cannot.
  virtual void find(const Spheres<D>& particles, std::vector<Pair>& pairs) = 0;

  /// Drops what was built, so that the next search begins with nothing.
  virtual void reset() {}
};

/// What there is to know of a library before it is asked.
template <std::size_t D>
struct LibraryInfo {
  std::string_view name;
  bool is_parallel;       ///< it can use more than one thread
  bool updates_in_place;  ///< its structure is moved with the particles, not built again
  std::unique_ptr<Library<D>> (*make)(unsigned threads);
};

/// The libraries this program was built with; none without ABUT_BENCH_LIBRARIES.
template <std::size_t D>
std::span<const LibraryInfo<D>> libraries();

extern template std::span<const LibraryInfo<2>> libraries();
extern template std::span<const LibraryInfo<3>> libraries();

// One file each, bench/<name>.cpp.
template <std::size_t D>
std::unique_ptr<Library<D>> make_nanoflann(unsigned threads);
template <std::size_t D>
std::unique_ptr<Library<D>> make_cgal(unsigned threads);
template <std::size_t D>
std::unique_ptr<Library<D>> make_boost_rtree(unsigned threads);
template <std::size_t D>
std::unique_ptr<Library<D>> make_embree(unsigned threads);
template <std::size_t D>
std::unique_ptr<Library<D>> make_bullet(unsigned threads);

}  // namespace abut
