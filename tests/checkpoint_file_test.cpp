#include "io/checkpoint_file.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/message.hpp"
#include "expect_error.hpp"
#include "io/binary_values.hpp"
#include "program.hpp"

namespace abut {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::error_message;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string read_error(const std::string& path) {
  std::string read = error_message([&] { const Checkpoint checkpoint(path); });
  EXPECT_EQ(error_message([&] { verify_checkpoint(path); }), read);
  return read;
}

struct SmallState {
  std::vector<double> x{0.1, -0.0, std::numeric_limits<double>::infinity()};
  std::vector<std::uint8_t> flags{1, 2, 3, 4, 5};
  std::vector<std::int64_t> empty;

  [[nodiscard]] CheckpointSections sections() const {
    CheckpointSections all;
    all.add("x", x);
    all.add("flags", flags);
    all.add("none", empty);
    return all;
  }
};

// The bytes of a small checkpoint, and a way to read others.
struct CheckpointBytes : ::testing::Test {
  CheckpointBytes() {
    write_checkpoint_file(path, 42, SmallState().sections());
    valid_bytes = folder.read("c.abut");
  }

  [[nodiscard]] std::string error_reading(const std::string& bytes) const {
    folder.write("c.abut", bytes);
    return read_error(path);
  }

  Folder folder;
  std::string path = folder.path("c.abut");
  std::string valid_bytes;
};

TEST(CheckpointFile, ReadsBackEveryTypeBitwise) {
  const Folder folder;
  const std::string path = folder.path("c.abut");
  const std::vector<double> f64{std::nan("7"), -0.0, 5e-324, 0.1};
  const std::vector<float> f32{0.1F};
  const std::vector<std::int8_t> i8{-128, 127};
  const std::vector<std::int16_t> i16{-32768};
  const std::vector<std::int32_t> i32{-1};
  const std::vector<long long> i64{std::numeric_limits<long long>::min()};
  const std::vector<std::uint8_t> u8{255};
  const std::vector<std::uint16_t> u16{65535};
  const std::vector<std::uint32_t> u32{4294967295};
  const std::vector<std::uint64_t> u64{std::numeric_limits<std::uint64_t>::max()};
  const double time = 0.25;
  CheckpointSections sections;
  sections.add("f64", f64);
  sections.add("f32", f32);
  sections.add("i8", i8);
  sections.add("i16", i16);
  sections.add("i32", i32);
  sections.add("i64", i64);
  sections.add("u8", u8);
  sections.add("u16", u16);
  sections.add("u32", u32);
  sections.add("u64", u64);
  sections.add("time", std::span(&time, 1));
  write_checkpoint_file(path, 12345678901, sections);

  const Checkpoint read(path);
  EXPECT_EQ(read.step(), 12345678901U);
  EXPECT_EQ(read.state_hash(), state_hash(sections));
  EXPECT_EQ(raw_bytes(read.get<double>("f64", 4).data(), 4), raw_bytes(f64.data(), 4));
  EXPECT_THAT(read.get<float>("f32"), ElementsAre(0.1F));
  EXPECT_THAT(read.get<std::int8_t>("i8"), ElementsAre(-128, 127));
  EXPECT_THAT(read.get<std::int16_t>("i16"), ElementsAre(-32768));
  EXPECT_THAT(read.get<std::int32_t>("i32"), ElementsAre(-1));
  EXPECT_THAT(read.get<std::int64_t>("i64"), ElementsAre(i64[0]));
  EXPECT_THAT(read.get<std::uint8_t>("u8"), ElementsAre(255));
  EXPECT_THAT(read.get<std::uint16_t>("u16"), ElementsAre(65535));
  EXPECT_THAT(read.get<std::uint32_t>("u32"), ElementsAre(4294967295));
  EXPECT_THAT(read.get<std::uint64_t>("u64"), ElementsAre(u64[0]));
  EXPECT_EQ(read.value<double>("time"), 0.25);
  EXPECT_EQ(verify_checkpoint(path), 12345678901U);
  EXPECT_THAT(folder.files(), ElementsAre("c.abut"));
}

TEST(CheckpointFile, ReadsLargeSectionsInChunks) {
  const Folder folder;
  std::vector<std::uint32_t> numbers(700001);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i * 2654435761U;
  CheckpointSections sections;
  sections.add("numbers", numbers);
  write_checkpoint_file(folder.path("c.abut"), 1, sections);
  const Checkpoint read(folder.path("c.abut"));
  EXPECT_TRUE(std::ranges::equal(read.get<std::uint32_t>("numbers"), numbers));
  EXPECT_EQ(verify_checkpoint(folder.path("c.abut")), 1U);
}

TEST(CheckpointFile, AcceptsEmptyState) {
  const Folder folder;
  write_checkpoint_file(folder.path("c.abut"), 0, {});
  EXPECT_THAT(Checkpoint(folder.path("c.abut")).sections(), IsEmpty());
}

TEST(CheckpointFile, ReportsMissingOrMismatchedSection) {
  const Folder folder;
  const std::string path = folder.path("c.abut");
  write_checkpoint_file(path, 42, SmallState().sections());
  const Checkpoint read(path);
  EXPECT_TRUE(read.has("x"));
  EXPECT_FALSE(read.has("y"));
  EXPECT_THAT(read.get<std::int64_t>("none", 0), IsEmpty());
  const std::string hint = "; resume with the abut and the case that wrote it";
  EXPECT_EQ(error_message([&] { (void)read.get<double>("y"); }),
            path + ": section 'y': missing (Float64)" + hint);
  EXPECT_EQ(error_message([&] { (void)read.get<float>("x"); }),
            path + ": section 'x': has 3 values of Float64 instead of values of Float32" + hint);
  EXPECT_EQ(error_message([&] { (void)read.get<double>("x", 4); }),
            path + ": section 'x': has 3 values of Float64 instead of 4 values of Float64" + hint);
  EXPECT_THAT(error_message([&] { (void)read.value<double>("x"); }),
              HasSubstr("instead of 1 values of Float64"));
  CheckpointSections twice = SmallState().sections();
  EXPECT_EQ(error_message([&] { twice.add("x", std::span<const float>()); }),
            "section 'x': exists already");
}

TEST(CheckpointFile, HashDistinguishesStates) {
  const SmallState small;
  const std::uint64_t hash = state_hash(small.sections());
  EXPECT_EQ(state_hash(SmallState().sections()), hash);
  SmallState other;
  other.x[1] = 0.0;  // was -0.0, which is equal
  EXPECT_NE(state_hash(other.sections()), hash);
  CheckpointSections renamed;
  renamed.add("y", small.x);
  renamed.add("flags", small.flags);
  renamed.add("none", small.empty);
  EXPECT_EQ(state_hash(renamed), hash) << "names are not part of the state";
  EXPECT_NE(state_hash({}), hash);
}

TEST_F(CheckpointBytes, DetectsEveryWrongLength) {
  for (std::size_t length = 0; length < valid_bytes.size(); ++length)
    EXPECT_THAT(error_reading(valid_bytes.substr(0, length)), HasSubstr("damaged: ")) << length;
  EXPECT_THAT(error_reading(valid_bytes + '\0'), HasSubstr("damaged: "));
  EXPECT_EQ(error_reading(""), path + ": damaged: 0 bytes are too few for a checkpoint");
}

TEST_F(CheckpointBytes, DetectsEveryFlippedBit) {
  for (std::size_t bit = 0; bit < 8 * valid_bytes.size(); ++bit) {
    std::string bytes = valid_bytes;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    EXPECT_THAT(error_reading(bytes), AnyOf(HasSubstr("damaged"), HasSubstr("not a checkpoint"),
                                            HasSubstr("checkpoint of format version")))
        << bit;
  }
}

// A forged file with valid checksums.
class ForgedCheckpoint {
 public:
  CheckpointHeader header;
  std::string directory;

  void add(std::uint32_t type, std::uint32_t name_size, std::uint64_t count) {
    const CheckpointEntry entry{type, name_size, count, 0};
    directory += raw_bytes(&entry);
    directory += "name";
    ++header.section_count;
  }

  [[nodiscard]] std::string bytes(std::size_t data) {
    header.directory_size = directory.size();
    header.file_size = sizeof header + directory.size() + sizeof(Checksum) + data;
    std::string all(raw_bytes(&header));
    all += directory;
    const Checksum checksum = checksum_of(all.data(), all.size());
    all += raw_bytes(&checksum);
    return all + std::string(data, '\0');
  }
};

TEST_F(CheckpointBytes, RejectsOtherVersionsAndByteOrders) {
  constexpr std::uint32_t current = CheckpointHeader::expected_version;
  for (const std::uint32_t version : {current - 1, current + 1}) {
    ForgedCheckpoint other;
    other.header.version = version;
    EXPECT_EQ(
        error_reading(other.bytes(0)),
        message(path, ": checkpoint of format version ", version, ", but this abut reads version ",
                current, "; resume with the abut that wrote it"));
  }
  ForgedCheckpoint foreign;
  foreign.header.byte_order = 0x04030201;
  EXPECT_THAT(error_reading(foreign.bytes(0)), HasSubstr("another byte order"));
  EXPECT_EQ(error_reading(std::string(1000, 'x')), path + ": not a checkpoint of abut");
}

// Never allocates more than the size of the file.
TEST_F(CheckpointBytes, RejectsSectionsLargerThanFile) {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t count : {huge, huge / 8, huge / 8 + 2, huge / 2 + 2, std::uint64_t{3}}) {
    ForgedCheckpoint forged;
    forged.add(1, 4, count);
    EXPECT_EQ(error_reading(forged.bytes(16)),
              path + ": section 'name': damaged: larger than the file");
  }
  ForgedCheckpoint name;
  name.add(1, 0xFFFFFFFF, 0);
  EXPECT_EQ(error_reading(name.bytes(0)), path + ": damaged: invalid directory");
  ForgedCheckpoint type;
  type.add(11, 4, 0);
  EXPECT_EQ(error_reading(type.bytes(0)), path + ": damaged: unknown element type 11");
  ForgedCheckpoint sections;
  sections.header.section_count = huge;
  EXPECT_EQ(error_reading(sections.bytes(0)), path + ": damaged: invalid directory");
  std::string directory = valid_bytes;
  std::memcpy(directory.data() + offsetof(CheckpointHeader, directory_size), &huge, sizeof huge);
  EXPECT_EQ(error_reading(directory), path + ": damaged: its directory is larger than the file");
}

TEST(CheckpointFile, ReportsUnreadableFile) {
  const Folder folder;
  EXPECT_THAT(read_error(folder.path("c.abut")), EndsWith("c.abut: No such file or directory"));
  EXPECT_THAT(read_error(folder.path("")), EndsWith("Is a directory"));
  EXPECT_THAT(read_error("/dev/null"), StartsWith("cannot read /dev/null: "));
}

}  // namespace
}  // namespace abut
