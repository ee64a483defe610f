// The target of libFuzzer: bytes become a scenario, and the chosen method must find in each of its
// steps what brute force finds. ABUT_FUZZ_METHOD names the method, or is `all`.
#include <abut/detector_options.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "difference.hpp"

namespace {

std::vector<abut::Method> named(std::string_view name) {
  std::vector<abut::Method> chosen;
  if (name != "all") {
    if (const auto method = abut::find_method(name)) chosen.push_back(*method);
    return chosen;
  }
  for (const abut::MethodInfo& known : abut::methods()) chosen.push_back(known.method);
  return chosen;
}

std::vector<abut::Method> chosen_methods() {
  if (const char* wanted = std::getenv("ABUT_FUZZ_METHOD")) return named(wanted);
  return named(abut::find_method("engine") ? "engine" : "nbs");
}

const std::vector<abut::Method>& under_test() {
  static const std::vector<abut::Method> chosen = chosen_methods();
  return chosen;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  if (under_test().empty()) {
    std::fputs("ABUT_FUZZ_METHOD: no such method; it is a name or all\n", stderr);
    std::_Exit(2);
  }
  std::fputs("methods:", stderr);
  for (const abut::Method method : under_test())
    std::fprintf(stderr, " %s", std::string(abut::method_info(method).name).c_str());
  std::fputs("\n", stderr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const abut::Method method : under_test()) {
    const std::string said = abut::fuzz::differential_check({data, size}, method);
    if (said.empty()) continue;
    std::fprintf(stderr, "DIFFERENCE\n%s", said.c_str());
    std::abort();
  }
  return 0;
}
