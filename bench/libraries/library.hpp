#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace abut {

/// A library cannot process these particles; `what()` gives the reason.
class UnsupportedInput : public Error {
 public:
  using Error::Error;
};

/// Pair search in another library, used as its authors recommend. Finds the same pairs as brute
/// force.
template <std::size_t D>
class Library {
 public:
  Library() = default;
  virtual ~Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Replaces the contents of `pairs` by all touching pairs, each once, in any order. Throws
  /// `UnsupportedInput` if the library cannot process the particles.
  virtual void find(const Spheres<D>& particles, std::vector<Pair>& pairs) = 0;

  /// Frees the search structure, so that the next search starts from scratch.
  virtual void reset() {}
};

/// Properties and factory of a library.
template <std::size_t D>
struct LibraryInfo {
  std::string_view name;
  bool is_parallel;       ///< can use more than one thread
  bool updates_in_place;  ///< updates its structure for moved particles instead of rebuilding it
  std::unique_ptr<Library<D>> (*make)(unsigned threads);
};

/// The libraries that this program was built with; empty without ABUT_BENCH_LIBRARIES.
template <std::size_t D>
std::span<const LibraryInfo<D>> libraries();

extern template std::span<const LibraryInfo<2>> libraries();
extern template std::span<const LibraryInfo<3>> libraries();

// Each is defined in the file of its name.
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
