#include "broad/registry_table.hpp"

namespace abut {

template std::span<const MethodEntry<2>> registry<2>();

}  // namespace abut
