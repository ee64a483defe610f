#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace abut {

/// Text that stands for itself in HTML, SVG and XML, inside and outside of quoted attributes.
std::string escaped(std::string_view text);

/// What `escaped` was given; nothing for what it cannot have returned.
std::optional<std::string> unescaped(std::string_view safe);

/// Whether XML can hold this text, escaped: UTF-8 without control characters.
bool fits_markup(std::string_view text);

}  // namespace abut
