#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

namespace abut::testing {

/// What the program says of what it cannot do: exit status 2, one line, nothing left behind.
inline std::string error_line(const Folder& folder, const std::vector<std::string>& arguments) {
  const std::vector<std::string> before = folder.files();
  const ProgramResult outcome = run(arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_EQ(folder.files(), before);
  return outcome.err;
}

}  // namespace abut::testing
