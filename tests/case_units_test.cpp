#include <gtest/gtest.h>

#include <abut/case.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <variant>

#include "box_case.hpp"
#include "io/case_file.hpp"

namespace abut::testing {
namespace {

Case<3> read_case_text(const std::string& text) {
  const std::string path = ::testing::TempDir() + "case_units_test.toml";
  std::ofstream(path) << text;
  Case<3> result = std::get<Case<3>>(read_case(path));
  std::remove(path.c_str());
  return result;
}

TEST(CaseUnits, DefaultToSI) { EXPECT_EQ(read_case_text(box_case).units, Units::si); }

TEST(CaseUnits, AreReadFromTopLevel) {
  EXPECT_EQ(read_case_text("units = \"none\"\n" + box_case).units, Units::none);
  EXPECT_EQ(read_case_text("units = \"SI\"\n" + box_case).units, Units::si);
}

TEST(CaseContact, ReadsLimitDamping) {
  const auto limit_damping = [](const std::string& text) {
    return read_case_text(text).model.contact_parameters.front().parameters.limit_damping;
  };
  EXPECT_FALSE(limit_damping(box_case));
  EXPECT_TRUE(limit_damping(
      replaced(box_case, "restitution = 0.5", "restitution = 0.5\nlimit_damping = true")));
}

}  // namespace
}  // namespace abut::testing
