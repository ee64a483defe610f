// Fuzzing of readers without a fuzzer: the inputs of fuzz/readers, and the same with random
// changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "program.hpp"
#include "readers.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::filesystem::path> reader_corpus(const fuzz::Reader& reader) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ABUT_SOURCE_DIR) / "fuzz/readers" / reader.name))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Bytes corpus_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_seed(const std::filesystem::path& path) {
  return !path.filename().string().starts_with("found");
}

class FuzzedReader : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static const fuzz::Reader& reader() { return *fuzz::find_reader(GetParam()); }
};

TEST_P(FuzzedReader, ReadsSeeds) {
  const Folder folder;
  const auto files = reader_corpus(reader());
  ASSERT_FALSE(files.empty());
  folder.write("box.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  folder.write("list.csv", "x,y,z,r\n0,0,0.5,0.1\n");
  for (const auto& file : files) {
    if (!is_seed(file)) continue;
    const Bytes bytes = corpus_bytes(file);
    std::string text(bytes.begin(), bytes.end());
    if (reader().repaired != nullptr) text = reader().repaired(text);
    const std::string path = folder.write(std::string(reader().file_name), text);
    EXPECT_NO_THROW(reader().read(path)) << file;
  }
}

TEST_P(FuzzedReader, ReadsOrRejectsCorpus) {
  for (const auto& file : reader_corpus(reader()))
    EXPECT_EQ(fuzz::check_reader(reader(), corpus_bytes(file)), "") << file;
}

TEST_P(FuzzedReader, ReadsOrRejectsChangedSeeds) {
  std::mt19937 random(1);
  const int changes = is_sanitized ? 50 : 200;
  for (const auto& file : reader_corpus(reader())) {
    const Bytes seed = corpus_bytes(file);
    for (int i = 0; i < changes && !seed.empty(); ++i) {
      Bytes bytes = seed;
      for (unsigned change = 0; change <= random() % 4; ++change)
        bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
      ASSERT_EQ(fuzz::check_reader(reader(), bytes), "") << file << ", change " << i;
    }
  }
}

std::vector<std::string> reader_names() {
  std::vector<std::string> names;
  for (const fuzz::Reader& reader : fuzz::readers()) names.emplace_back(reader.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzedReader, ::testing::ValuesIn(reader_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace abut::testing
