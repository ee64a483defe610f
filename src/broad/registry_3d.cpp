#include "broad/registry_table.hpp"

namespace abut {

template std::span<const MethodEntry<3>> registry<3>();

}  // namespace abut
