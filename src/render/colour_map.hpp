#pragma once

#include "render/image.hpp"

namespace abut {

/// Colours from dark violet over blue and green to bright yellow, whose lightness grows evenly:
/// equal steps of a value look equal, also in print and to those who see few colours. `part` is 0
/// … 1.
Colour mapped_colour(float part);

}  // namespace abut
