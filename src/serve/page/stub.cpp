#include "serve/view_server.hpp"

namespace abut {

std::span<const EmbeddedFile> embedded_files() { return {}; }

}  // namespace abut
