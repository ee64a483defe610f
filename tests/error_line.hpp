#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

namespace abut::testing {

/// Runs the program and returns its error output. Expects exit status 2, exactly one line, and no
/// file created or removed in the folder.
inline std::string error_line(const Folder& folder, const std::vector<std::string>& arguments) {
  const std::vector<std::string> before = folder.files();
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  EXPECT_EQ(folder.files(), before);
  return result.err;
}

}  // namespace abut::testing
