#pragma once

#include <abut/case.hpp>
#include <span>
#include <string>
#include <vector>

namespace abut {

/// Walls of a case, and after them balls that stand for walls: what particles push.
template <std::size_t D>
std::vector<std::string> wall_names(const Case<D>& plan);

/// What one of them is pushed with in one contact.
template <std::size_t D>
struct PushedWall {
  std::size_t wall;  ///< by its place among the names
  Point<D> at;       ///< in the domain, where that repeats
  Point<D> towards;  ///< from the particle to the wall, of length one
  Point<D> force;
};

template <std::size_t D>
std::vector<PushedWall<D>> pushed_walls(const Case<D>& plan,
                                        std::span<const ContactState<D>> contacts);

}  // namespace abut
