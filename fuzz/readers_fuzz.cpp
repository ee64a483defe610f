// The libFuzzer target for the readers. ABUT_FUZZ_READER is the name of a reader; without it, the
// program prints the names and ends.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "readers.hpp"

namespace {

const abut::fuzz::Reader* tested_reader() {
  static const abut::fuzz::Reader* const reader = [] {
    const char* const name = std::getenv("ABUT_FUZZ_READER");
    return name == nullptr ? nullptr : abut::fuzz::find_reader(name);
  }();
  return reader;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  if (tested_reader() != nullptr) return 0;
  for (const abut::fuzz::Reader& reader : abut::fuzz::readers())
    std::printf("%s\n", std::string(reader.name).c_str());
  std::exit(std::getenv("ABUT_FUZZ_READER") == nullptr ? 0 : 2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string report = abut::fuzz::check_reader(*tested_reader(), {data, size});
  if (report.empty()) return 0;
  std::fprintf(stderr, "FINDING\n%s\n", report.c_str());
  std::abort();
}
