#pragma once

#include <abut/export.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace abut {

/// The kind of an `Error`, for programs that react to it without reading its text.
enum class ErrorCode {
  invalid_argument,  ///< A value passed to a function or set in an options struct is not allowed.
  out_of_range,      ///< An index or id does not exist.
  invalid_input,     ///< The contents of a file or text cannot be parsed or used.
  unknown_key,       ///< A key, option or name is not known.
  unsupported,       ///< The request is valid, but this build, method or platform cannot do it.
  memory_limit,      ///< More memory would be needed than allowed or available.
  io,                ///< A file or stream cannot be opened, read or written.
  moved_from,        ///< The object has been moved from.
  simulation,        ///< A simulation cannot continue, e.g. a position is not finite.
};

/// Name of the enumerator, e.g. "invalid_argument".
[[nodiscard]] ABUT_API std::string_view error_code_name(ErrorCode code);

/// Where an error is and what it is about. A field that does not apply is empty.
struct ErrorDetails {
  std::optional<std::string> file{};    ///< path as the caller gave it
  std::optional<std::size_t> line{};    ///< counted from 1
  std::optional<std::size_t> column{};  ///< counted from 1, in bytes
  std::optional<std::string> key{};     ///< parameter, e.g. "radius[3]" or "time.step"
  std::optional<std::string> value{};   ///< the offending value as text
  friend bool operator==(const ErrorDetails&, const ErrorDetails&) = default;
};

/// Thrown by every function of the library that cannot do what it was asked to do; objects given to
/// that function keep a valid state. `what()` is one line without a final newline that states the
/// problem and, where possible, the remedy. Copying does not throw.
class ABUT_API Error : public std::runtime_error {
 public:
  /// `text` becomes `what()` unchanged.
  explicit Error(const std::string& text, ErrorCode code = ErrorCode::invalid_argument,
                 ErrorDetails details = {});
  explicit Error(const char* text, ErrorCode code = ErrorCode::invalid_argument,
                 ErrorDetails details = {});

  /// Composes `what()` of the details and the reason; control characters are escaped:
  ///
  ///     file:line:column: key = value: reason
  Error(ErrorCode code, const ErrorDetails& details, std::string_view reason);

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const ErrorDetails& details() const noexcept { return *details_; }

 private:
  ErrorCode code_;
  std::shared_ptr<const ErrorDetails> details_;  // never null; shared so that copies do not throw
};

/// The search method would need more memory than `DetectorOptions::memory_limit` allows; the text
/// names a method that needs less. Its code is `ErrorCode::memory_limit`.
class ABUT_API MemoryLimitError : public Error {
 public:
  explicit MemoryLimitError(const std::string& text, ErrorDetails details = {})
      : Error(text, ErrorCode::memory_limit, std::move(details)) {}
};

}  // namespace abut
