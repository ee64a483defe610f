#pragma once

#include <string>
#include <string_view>

namespace abut {

/// Text that stands for itself in HTML and SVG, inside and outside of quoted attributes.
std::string escaped(std::string_view text);

}  // namespace abut
