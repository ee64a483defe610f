// A path through Oklab, a space in which distances are as they are seen: lightness goes up in a
// straight line, the hue turns from violet to yellow.
#include "render/colour_map.hpp"

#include <algorithm>
#include <array>

namespace abut {
namespace {

/// Oklab to light, by the matrices of its definition (Ottosson 2020).
Colour light_from_oklab(float lightness, float a, float b) {
  const float l = lightness + 0.3963377774F * a + 0.2158037573F * b;
  const float m = lightness - 0.1055613458F * a - 0.0638541728F * b;
  const float s = lightness - 0.0894841775F * a - 1.2914855480F * b;
  const float l3 = l * l * l;
  const float m3 = m * m * m;
  const float s3 = s * s * s;
  return {4.0767416621F * l3 - 3.3077115913F * m3 + 0.2309699292F * s3,
          -1.2684380046F * l3 + 2.6097574011F * m3 - 0.3413193965F * s3,
          -0.0041960863F * l3 - 0.7034186147F * m3 + 1.7076147010F * s3};
}

/// A value between those of some marks that are equally far from each other.
template <std::size_t N>
float between(const std::array<float, N>& marks, float part) {
  const float place = part * (N - 1);
  const auto left = std::min(static_cast<std::size_t>(place), N - 2);
  const float beyond = place - static_cast<float>(left);
  return marks[left] * (1 - beyond) + marks[left + 1] * beyond;
}

}  // namespace

Colour mapped_colour(float part) {
  part = std::clamp(part, 0.0F, 1.0F);
  const float hue = between<6>({{298, 268, 230, 182, 142, 105}}, part) * 3.14159265F / 180;
  const float chroma = between<6>({{0.150F, 0.135F, 0.110F, 0.120F, 0.165F, 0.185F}}, part);
  const float lightness = 0.40F + 0.51F * part;
  return colour_of(light_from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue)));
}

}  // namespace abut
