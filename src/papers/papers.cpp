#include <array>

#include "papers/paper.hpp"

namespace abut {

std::span<const Paper> papers() {
  static const std::array all{demcda_paper, mr_paper, mmr_paper, cubes_paper, common_plane_paper};
  return all;
}

}  // namespace abut
