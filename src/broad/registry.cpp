#include <abut/error.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "broad/registry_table.hpp"
#include "broad/search_method.hpp"
#include "core/message.hpp"

// The 3D methods; those in 2D are compiled in registry_2d.cpp.

namespace abut {

template std::span<const MethodEntry<3>> registry<3>();

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> all;
    for (const MethodEntry<3>& method : registry<3>()) all.push_back(method.info);
    return all;
  }();
  return infos;
}

const MethodInfo& method_info(Method method) {
  const auto number = static_cast<std::size_t>(method);
  if (number >= methods().size())
    throw Error(message("method ", static_cast<int>(method), ": must be an enumerator of Method"));
  return methods()[number];
}

std::optional<Method> find_method(std::string_view name_or_number) {
  std::string name(name_or_number);
  std::ranges::replace(name, '-', '_');
  if (name == "auto" || name == "automatic") return Method::automatic;
  for (const MethodInfo& known : methods())
    if (name == known.name ||
        (known.demcda_number > 0 && name == std::to_string(known.demcda_number)))
      return known.method;
  return {};
}

}  // namespace abut
