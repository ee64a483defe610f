#pragma once

#include <gmock/gmock.h>

#include <string>

namespace abut::testing {

/// Checks that a report is a self-contained HTML page without scripts or network access, fits the
/// screen of a phone, and names the command that made it.
inline void expect_report_page(const std::string& page, const std::string& command) {
  using ::testing::AllOf;
  using ::testing::ContainsRegex;
  using ::testing::HasSubstr;
  using ::testing::Not;
  using ::testing::StartsWith;
  EXPECT_THAT(page, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("name=\"viewport\""),
                          HasSubstr("<pre>" + command), HasSubstr("<svg"), HasSubstr("<table>")));
  for (const char* outside : {"<script", "src=", "href=\"http", "href='http", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  EXPECT_THAT(page, Not(ContainsRegex("[^a-z]nan[^a-z]")));
}

}  // namespace abut::testing
