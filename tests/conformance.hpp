#pragma once

#include <abut/abut.hpp>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace abut {

/// So that a failing test shows the method's name.
inline void PrintTo(const MethodInfo& method, std::ostream* out) { *out << method.name; }

}  // namespace abut

namespace abut::testing {

/// A way to find sorted pairs: a registered method, or a wrong one that the suite must catch.
template <std::size_t D>
using Finder = std::function<std::vector<Pair>(const Spheres<D>&, const DetectorOptions<D>&)>;

template <std::size_t D>
Finder<D> finder(Method method);

/// With how many threads the suites search: one, or what ABUT_TEST_THREADS says.
unsigned test_thread_count();

/// Particles and options on which every method must give the pairs of brute force.
template <std::size_t D>
struct ConformanceCase {
  std::string name;
  Scene<D> scene;
  DetectorOptions<D> options{};
  bool may_exceed_memory = false;  ///< a dense array of cells may be refused here, and nowhere else
};

template <std::size_t D>
std::vector<ConformanceCase<D>> conformance_cases();

/// What the finder does wrong on a case: empty if nothing.
template <std::size_t D>
std::string mismatch(const Finder<D>& find, const ConformanceCase<D>& instance);

/// The finder with one pair in about `one_in` lost, always the same ones.
template <std::size_t D>
Finder<D> lossy(Finder<D> find, std::size_t one_in);

/// Random coordinates are multiples of this and stay small, so that moving, mirroring and scaling
/// by powers of two are exact and must not change a single pair.
inline constexpr double coordinate_step = 1.0 / 64;

/// Particles given one by one: scene_of<2>({{0, 0, 1}, {1, 0, 1}}), the radius last.
template <std::size_t D>
Scene<D> scene_of(const std::vector<std::array<double, D + 1>>& particles);

}  // namespace abut::testing
