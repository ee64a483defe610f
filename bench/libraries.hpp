#pragma once

#include "bench/peer.hpp"

namespace abut {

// One file each, bench/<name>.cpp.
template <std::size_t D>
std::unique_ptr<Peer<D>> make_nanoflann(unsigned threads);
template <std::size_t D>
std::unique_ptr<Peer<D>> make_cgal(unsigned threads);
template <std::size_t D>
std::unique_ptr<Peer<D>> make_boost_rtree(unsigned threads);
template <std::size_t D>
std::unique_ptr<Peer<D>> make_embree(unsigned threads);
template <std::size_t D>
std::unique_ptr<Peer<D>> make_bullet(unsigned threads);

}  // namespace abut
