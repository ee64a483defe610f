#include <abut/version.hpp>

namespace abut {

std::string_view version() noexcept { return ABUT_VERSION; }

}  // namespace abut
