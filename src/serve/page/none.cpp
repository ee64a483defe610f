#include "serve/page_file.hpp"

namespace abut {

std::span<const PageFile> page_files() { return {}; }

}  // namespace abut
