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
class PeerRefused : public Error {
 public:
  using Error::Error;
};

/// Another library, used as its authors would use it, that finds the pairs of brute force.
template <std::size_t D>
class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// From the caller's arrays to all touching pairs, each once, in any order, in place of what
  /// `pairs` held. Throws `PeerRefused` where the library cannot.
  virtual void find(const Spheres<D>& particles, std::vector<Pair>& pairs) = 0;

  /// Drops what was built, so that the next search begins with nothing.
  virtual void forget() {}
};

/// What there is to know of a library before it is asked.
template <std::size_t D>
struct PeerInfo {
  std::string_view name;
  bool parallel;        ///< it can use more than one thread
  bool follows_motion;  ///< its structure is moved with the particles, not built again
  std::unique_ptr<Peer<D>> (*make)(unsigned threads);
};

/// The libraries this program was built with; none without ABUT_PEERS.
template <std::size_t D>
std::span<const PeerInfo<D>> peers();

extern template std::span<const PeerInfo<2>> peers();
extern template std::span<const PeerInfo<3>> peers();

}  // namespace abut
