#include "dem/distinct_places.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <vector>

#include "core/message.hpp"

namespace abut {
namespace {

struct Occupied {
  std::array<double, 3> place;
  std::size_t id;
  bool fixed;
};

}  // namespace

template <std::size_t D>
void check_distinct_places(const ParticleStore& there, const NewParticles<D>& more,
                           std::size_t first_id) {
  std::vector<Occupied> all;
  all.reserve(there.size() + more.places.size());
  for (std::size_t i = 0; i < there.size(); ++i)
    all.push_back(
        {{there.place[i].x, there.place[i].y, there.place[i].z}, there.id[i], i < there.fixed});
  for (std::size_t i = 0; i < more.places.size(); ++i) {
    Occupied one{{}, first_id + i, more.fixed};
    for (std::size_t k = 0; k < D; ++k) one.place[k] = more.places.axis(k)[i];
    all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const Occupied& a, const Occupied& b) {
    return a.place != b.place ? a.place < b.place : a.id < b.id;
  });
  const auto same =
      std::adjacent_find(all.begin(), all.end(), [](const Occupied& a, const Occupied& b) {
        return a.place == b.place && !(a.fixed && b.fixed);
      });
  if (same == all.end()) return;
  const auto& at = same->place;
  throw Error(message("particles ", same->id, " and ", (same + 1)->id, " are at the same place, (",
                      at[0], ", ", at[1], D == 3 ? message(", ", at[2]) : "",
                      "): move one of them"));
}

template void check_distinct_places(const ParticleStore&, const NewParticles<2>&, std::size_t);
template void check_distinct_places(const ParticleStore&, const NewParticles<3>&, std::size_t);

}  // namespace abut
