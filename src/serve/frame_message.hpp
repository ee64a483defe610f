#pragma once

#include <string>

#include "show/shown.hpp"

namespace abut {

/// Particles, walls and blocks of a frame, as the page takes them; how many contacts there are.
std::string frame_message(const ShownFrame& frame);

/// Its contacts, which are many and rarely asked for.
std::string contacts_message(const ShownFrame& frame);

}  // namespace abut
