#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/scanner.hpp"

namespace abut {

/// Whether a text begins with a header: a letter or a quote first, a comma within the line.
bool begins_like_csv(std::string_view text);

/// Reads the line of titles: without quotes and blanks around them, in small letters.
std::vector<std::string> read_titles(Scanner& scan);

}  // namespace abut
