#pragma once

namespace abut::testing {

/// Whether this build watches every access to memory, which takes ten times as long: what is only
/// large, and has been seen small, is then left out.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// How many of so many random cases are tried here: the release build tries them all.
template <class Count>
constexpr Count tries(Count count) {
  return sanitized ? count / 5 : count;
}

}  // namespace abut::testing
