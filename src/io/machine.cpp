#include "io/machine.hpp"

#include <fstream>
#include <string_view>
#include <thread>

#include "core/memory.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos)
      return message(line.substr(colon + 2), ", ");
  }
  return "";
}

}  // namespace

std::string machine_text() {
  const unsigned cores = std::thread::hardware_concurrency();
  return message(processor(), cores, cores == 1 ? " core, " : " cores, ",
                 human_bytes(static_cast<double>(physical_memory())), " of memory");
}

}  // namespace abut
