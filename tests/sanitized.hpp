#pragma once

namespace abut::testing {

/// Whether this build watches every access to memory, which takes ten times as long: what is only
/// large, and has been seen small, is then left out.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// How many of so many random cases are tried here: the release build tries them all.
template <class Count>
constexpr Count trial_count(Count count) {
  return is_sanitized ? count / 5 : count;
}

}  // namespace abut::testing
