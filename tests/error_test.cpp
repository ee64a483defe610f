// Errors with codes and structured fields, and index types that cannot be mixed up.
#include <gtest/gtest.h>

#include <abut/error.hpp>
#include <abut/index.hpp>
#include <string>
#include <type_traits>
#include <unordered_set>

namespace abut::testing {
namespace {

static_assert(std::is_nothrow_copy_constructible_v<Error>);
static_assert(std::is_nothrow_copy_constructible_v<MemoryLimitError>);

TEST(Error, KeepsPlainTextAndDefaultsToInvalidArgument) {
  const Error error("radius must be positive");
  EXPECT_STREQ(error.what(), "radius must be positive");
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.details(), ErrorDetails{});
}

TEST(Error, KeepsDetailsWithPlainText) {
  const Error error("no wall 7", ErrorCode::out_of_range, {.key = "wall", .value = "7"});
  EXPECT_STREQ(error.what(), "no wall 7");
  EXPECT_EQ(error.code(), ErrorCode::out_of_range);
  EXPECT_EQ(error.details().key, "wall");
  EXPECT_EQ(error.details().value, "7");
  EXPECT_FALSE(error.details().file);
}

TEST(Error, ComposesTextFromDetails) {
  const auto text = [](const ErrorDetails& details) {
    return std::string(Error(ErrorCode::invalid_input, details, "must be positive").what());
  };
  EXPECT_EQ(text({.file = "case.toml", .line = 3, .column = 8, .key = "time.step", .value = "-1"}),
            "case.toml:3:8: time.step = -1: must be positive");
  EXPECT_EQ(text({.file = "p.csv", .line = 3}), "p.csv:3: must be positive");
  EXPECT_EQ(text({.file = "p.csv", .value = "x"}), "p.csv: x: must be positive");
  EXPECT_EQ(text({.key = "margin", .value = "-1"}), "margin = -1: must be positive");
  EXPECT_EQ(text({.key = "margin"}), "margin: must be positive");
  EXPECT_EQ(text({.line = 4, .column = 2}), "4:2: must be positive");
  EXPECT_EQ(text({}), "must be positive");
}

TEST(Error, IsOneLineWhateverTheDetails) {
  const Error error(ErrorCode::invalid_input, {.file = "a\nb", .key = "k\r\x7f", .value = "\x01"},
                    "saw '\t', ≥ 0");
  EXPECT_STREQ(error.what(), "a\\x0ab: k\\x0d\\x7f = \\x01: saw '\\x09', ≥ 0");
  EXPECT_EQ(error.details().key, "k\r\x7f");
}

TEST(Error, IsCopiedWithItsDetails) {
  const Error original(ErrorCode::unknown_key, {.line = 5, .key = "spin"}, "is not known");
  const Error copy = original;  // NOLINT(performance-unnecessary-copy-initialization): the test
  EXPECT_STREQ(copy.what(), original.what());
  EXPECT_EQ(copy.code(), ErrorCode::unknown_key);
  EXPECT_EQ(copy.details(), original.details());
}

TEST(Error, IsCaughtAsRuntimeErrorAndMemoryLimitErrorAsError) {
  EXPECT_THROW(throw Error("text"), std::runtime_error);
  try {
    throw MemoryLimitError("needs 3 TiB");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory_limit);
    EXPECT_STREQ(error.what(), "needs 3 TiB");
  }
}

TEST(ErrorCode, HasDistinctNames) {
  std::unordered_set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::simulation); ++code)
    names.insert(error_code_name(static_cast<ErrorCode>(code)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::simulation) + 1);
  EXPECT_TRUE(names.contains("unknown_key"));
}

static_assert(!std::is_convertible_v<std::size_t, WallId>);
static_assert(!std::is_convertible_v<WallId, std::size_t>);
static_assert(!std::is_constructible_v<WallId, MaterialId>);
static_assert(!std::is_assignable_v<WallId&, WallElementId>);
static_assert(!std::is_constructible_v<ParticleIndex, ParticleId>);
static_assert(sizeof(SinkId) == sizeof(std::size_t));
static_assert(std::is_trivially_copyable_v<SinkId>);

TEST(StrongIndex, ComparesCountsAndHashesByValue) {
  EXPECT_EQ(WallId(), WallId(0));
  EXPECT_LT(WallId(1), WallId(2));
  EXPECT_EQ(WallId(5).value(), 5U);
  WallId id(3);
  EXPECT_EQ(++id, WallId(4));
  const std::unordered_set<WallId> ids{WallId(1), WallId(2), WallId(1)};
  EXPECT_EQ(ids.size(), 2U);
}

}  // namespace
}  // namespace abut::testing
