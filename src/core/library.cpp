// Errors and the version of the library.

#include <abut/error.hpp>
#include <abut/version.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "core/one_line.hpp"

namespace abut {
namespace {

std::string compose(const ErrorDetails& details, std::string_view reason) {
  std::string text;
  if (details.file) text += *details.file;
  for (const auto& number : {details.line, details.column})
    if (number) text += message(text.empty() ? "" : ":", *number);
  if (!text.empty()) text += ": ";
  if (details.key) text += *details.key;
  if (details.value) text += message(details.key ? " = " : "", *details.value);
  if (details.key || details.value) text += ": ";
  return text.append(reason);
}

}  // namespace

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::out_of_range:
      return "out_of_range";
    case ErrorCode::invalid_input:
      return "invalid_input";
    case ErrorCode::unknown_key:
      return "unknown_key";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::memory_limit:
      return "memory_limit";
    case ErrorCode::io:
      return "io";
    case ErrorCode::moved_from:
      return "moved_from";
    case ErrorCode::simulation:
      return "simulation";
  }
  return "unknown";
}

Error::Error(const std::string& text, ErrorCode code, ErrorDetails details)
    : std::runtime_error(text),
      code_(code),
      details_(std::make_shared<const ErrorDetails>(std::move(details))) {}

Error::Error(const char* text, ErrorCode code, ErrorDetails details)
    : Error(std::string(text), code, std::move(details)) {}

Error::Error(ErrorCode code, const ErrorDetails& details, std::string_view reason)
    : Error(on_one_line(compose(details, reason)), code, details) {}

std::string_view version() noexcept { return ABUT_VERSION; }

}  // namespace abut
