#pragma once

#include <abut/box.hpp>
#include <abut/options.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <string_view>

#include "core/thread_pool.hpp"

namespace abut {

/// What one pass over the particles tells every method.
template <std::size_t D>
struct Survey {
  Box<D> box{};  ///< smallest box around the centres
  double largest_radius = 0;
  double smallest_radius = 0;
};

/// Beyond these sizes the squares of the predicate would leave the range of double.
inline constexpr double largest_length = 1e150;
inline constexpr double smallest_length = 1e-150;

/// Measures the particles and throws `Error` for the first value no search can work with: not
/// finite, a radius not above zero, a centre outside the domain where that is not periodic.
template <std::size_t D>
Survey<D> survey(const Spheres<D>& particles, const Options<D>& options,
                 ThreadPool* pool = nullptr);

extern template Survey<2> survey(const Spheres<2>&, const Options<2>&, ThreadPool*);
extern template Survey<3> survey(const Spheres<3>&, const Options<3>&, ThreadPool*);

/// Throws `Error` for options no search can work with.
template <std::size_t D>
void check(const Options<D>& options);

extern template void check(const Options<2>&);
extern template void check(const Options<3>&);

inline constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

}  // namespace abut
