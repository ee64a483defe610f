// The libFuzzer target: maps bytes to a scenario in which the chosen method must find the same
// pairs as brute force in every step. ABUT_FUZZ_METHOD is the name of the method, or `all`.
#include <abut/detector_options.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "differential_check.hpp"

namespace {

std::vector<abut::Method> methods_named(std::string_view name) {
  std::vector<abut::Method> chosen;
  if (name != "all") {
    if (const auto method = abut::find_method(name)) chosen.push_back(*method);
    return chosen;
  }
  for (const abut::MethodInfo& known : abut::methods()) chosen.push_back(known.method);
  return chosen;
}

std::vector<abut::Method> chosen_methods() {
  if (const char* requested = std::getenv("ABUT_FUZZ_METHOD")) return methods_named(requested);
  return methods_named(abut::find_method("engine") ? "engine" : "nbs");
}

const std::vector<abut::Method>& tested_methods() {
  static const std::vector<abut::Method> chosen = chosen_methods();
  return chosen;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  if (tested_methods().empty()) {
    std::fputs("ABUT_FUZZ_METHOD: must be the name of a method, or all\n", stderr);
    std::_Exit(2);
  }
  std::fputs("methods:", stderr);
  for (const abut::Method method : tested_methods())
    std::fprintf(stderr, " %s", std::string(abut::method_info(method).name).c_str());
  std::fputs("\n", stderr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const abut::Method method : tested_methods()) {
    const std::string report = abut::fuzz::differential_check({data, size}, method);
    if (report.empty()) continue;
    std::fprintf(stderr, "DIFFERENCE\n%s", report.c_str());
    std::abort();
  }
  return 0;
}
