#pragma once

#include <cstddef>
#include <string>

namespace abut {

/// Bytes of memory in this machine.
std::size_t physical_memory();

/// "1.5 GiB": bytes as people read them; takes a real number because estimates may be beyond any
/// integer.
std::string human_bytes(double bytes);

}  // namespace abut
