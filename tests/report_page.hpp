#pragma once

#include <gmock/gmock.h>

#include <string>

namespace abut::testing {

/// One file that needs no other, no script and no network, fits a phone, and names its command.
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
