#pragma once

#include <abut/abut.hpp>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace abut {

/// Prints the method's name in test output.
inline void PrintTo(const MethodInfo& method, std::ostream* out) { *out << method.name; }

}  // namespace abut

namespace abut::testing {

/// Returns the sorted pairs: a registered method, or a faulty one that the suite must detect.
template <std::size_t D>
using Finder = std::function<std::vector<Pair>(const Spheres<D>&, const DetectorOptions<D>&)>;

/// Runs `find_contacts` with the method, and with `test_thread_count()` threads by default.
template <std::size_t D>
Finder<D> finder(Method method);

/// Number of threads of the suites: the environment variable ABUT_TEST_THREADS, or 1.
unsigned test_thread_count();

/// Particles and options for which every method must find the pairs of brute force.
template <std::size_t D>
struct ConformanceCase {
  std::string name;
  Scene<D> scene;
  DetectorOptions<D> options{};
  bool may_exceed_memory = false;  ///< methods with a dense cell array may throw MemoryLimitError
};

template <std::size_t D>
std::vector<ConformanceCase<D>> conformance_cases();

/// Description of the first wrong pair the finder returns for a case; empty if there is none.
template <std::size_t D>
std::string mismatch(const Finder<D>& find, const ConformanceCase<D>& test_case);

/// The finder with about one pair in `one_in` removed, deterministically.
template <std::size_t D>
Finder<D> lossy(Finder<D> find, std::size_t one_in);

/// Random coordinates are small multiples of this, so that translation, reflection and scaling by
/// powers of two are exact and must not change any pair.
inline constexpr double coordinate_step = 1.0 / 64;

/// A scene of listed particles, coordinates first, then the radius: scene_of<2>({{0, 0, 1}}).
template <std::size_t D>
Scene<D> scene_of(const std::vector<std::array<double, D + 1>>& particles);

}  // namespace abut::testing
