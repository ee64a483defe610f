#pragma once

#include <gtest/gtest.h>

#include <abut/error.hpp>
#include <string>

namespace abut::testing {

/// What an `Error` says that must be thrown: one line.
template <class Action>
std::string error_message(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace abut::testing
