#pragma once

#include <gtest/gtest.h>

#include <abut/error.hpp>
#include <string>

namespace abut::testing {

/// Expects the action to throw an `Error` with a text of one line; returns the text.
template <class Action>
std::string error_message(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace abut::testing
