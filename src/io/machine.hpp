#pragma once

#include <string>

namespace abut {

/// What runs here, as far as the system tells: processor, cores, memory.
std::string machine_text();

}  // namespace abut
