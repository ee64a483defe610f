#pragma once

#include <stdexcept>

namespace abut {

/// What the caller gave cannot be worked with; `what()` is one line that names it and the remedy.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The chosen method would need more memory than allowed; the message names one that fits.
class MemoryLimitError : public Error {
 public:
  using Error::Error;
};

}  // namespace abut
