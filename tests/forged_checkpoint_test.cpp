// Checkpoints with valid checksums and a value that no run has.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "box_case.hpp"
#include "error_line.hpp"
#include "io/checkpoint_file.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A run that ended, whose checkpoint can be replaced.
class ForgedCheckpoint : public ::testing::Test {
 protected:
  ForgedCheckpoint() {
    const std::string text = replaced(replaced(box_case, "end = 0.6", "end = 0.39"),
                                      "friction = 0.4", "friction = 0.4\nrolling_friction = 0.1");
    folder_.write("case.toml", text);
    const ProgramResult result =
        run({"run", folder_.path("case.toml"), "--out", folder_.path("out")});
    EXPECT_EQ(result.status, 0) << result.err;
    const NewestCheckpoint newest = read_newest_checkpoint(folder_.path("out"));
    path_ = newest.checkpoint.path();
  }

  /// Replaces one value of a section, by default the first, and resumes.
  template <class T>
  std::string error_with(const std::string& section, T value, std::size_t index = 0) {
    const NewestCheckpoint newest = read_newest_checkpoint(folder_.path("out"));
    const std::string intact = folder_.read("out/" + name());
    std::vector<std::vector<std::byte>> copies;
    CheckpointSections forged;
    for (const CheckpointSection& original : newest.checkpoint.sections()) {
      const auto* bytes = static_cast<const std::byte*>(original.data);
      copies.emplace_back(bytes, bytes + original.bytes());
    }
    std::size_t k = 0;
    for (const CheckpointSection& original : newest.checkpoint.sections()) {
      std::byte* const data = copies[k++].data();
      if (original.name == section) {
        EXPECT_EQ(original.type, element_type<T>()) << section;
        if (index >= original.count) return "no value in section " + section;
        std::memcpy(data + index * sizeof value, &value, sizeof value);
      }
      add(original, data, forged);
    }
    write_checkpoint_file(path_, newest.checkpoint.step(), forged);
    std::string error = error_line(folder_, {"run", "--resume", folder_.path("out")});
    folder_.write("out/" + name(), intact);
    return error;
  }

  template <class T>
  void expect_rejected(const std::string& section, T value, std::size_t index,
                       const std::string& reason) {
    EXPECT_THAT(error_with(section, value, index),
                AllOf(HasSubstr(path_ + ": section '" + section + "'"), HasSubstr(reason)))
        << section << ' ' << index;
  }

 private:
  [[nodiscard]] std::string name() const { return path_.substr(path_.rfind('/') + 1); }

  static void add(const CheckpointSection& original, const std::byte* data,
                  CheckpointSections& sections) {
    const auto add_as = [&](auto zero) {
      using T = decltype(zero);
      if (original.type == element_type<T>())
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        sections.add(original.name, std::span(reinterpret_cast<const T*>(data), original.count));
    };
    add_as(double{});
    add_as(std::uint8_t{});
    add_as(std::int32_t{});
    add_as(std::uint32_t{});
    add_as(std::uint64_t{});
  }

  Folder folder_;
  std::string path_;
};

TEST_F(ForgedCheckpoint, IsRejectedIfAValueIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* section :
       {"position", "velocity", "angular_velocity", "force", "torque", "wall_normal", "wall_force",
        "friction_spring", "rolling_spring", "wall_friction_spring", "wall_rolling_spring",
        "energy_totals", "time_step", "sink_mass"})
    for (const double value : {nan, -infinity}) expect_rejected(section, value, 0, "finite");
}

TEST_F(ForgedCheckpoint, IsRejectedIfAValueIsOutOfRange) {
  expect_rejected("time_step", 0.0, 0, "= 0: must be positive");
  expect_rejected("position", -0.04, 3, "= -0.04: a radius must be positive");
  expect_rejected("position", 0.0, 7, "= 0: a radius must be positive");
  expect_rejected("velocity", -1.0, 3, "= -1: an inverse mass must be positive");
  expect_rejected("angular_velocity", 0.0, 7, "= 0: an inverse mass must be positive");
  expect_rejected("friction_spring", 1e300, 1, "= 1e+300: must be finite in single precision");
  expect_rejected("sink_mass", -1.0, 0, "= -1: must be at least 0");
}

TEST_F(ForgedCheckpoint, IsRejectedIfAnIndexDoesNotExist) {
  constexpr std::uint32_t many = 1000000;
  expect_rejected("material", std::uint8_t{7}, 2, "a material that the model does not have");
  expect_rejected("id", many, 0, "ids are inconsistent");
  expect_rejected("contact", many, 1, "a particle that does not exist");
  expect_rejected("wall_contact", many, 0, "a wall or particle that does not exist");
  expect_rejected("wall_contact", many, 1, "a wall or particle that does not exist");
  for (const std::size_t index : {std::size_t{1}, std::size_t{2}, std::size_t{3}})
    expect_rejected("counts", std::uint64_t{1} << 40U, index, "counts are inconsistent");
  expect_rejected("inserted", std::uint64_t{1} << 40U, 0, "more than the ");
}

}  // namespace
}  // namespace abut::testing
